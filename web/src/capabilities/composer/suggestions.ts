import type { users } from '@parley/server/contract'
import { caseKey } from '@parley/server/kernel/case-key'
import { continuesWord } from '@parley/server/kernel/words'
import { conversationLink } from '@parley/server/markdown/narrow'
import { computed } from '@preact/signals'
import type { IconName } from '../../kernel/icons.ts'
import { MAX_RANKED_ITEMS } from '../../kernel/ranking.ts'
import type { Conversation } from '../../kernel/route.ts'
import { tl } from '../../kernel/later-texts.ts'
import { languageCode } from '../../kernel/strings.ts'
import { localTime, zonedTime } from '../../kernel/time.ts'
import { store } from '../../platform/client.ts'
import { emojiCode, emojiFromCode, snippetOf } from '../../platform/dom/html.ts'
import { timesAfter } from '../../platform/overlay/times.ts'
import { allChannels, channelIcon, channelNamed, subscriptionTo, type Channel } from '../channels/state.ts'
import { topicsOf } from '../channels/topics.ts'
import { holderNames } from '../groups/holders.ts'
import { mayMentionGroup, membersOf, ownGroups } from '../groups/members.ts'
import { topicTitle } from '../places/title.tsx'
import { withChosenTone } from '../reactions/skin-tones.ts'
import { allEmoji, emojiKey, recentEmoji, type Emoji } from '../reactions/state.ts'
import { isInFence } from './lines.ts'
import { bestMatches, matchKey } from './matches.ts'
import { findPeople } from './people.ts'
import { matchingCommands } from './slash-commands.ts'
import { massMentionHolders, wildcardsIn, type Wildcard } from './wildcards.ts'

export interface Suggestion {
  readonly key: string
  readonly label: string
  readonly detail?: string
  readonly userId?: number
  /** Bot that declared a command. */
  readonly botId?: number
  /** Words that can follow a command. */
  readonly hint?: string
  readonly icon?: IconName
  readonly emoji?: Emoji
  readonly isDenied?: boolean
  readonly text: string
}

export interface Suggestions {
  readonly from: number
  readonly items: readonly Suggestion[]
  /** Index of the item that Enter accepts; -1 after a trigger character alone, which can be text, as in `cd ~`. */
  readonly chosen: number
}

/** After the at sign, this makes a mention silent: it notifies no one. */
const SILENT_MARK = '_'

type SuggestionSource = (typed: string, where: Conversation | undefined) => readonly Suggestion[]

/** Length of the text searched before the caret, to limit the work for each keystroke. All names are shorter. */
const MAX_SEARCHED_CHARACTERS = 160

