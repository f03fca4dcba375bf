import { caseKey } from '@parley/server/kernel/case-key'
import { signal } from '@preact/signals'
import { placeKey, type Conversation } from '../../kernel/route.ts'
import { tl } from '../../kernel/later-texts.ts'
import { t } from '../../kernel/strings.ts'
import { dueTitle } from '../../kernel/time.ts'
import { isResolvedTopic, RESOLVED_PREFIX, unresolvedTopic } from '../../kernel/topic.ts'
import { store } from '../../platform/client.ts'
import { toast } from '../../platform/overlay/toasts.tsx'
import { reasonOf } from '../../platform/requests.ts'
import { go } from '../../platform/router.ts'
import { changeChannel, joinChannel, subscribePeople } from '../channels/actions.ts'
import { openChannelSettings } from '../channels/views.ts'
import { mayAdminister, mayJoin, mayAddOthers } from '../channels/rights.ts'
import { channelById, subscriptionTo, type Channel } from '../channels/state.ts'
import { subscribersOf } from '../channels/subscribers.ts'
import { topicsOf } from '../channels/topics.ts'
import { countdown, durationTitle, limitsOfUser, lockDownEnd, slowModeAt } from '../community/state.ts'
import { holderNames } from '../groups/holders.ts'
import { mayMentionGroup, ownGroups } from '../groups/members.ts'
import { coversCurrentUser } from '../groups/state.ts'
import { currentTopic } from '../message-edits/following.ts'
import { toggleResolved, type Topic } from '../message-edits/moving.ts'
import { mayResolve } from '../message-edits/rules.ts'
import { toggleBlocked } from '../muted-users/state.ts'
import { placeName, topicTitle } from '../places/title.tsx'
import { placeOfScheduled } from '../scheduled-messages/actions.ts'
import { isMutedTopic, VISIBILITY } from '../unread/state.ts'
import { setVisibility } from '../user-topics/actions.ts'
import { mayWriteTo, topicFault } from './rights.ts'
import { directPartnerIn, GUEST_ROLE, isBlockedUser, ownId, userName, userById } from '../users/state.ts'
import type { AddressedText } from './composed-text.ts'
import { focusPart } from './actions.ts'
import { blankQuotesAndCode } from './blanking.ts'
import { commandNoteFor } from './slash-commands.ts'
import { massMentionHolders, wildcardsIn, type Wildcard } from './wildcards.ts'

interface Warning {
  readonly key: string
  readonly text: string
  /** Whether the text is a fact, not a reason not to send. */
  readonly isNote?: boolean
  readonly action?: { readonly title: string; readonly run: (writing: AddressedText) => void }
}

export function warningsFor(place: Conversation, text: string): readonly Warning[] {
  const isBegun = text.trim() !== ''
  const ofCommand = commandWarnings(text, place)
  const scheduled = scheduledWarnings(place)
  if (place.view === 'direct')
    return [
      ...scheduled,
      ...blockWarnings(place),
      ...recipientWarnings(place),
      ...limitWarnings(place, text),
      ...ofCommand,
      ...(isBegun ? guestWarnings(place) : []),
    ]
  return [
    ...scheduled,
    ...channelWarnings(place.channelId),
    ...slowModeWarnings(place),
    ...limitWarnings(place, text),
    ...ofCommand,
    ...(isBegun ? [...topicWarnings(place), ...mentionWarnings(place, text), ...guestWarnings(place)] : []),
  ]
}

function scheduledWarnings(place: Conversation): readonly Warning[] {
  const times = store()
    .read('scheduled_messages')
    .filter((message) => !message.failed && placeKey(placeOfScheduled(message)) === placeKey(place))
    .map((message) => message.scheduled_delivery_timestamp)
  if (times.length === 0) return []
  const text = tl().warnings.scheduled(times.length, dueTitle(Math.min(...times)))
  return [
    {
      key: 'scheduled',
      text,
      isNote: true,
      action: { title: tl().writing.showScheduled, run: () => go({ view: 'scheduled' }) },
    },
  ]
}

const ADDRESS = /\bhttps?:\/\/|\bwww\.\w/i

