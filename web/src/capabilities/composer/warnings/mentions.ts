import { t } from '../../../kernel/strings.ts'
import { toast } from '../../../platform/overlay/toasts.tsx'
import { reasonOf } from '../../../platform/requests.ts'
import { addPeople } from '../../channels/actions.ts'
import { mayAddOthers } from '../../channels/rights.ts'
import { channelById } from '../../channels/state.ts'
import { subscribersOf } from '../../channels/subscribers.ts'
import { holdersOf, mayMention, ownGroups } from '../../groups/members.ts'
import type { Topic } from '../../message-edits/moving.ts'
import { activePeople, userName } from '../../users/state.ts'
import { spokenOf } from '../spoken.ts'
import { holdersOfMany, wildcardsIn, type Wildcard } from '../wildcards.ts'
import type { Composition } from '../composition.ts'
import type { Warning } from './warning.ts'

const MANY = /@\*\*(all|everyone|channel|stream|topic)\*\*/g
const GROUP = /@\*([^*\n]{1,100})\*(?!\*)/g
const PERSON = /@\*\*([^*\n|]{1,100})(?:\|(\d{1,15}))?\*\*/g
/** Smaller audiences need no warning. */
const FEWEST_PEOPLE = 2

/** Warns about mentions of many people and of people who will not be notified. */
export function aboutMentions(place: Topic, text: string): readonly Warning[] {
  if (!text.includes('@')) return []
  const spoken = spokenOf(text)
  return [...aboutCrowd(place, spoken), ...aboutGroups(spoken), ...aboutStrangers(place.channelId, spoken)]
}

function aboutCrowd(place: Topic, spoken: string): readonly Warning[] {
  const names = [...spoken.matchAll(MANY)].map(([, name = '']) => (name === 'stream' ? 'channel' : name))
  const all = wildcardsIn(place).filter(({ name }) => names.includes(name))
  const worst = all.find(({ reach }) => reach === 'channel') ?? all[0]
  if (worst === undefined || (worst.reach === 'channel' && worst.people < FEWEST_PEOPLE)) return []
  const action = { title: t().warnings.silence, run: (writing: Composition) => silence(writing, MANY) }
  return [{ key: `many-${worst.reach}`, text: saidOf(worst), action }]
}

function saidOf({ reach, people, isAllowed }: Wildcard): string {
  if (!isAllowed) return t().warnings.tooMany(people, holdersOfMany())
  return reach === 'topic' ? t().warnings.everybodyInTopic(people) : t().warnings.everybody(people)
}

function aboutGroups(spoken: string): readonly Warning[] {
  const names = new Set([...spoken.matchAll(GROUP)].map(([, name = '']) => name))
  const denied = ownGroups.value.find((group) => names.has(group.name) && !mayMention(group))
  if (denied === undefined) return []
  const action = { title: t().warnings.silence, run: (writing: Composition) => silence(writing, GROUP) }
  return [{ key: 'group', text: t().warnings.group(denied.name, holdersOf(denied.can_mention_group)), action }]
}

function silence(writing: Composition, mentions: RegExp): void {
  const { value: text } = writing.text
  let silent = ''
  let end = 0
  for (const { index } of spokenOf(text).matchAll(mentions)) {
    silent += `${text.slice(end, index)}@_`
    end = index + 1
  }
  writing.replace(0, text.length, silent + text.slice(end))
}

/** Warns about mentioned people who do not subscribe to the channel. */
function aboutStrangers(channelId: number, spoken: string): readonly Warning[] {
  const mentioned = [...spoken.matchAll(PERSON)].flatMap(([, name = '', id]) => idOf(name, id))
  if (mentioned.length === 0) return []
  const { userIds } = subscribersOf(channelId)
  if (userIds === undefined) return []
  const subscribers = new Set(userIds)
  const strangers = [...new Set(mentioned)].filter((id) => !subscribers.has(id))
  if (strangers.length === 0) return []
  const channel = channelById(channelId)
  const run = (): void => {
    addPeople(channelId, strangers).catch((error: unknown) => toast(reasonOf(error)))
  }
  const action = channel !== undefined && mayAddOthers(channel) ? { title: t().warnings.subscribe, run } : undefined
  return [{ key: 'strangers', text: t().warnings.strangers(strangers.map(userName)), ...(action && { action }) }]
}

function idOf(name: string, id: string | undefined): readonly number[] {
  if (id !== undefined) return [Number(id)]
  const person = activePeople.value.find(({ full_name }) => full_name === name)
  return person === undefined ? [] : [person.user_id]
}