/** Each pattern matches the text before the caret: the first group is replaced, and the second is the query. */
const COMPLETIONS: readonly { readonly pattern: RegExp; readonly complete: SuggestionSource }[] = [
  { pattern: /(@(_?[^\s@#:]?[^@#:\n]{0,40}))$/u, complete: personSuggestions },
  // Greedy: topics can contain `#` too.
  { pattern: /^[^]*(#([^@#:\n]{1,66}>[^\n*]{0,60}))$/u, complete: topicSuggestions },
  { pattern: /(#([^\s@#:]?[^@#:\n]{0,60}))$/u, complete: channelSuggestions },
  { pattern: /(:([\p{L}\p{N}_+-]{2,30}))$/u, complete: emojiSuggestions },
  { pattern: /(?<![*~_])(~([^~\n]{0,24}))$/u, complete: timeSuggestions },
]
/** Matches text that can precede a trigger character. Most letters cannot, so email addresses trigger nothing. */
const BEFORE_TRIGGER = /(?:^|[\s\p{L}\p{M}([{>"'*~_\u2010-\u206f\u3000-\u303f\uff00-\uff65])$/u
const SLASH_COMMAND = /^\/([\w-]{0,32})$/

export function suggestionsAt(text: string, caret: number, where: Conversation | undefined): Suggestions | undefined {
  const before = text.slice(Math.max(0, caret - MAX_SEARCHED_CHARACTERS), caret)
  const [, command] = SLASH_COMMAND.exec(text.slice(0, caret)) ?? []
  if (command !== undefined) return suggestionsFrom(0, commandSuggestions(command, where), command)
  for (const { pattern, complete } of COMPLETIONS) {
    const [, replaced = '', typed = ''] = pattern.exec(before) ?? []
    if (replaced === '' || typed.startsWith(' ')) continue
    const index = before.length - replaced.length
    // In languages that separate words by spaces, the server treats a trigger next to letters as part of the word.
    if (!BEFORE_TRIGGER.test(before.slice(0, index)) || continuesWord(before, index)) continue
    const found = suggestionsFrom(caret - replaced.length, complete(caseKey(typed), where), typed)
    if (found !== undefined) return isInFence(text, caret) ? undefined : found
  }
  return undefined
}

function suggestionsFrom(from: number, items: readonly Suggestion[], typed: string): Suggestions | undefined {
  const chosen = typed === '' || typed === SILENT_MARK ? -1 : 0
  return items.length === 0 ? undefined : { from, items, chosen }
}

function matchingItems<Item>(items: readonly Item[], typed: string, nameOf: (item: Item) => string): Item[] {
  return bestMatches(items, typed, { keyOf: (item) => matchKey(nameOf(item)) })
}

const channelCandidates = computed(() =>
  allChannels().map((channel) => ({
    channel,
    key: matchKey(channel.name),
    tier: channel.is_archived ? 2 : subscriptionTo(channel.stream_id) === undefined ? 1 : 0,
  })),
)

/** Joined channels come first, and archived channels last. */
function channelSuggestions(typed: string): readonly Suggestion[] {
  const found = bestMatches(channelCandidates.value, typed, { keyOf: ({ key }) => key, tierOf: ({ tier }) => tier })
  return found.map(({ channel: { stream_id: id, name, rendered_description: description } }) => {
    // Prefetches the topics, because the user will probably choose one next.
    topicsOf(id)
    return {
      key: `channel-${id}`,
      label: name,
      icon: channelIcon(id),
      detail: snippetOf(description),
      text: `${conversationLink({ id, name })} `,
    }
  })
}

/** Suggests topics of a typed or completed channel: `#garden>be`. */
function topicSuggestions(typed: string): readonly Suggestion[] {
  const found = channelBefore(typed)
  if (found === undefined) return []
  const { channel, rest } = found
  return matchingItems(topicsOf(channel.stream_id), rest, topicTitle).map((topic) => ({
    key: `topic-${topic}`,
    label: `${channel.name} > ${topicTitle(topic)}`,
    icon: channelIcon(channel.stream_id),
    text: `${conversationLink({ id: channel.stream_id, name: channel.name }, topic, topicTitle(topic))} `,
  }))
}

/** Tries each `>` as the end of the channel's name, which can contain `>` too. */
function channelBefore(typed: string): { readonly channel: Channel; readonly rest: string } | undefined {
  for (let at = typed.indexOf('>'); at !== -1; at = typed.indexOf('>', at + 1)) {
    const name = typed.slice(0, at).trim().replace(/^\*\*/, '').replace(/\*\*$/, '')
    const channel = channelNamed(name)
    if (channel !== undefined) return { channel, rest: typed.slice(at + 1).trim() }
  }
  return undefined
}

function commandSuggestions(typed: string, where: Conversation | undefined): readonly Suggestion[] {
  return matchingCommands(typed, where).map(({ name, detail, icon, botId, hint }) => ({
    key: name,
    label: `/${name}`,
    detail,
    ...(icon !== undefined && { icon }),
    ...(botId !== undefined && { botId }),
    ...(hint !== undefined && { hint }),
    text: `/${name} `,
  }))
}

/** Only by name: most words are keywords of an emoji, and would complete in texts such as `Answer :yes`. */
function emojiSuggestions(typed: string): readonly Suggestion[] {
  const frequent = new Set(recentEmoji().map(emojiKey))
  const found = bestMatches(allEmoji(), typed, {
    keyOf: ({ name }) => matchKey(name),
    compare: (one, other) => Number(frequent.has(emojiKey(other))) - Number(frequent.has(emojiKey(one))),
  })
  return found.map((one) => {
    const toned = one.type === 'unicode_emoji' ? withChosenTone(emojiFromCode(one.code)) : undefined
    return {
      key: `emoji-${one.type}-${one.name}`,
      label: `:${one.name}:`,
      emoji: toned === undefined ? one : { ...one, code: emojiCode(toned) },
      text: `${toned ?? `:${one.name}:`} `,
    }
  })
}

/** People whom the user talks with come before groups; others come after. */
function personSuggestions(typed: string, where: Conversation | undefined): readonly Suggestion[] {
  const isSilent = typed.startsWith(SILENT_MARK)
  const name = isSilent ? typed.slice(SILENT_MARK.length) : typed
  const at = isSilent ? `@${SILENT_MARK}` : '@'
  const { close, distant } = findPeople(name, where)
  return [
    ...close.map((person) => personSuggestion(person, at)),
    ...wildcardSuggestions(name, where, at),
    ...groupSuggestions(name, at),
    ...distant.map((person) => personSuggestion(person, at)),
  ].slice(0, MAX_RANKED_ITEMS)
}

function personSuggestion({ user_id: userId, full_name: label, email: detail }: users.User, at: string): Suggestion {
  const name = ambiguousNames.value.has(label) ? `${label}|${userId}` : label
  return { key: `user-${userId}`, label, detail, userId, text: `${at}**${name}** ` }
}

/** Names that several people share. Mentions of these people require the user ID. */
const ambiguousNames = computed(() => {
  const once = new Set<string>()
  const several = new Set<string>()
  for (const { full_name: name } of store().read('realm_users')) (once.has(name) ? several : once).add(name)
  return several
})

function wildcardSuggestions(typed: string, where: Conversation | undefined, at: string): readonly Suggestion[] {
  if (typed === '') return []
  return wildcardsIn(where)
    .filter(({ name }) => name.startsWith(typed))
    .map((wildcard) => {
      // Anyone can use silent mentions.
      const isDenied = at === '@' && !wildcard.isAllowed
      const { name } = wildcard
      return {
        key: `all-${name}`,
        label: name,
        icon: 'mentions',
        detail: wildcardDetail(wildcard, isDenied),
        isDenied,
        text: `${at}**${name}** `,
      }
    })
}

function wildcardDetail({ reach, people: count }: Wildcard, isDenied: boolean): string {
  const reached = {
    conversation: tl().composer.everybody,
    channel: tl().composer.everybodyInChannel,
    topic: tl().composer.everybodyInTopic,
  }[reach](count)
  return isDenied ? `${tl().composer.denied(massMentionHolders())} · ${reached}` : reached
}

function groupSuggestions(typed: string, at: string): readonly Suggestion[] {
  if (typed === '') return []
  return matchingItems(ownGroups.value, typed, ({ name }) => name).map((group) => {
    const { id, name, description } = group
    const isDenied = at === '@' && !mayMentionGroup(group)
    const said = [
      isDenied ? tl().composer.denied(holderNames(group.can_mention_group)) : '',
      tl().composer.groupOf(membersOf(group).length),
      description,
    ]
    return {
      key: `group-${id}`,
      label: name,
      icon: 'mentions',
      detail: said.filter((part) => part !== '').join(' · '),
      isDenied,
      text: `${at}*${name}* `,
    }
  })
}

/** Shorter words are probably not names of days. */
const MIN_DAY_NAME_LETTERS = 2
const MORNING_HOUR = 9
const DAYS_AHEAD = 7

/** Suggests times, which readers see in their own time zone: `~14:30`, `~tomorrow 9:00`, `~friday`. */
function timeSuggestions(typed: string): readonly Suggestion[] {
  const now = new Date()
  if (typed === '') {
    const usual = timesAfter(now).map(({ id, title, at }) => timeSuggestion(id, title, at))
    return [timeSuggestion('now', tl().composer.now, now), ...usual]
  }
  const [, word = '', hours, minutes = '0'] = /^(\p{L}*)\s*(?:(\d{1,2}):(\d{2}))?$/u.exec(typed) ?? []
  if (word === '' && hours === undefined) return []
  if (Number(hours ?? 0) > 23 || Number(minutes) > 59) return []
  const days = word === '' ? [nextDay(now, Number(hours), Number(minutes))] : matchingDays(word, now)
  return days.map((day) => {
    const at = new Date(
      day.getFullYear(),
      day.getMonth(),
      day.getDate(),
      Number(hours ?? MORNING_HOUR),
      Number(minutes),
    )
    return timeSuggestion(String(+at), localTime(+at / 1000), at)
  })
}

function nextDay(now: Date, hours: number, minutes: number): Date {
  const isOver = hours * 60 + minutes < now.getHours() * 60 + now.getMinutes()
  return new Date(now.getFullYear(), now.getMonth(), now.getDate() + (isOver ? 1 : 0))
}

function matchingDays(word: string, now: Date): readonly Date[] {
  if (word.length < MIN_DAY_NAME_LETTERS) return []
  const relative = new Intl.RelativeTimeFormat(languageCode(), { numeric: 'auto' })
  const weekday = new Intl.DateTimeFormat(languageCode(), { weekday: 'long' })
  const isCalled = (name: string): boolean => name.toLowerCase().startsWith(word)
  return Array.from(
    { length: DAYS_AHEAD },
    (_, days) => new Date(now.getFullYear(), now.getMonth(), now.getDate() + days),
  ).filter((day, days) => (days < 2 && isCalled(relative.format(days, 'day'))) || isCalled(weekday.format(day)))
}

function timeSuggestion(key: string, label: string, at: Date): Suggestion {
  const seconds = Math.floor(+at / 1000)
  return { key: `time-${key}`, label, detail: localTime(seconds), text: `<time:${zonedTime(seconds)}> ` }
}