/** Limits for new members and of a lock-down. */
function limitWarnings(place: Conversation, text: string): readonly Warning[] {
  const limits = limitsOfUser()
  if (limits === undefined) return []
  const isPublic = place.view === 'topic' && channelById(place.channelId)?.invite_only === false
  const spoken = blankQuotesAndCode(text)
  const mentions = new RegExp(`${WILDCARD_MENTION.source}|${GROUP_MENTION.source}`)
  const found: readonly (readonly [key: keyof ReturnType<typeof tl>['newcomer'], applies: boolean])[] = [
    ['lockedDown', isPublic && lockDownEnd() !== undefined && !limits.may_post_in_lock_down],
    ['strangers', limits.is_newcomer && limits.direct_messages && isOnlyWithPeople(place) && text.trim() !== ''],
    ['links', limits.is_newcomer && limits.links && ADDRESS.test(spoken)],
    ['mentions', limits.is_newcomer && limits.mentions && mentions.test(spoken)],
    ['uploads', limits.is_newcomer && limits.uploads && text.includes('](/user_uploads/')],
  ]
  return found
    .filter(([, applies]) => applies)
    .map(([key]) => ({ key, text: tl().newcomer[key], isNote: key === 'strangers' }))
}

function isOnlyWithPeople(place: Conversation): boolean {
  return place.view === 'direct' && place.userIds.some((id) => id !== ownId() && userById(id)?.is_bot !== true)
}

function slowModeWarnings(place: Topic): readonly Warning[] {
  const { seconds, wait } = slowModeAt(place)
  if (seconds === 0) return []
  const text = wait === 0 ? tl().slowMode.every(durationTitle(seconds)) : tl().slowMode.wait(countdown(wait))
  return [{ key: wait === 0 ? 'slow' : 'wait', text, isNote: true }]
}

function commandWarnings(text: string, place: Conversation): readonly Warning[] {
  const note = commandNoteFor(text, place)
  if (note === undefined) return []
  const { key, text: words, correction } = note
  if (correction === undefined) return [{ key, text: words }]
  const { name, replacedCharacters } = correction
  const run = (writing: AddressedText): void => writing.replace(0, replacedCharacters, `/${name}`)
  return [{ key, text: words, action: { title: tl().slashCommands.use(name), run } }]
}

function channelWarnings(channelId: number): readonly Warning[] {
  const channel = channelById(channelId)
  if (channel === undefined) return []
  if (channel.is_archived) return [archivedWarning(channel)]
  if (!coversCurrentUser(channel.can_send_message_group)) return [deniedWarning(channel)]
  return subscriptionTo(channelId) === undefined ? [notSubscribedWarning(channel)] : []
}

function archivedWarning(channel: Channel): Warning {
  const run = (): void => {
    changeChannel(channel.stream_id, { is_archived: false }).catch((error: unknown) => toast(reasonOf(error)))
  }
  const action = mayAdminister(channel) ? { title: tl().channel.unarchive, run } : undefined
  return { key: 'archived', text: tl().warnings.archived, ...(action && { action }) }
}

function deniedWarning(channel: Channel): Warning {
  const action = mayAdminister(channel)
    ? { title: tl().warnings.changePermissions, run: () => openChannelSettings(channel.stream_id, 'permissions') }
    : undefined
  const text = tl().warnings.mayNotWrite(holderNames(channel.can_send_message_group))
  return { key: 'denied', text, ...(action && { action }) }
}

function notSubscribedWarning(channel: Channel): Warning {
  const { name } = channel
  const action = mayJoin(channel) ? { title: t().channel.join, run: () => void joinChannel(name) } : undefined
  return { key: 'stranger', text: tl().warnings.notSubscribed(name), ...(action && { action }) }
}

const MAX_NAMED_GUESTS = 3

/** Conversations for which the user has dismissed the warning about guests in this session. */
const dismissedWarnings = signal<ReadonlySet<string>>(new Set())

