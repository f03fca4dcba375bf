import { channels } from '@parley/server/contract'
import type { Conversation } from '../../kernel/route.ts'
import { t } from '../../kernel/strings.ts'
import { ask } from '../../platform/requests.ts'
import { join } from '../channels/actions.ts'
import { channelById, channelName, isResolved, subscriptionTo } from '../channels/state.ts'
import { subscribersOf } from '../channels/subscribers.ts'
import { isMutedTopic, VISIBILITY } from '../unread/state.ts'
import { setVisibility } from '../user-topics/actions.ts'
import { activePeople, userName } from '../users/state.ts'

/** Something that one may want to know before sending. */
export interface Warning {
  readonly key: string
  readonly text: string
  /** What can be done about it. */
  readonly action?: { readonly title: string; readonly run: () => void }
}

/** Mentions in quotes and code notify no one, so they are left out. */
const UNSPOKEN = /(`{3,})[\s\S]*?(?:\1|$)|`[^`\n]*`|^>.*$/gm
const EVERYBODY = /@\*\*(?:all|everyone|channel|stream)\*\*/
const EVERYBODY_IN_TOPIC = /@\*\*topic\*\*/
const MENTION = /@\*\*([^*\n|]{1,100})(?:\|(\d{1,15}))?\*\*/g
/** Fewer are no crowd. */
const FEWEST_PEOPLE = 2

/** What to know before a text is sent to a conversation. */
export function warningsFor(place: Conversation, text: string): readonly Warning[] {
  const spoken = text.replaceAll(UNSPOKEN, '')
  if (place.view === 'direct') return []
  return [
    ...aboutChannel(place.channelId),
    ...(text.trim() === '' ? [] : [...aboutTopic(place), ...aboutCrowd(place.channelId, spoken)]),
    ...(spoken.includes('@') ? aboutStrangers(place.channelId, spoken) : []),
  ]
}

function aboutChannel(channelId: number): readonly Warning[] {
  const channel = channelById(channelId)
  if (channel?.is_archived === true) return [{ key: 'archived', text: t().warnings.archived }]
  if (channel === undefined || subscriptionTo(channelId) !== undefined) return []
  const action = { title: t().channel.join, run: () => void join(channelName(channelId)) }
  return [{ key: 'stranger', text: t().warnings.notSubscribed(channel.name), action }]
}

function aboutTopic({ channelId, topic }: Extract<Conversation, { view: 'topic' }>): readonly Warning[] {
  const unmute = {
    title: t().channel.unmuteTopic,
    run: () => void setVisibility(channelId, topic, VISIBILITY.unmuted),
  }
  return [
    ...(isResolved(topic) ? [{ key: 'resolved', text: t().warnings.resolved }] : []),
    ...(isMutedTopic(channelId, topic) ? [{ key: 'muted', text: t().warnings.muted, action: unmute }] : []),
  ]
}

function aboutCrowd(channelId: number, spoken: string): readonly Warning[] {
  const people = channelById(channelId)?.subscriber_count ?? 0
  if (EVERYBODY.test(spoken) && people >= FEWEST_PEOPLE) return [{ key: 'all', text: t().warnings.everybody(people) }]
  return EVERYBODY_IN_TOPIC.test(spoken) ? [{ key: 'topic', text: t().warnings.everybodyInTopic }] : []
}

/** Those who are mentioned and do not read the channel. */
function aboutStrangers(channelId: number, spoken: string): readonly Warning[] {
  const mentioned = [...spoken.matchAll(MENTION)].flatMap(([, name = '', id]) => idOf(name, id))
  if (mentioned.length === 0) return []
  const { userIds } = subscribersOf(channelId)
  if (userIds === undefined) return []
  const subscribers = new Set(userIds)
  const strangers = [...new Set(mentioned)].filter((id) => !subscribers.has(id))
  if (strangers.length === 0) return []
  const given = { subscriptions: [{ name: channelName(channelId) }], principals: strangers }
  const action = { title: t().warnings.subscribe, run: () => void ask(channels.subscribe, given) }
  return [{ key: 'strangers', text: t().warnings.strangers(strangers.map(userName)), action }]
}

function idOf(name: string, id: string | undefined): readonly number[] {
  if (id !== undefined) return [Number(id)]
  const person = activePeople.value.find(({ full_name }) => full_name === name)
  return person === undefined ? [] : [person.user_id]
}