function guestWarnings(place: Conversation): readonly Warning[] {
  const key = placeKey(place)
  if (
    !store().read('realm_enable_guest_user_dm_warning') ||
    store().read('is_guest') ||
    dismissedWarnings.value.has(key)
  )
    return []
  const guests = store()
    .read('realm_users')
    .filter(({ role }) => role === GUEST_ROLE)
    .map(({ user_id: id }) => id)
  if (guests.length === 0) return []
  const readers = new Set(place.view === 'direct' ? place.userIds : subscribersOf(place.channelId).userIds)
  const reading = guests
    .filter((id) => readers.has(id) && id !== ownId())
    .map(userName)
    .toSorted((one, other) => one.localeCompare(other))
  if (reading.length === 0) return []
  const text = tl().warnings.guests(reading.slice(0, MAX_NAMED_GUESTS), Math.max(0, reading.length - MAX_NAMED_GUESTS))
  const run = (): void => {
    dismissedWarnings.value = new Set([...dismissedWarnings.value, key])
  }
  return [{ key: 'guests', text, action: { title: tl().warnings.understood, run } }]
}

function blockWarnings(place: Extract<Conversation, { view: 'direct' }>): readonly Warning[] {
  const partner = directPartnerIn(place)
  if (partner === undefined || !isBlockedUser(partner)) return []
  const action = { title: t().people.unblock, run: () => toggleBlocked(partner) }
  return [{ key: 'blocked', text: tl().blocking.cannotWrite(userName(partner)), action }]
}

function recipientWarnings({ userIds }: Extract<Conversation, { view: 'direct' }>): readonly Warning[] {
  const gone = userIds.filter((id) => userById(id)?.is_active !== true)
  const rest = userIds.filter((id) => !gone.includes(id))
  if (gone.length > 0) {
    const action =
      rest.length === 0
        ? undefined
        : ({
            title: tl().warnings.leaveOut,
            run: (writing) => writing.redirect({ view: 'direct', userIds: rest }),
          } satisfies Warning['action'])
    return [{ key: 'gone', text: tl().warnings.gone(gone.map(userName)), ...(action && { action }) }]
  }
  if (mayWriteTo(userIds)) return []
  const holders = holderNames(store().read('realm_direct_message_permission_group'))
  return [{ key: 'denied', text: tl().warnings.mayNotWriteTo(holders) }]
}

/** Warns if the topic was moved or resolved, or violates the channel's topic policy. */
function topicWarnings(place: Topic): readonly Warning[] {
  const fault = topicFault(place)
  if (fault === 'missing' || fault === 'long') {
    const action = { title: t().composer.chooseTopic, run: () => focusPart('topic') }
    const { needsTopic, longTopic } = tl().warnings
    return [
      { key: fault, text: fault === 'missing' ? needsTopic : longTopic(store().read('max_topic_length')), action },
    ]
  }
  if (fault === 'forbidden') {
    const without: Conversation = { ...place, topic: '' }
    return [{ key: 'forbidden', text: tl().warnings.noTopics(topicTitle('')), action: writeThereAction(without) }]
  }
  const there = findMovedTopic(place)
  if (there !== undefined)
    return [{ key: 'moved', text: tl().warnings.moved(placeName(there)), action: writeThereAction(there) }]
  return [...resolvedTopicWarnings(place), ...mutedTopicWarnings(place)]
}

function writeThereAction(place: Conversation): Warning['action'] & object {
  return { title: tl().warnings.writeThere, run: (writing) => writing.redirect(place) }
}

function findMovedTopic({ view, channelId, topic }: Topic): Topic | undefined {
  const isThere = (name: string): boolean => topicsOf(channelId).some((one) => caseKey(one) === caseKey(name))
  if (topicsOf(channelId).length === 0 || isThere(topic)) return undefined
  const other = isResolvedTopic(topic) ? unresolvedTopic(topic) : RESOLVED_PREFIX + topic
  return isThere(other) ? { view, channelId, topic: other } : currentTopic({ view, channelId, topic })
}

function resolvedTopicWarnings(place: Topic): readonly Warning[] {
  const { channelId, topic } = place
  if (!isResolvedTopic(topic)) return []
  const run = (): void => void toggleResolved(place)
  const action = mayResolve(channelId) ? { title: t().channel.unresolve, run } : undefined
  return [{ key: 'resolved', text: tl().warnings.resolved, ...(action && { action }) }]
}

function mutedTopicWarnings({ channelId, topic }: Topic): readonly Warning[] {
  if (!isMutedTopic(channelId, topic)) return []
  const run = (): void => void setVisibility(channelId, topic, VISIBILITY.unmuted)
  return [{ key: 'muted', text: tl().warnings.muted, action: { title: t().channel.unmuteTopic, run } }]
}

const WILDCARD_MENTION = /@\*\*(all|everyone|channel|stream|topic)\*\*/g
const GROUP_MENTION = /@\*([^*\n]{1,100})\*(?!\*)/g
const PERSON_MENTION = /@\*\*([^*\n|]{1,100})(?:\|(\d{1,15}))?\*\*/g
/** Smaller audiences need no warning. */
const MIN_WARNED_PEOPLE = 2

function mentionWarnings(place: Topic, text: string): readonly Warning[] {
  if (!text.includes('@')) return []
  const spoken = blankQuotesAndCode(text)
  return [
    ...wildcardMentionWarnings(place, spoken),
    ...groupMentionWarnings(spoken),
    ...nonSubscriberWarnings(place.channelId, spoken),
  ]
}

function wildcardMentionWarnings(place: Topic, spoken: string): readonly Warning[] {
  const names = [...spoken.matchAll(WILDCARD_MENTION)].map(([, name = '']) => (name === 'stream' ? 'channel' : name))
  const all = wildcardsIn(place).filter(({ name }) => names.includes(name))
  const worst = all.find(({ reach }) => reach === 'channel') ?? all[0]
  if (worst === undefined || (worst.reach === 'channel' && worst.people < MIN_WARNED_PEOPLE)) return []
  const action = {
    title: tl().warnings.silence,
    run: (writing: AddressedText) => silenceMentions(writing, WILDCARD_MENTION),
  }
  return [{ key: `many-${worst.reach}`, text: wildcardWarning(worst), action }]
}

function wildcardWarning({ reach, people, isAllowed }: Wildcard): string {
  if (!isAllowed) return tl().warnings.tooMany(people, massMentionHolders())
  return reach === 'topic' ? tl().warnings.everybodyInTopic(people) : tl().warnings.everybody(people)
}

function groupMentionWarnings(spoken: string): readonly Warning[] {
  const names = new Set([...spoken.matchAll(GROUP_MENTION)].map(([, name = '']) => name))
  const denied = ownGroups.value.find((group) => names.has(group.name) && !mayMentionGroup(group))
  if (denied === undefined) return []
  const action = {
    title: tl().warnings.silence,
    run: (writing: AddressedText) => silenceMentions(writing, GROUP_MENTION),
  }
  return [{ key: 'group', text: tl().warnings.group(denied.name, holderNames(denied.can_mention_group)), action }]
}

function silenceMentions(writing: AddressedText, mentions: RegExp): void {
  const { value: text } = writing.text
  let silent = ''
  let end = 0
  for (const { index } of blankQuotesAndCode(text).matchAll(mentions)) {
    silent += `${text.slice(end, index)}@_`
    end = index + 1
  }
  writing.replace(0, text.length, silent + text.slice(end))
}

function nonSubscriberWarnings(channelId: number, spoken: string): readonly Warning[] {
  const mentioned = [...spoken.matchAll(PERSON_MENTION)].flatMap(([, name = '', id]) => mentionedIds(name, id))
  if (mentioned.length === 0) return []
  const { userIds } = subscribersOf(channelId)
  if (userIds === undefined) return []
  const subscribers = new Set(userIds)
  const strangers = [...new Set(mentioned)].filter((id) => !subscribers.has(id))
  if (strangers.length === 0) return []
  const channel = channelById(channelId)
  const run = (): void => {
    subscribePeople(channelId, strangers).catch((error: unknown) => toast(reasonOf(error)))
  }
  const action = channel !== undefined && mayAddOthers(channel) ? { title: tl().warnings.subscribe, run } : undefined
  return [{ key: 'strangers', text: tl().warnings.strangers(strangers.map(userName)), ...(action && { action }) }]
}

function mentionedIds(name: string, id: string | undefined): readonly number[] {
  if (id !== undefined) return [Number(id)]
  const person = store()
    .read('realm_users')
    .find(({ full_name }) => full_name === name)
  return person === undefined ? [] : [person.user_id]
}
