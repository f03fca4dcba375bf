import { MOST_FOUND, ranked } from '../../kernel/ranking.ts'
import { t } from '../../kernel/strings.ts'
import { allChannels } from '../channels/state.ts'
import { allEmoji } from '../reactions/state.ts'
import type { Emoji } from '../reactions/state.ts'
import { activePeople, isMutedUser } from '../users/state.ts'

export interface Suggestion {
  readonly key: string
  readonly label: string
  readonly detail?: string
  readonly userId?: number
  readonly emoji?: Emoji
  /** What stands in the text in place of what was typed. */
  readonly text: string
}

export interface Suggestions {
  /** Where the word begins that is completed. */
  readonly from: number
  readonly items: readonly Suggestion[]
}

/** A sign at the beginning of a word, and what was typed behind it: names may have a space. */
const WORD = /(?:^|[\s([{>"'])([@#:])([^\s@#:]?[^@#:\n]{0,30})$/u
const WILDCARDS = ['all', 'topic']

/** What may be meant by what stands before the caret. */
export function suggestionsAt(text: string, caret: number): Suggestions | undefined {
  const [, sign = '', typed = ''] = WORD.exec(text.slice(0, caret)) ?? []
  if (sign === '' || typed.startsWith(' ')) return undefined
  const items = itemsFor(sign, typed.toLowerCase())
  return items.length === 0 ? undefined : { from: caret - typed.length - 1, items }
}

function itemsFor(sign: string, typed: string): readonly Suggestion[] {
  if (sign === '@') return people(typed)
  if (sign === '#') return channels(typed)
  return typed.length < 2 || typed.includes(' ') ? [] : emoji(typed)
}

function people(typed: string): readonly Suggestion[] {
  const named = activePeople.value.filter(({ user_id }) => !isMutedUser(user_id))
  const names = new Map<string, number>()
  for (const { full_name: name } of named) names.set(name, (names.get(name) ?? 0) + 1)
  const found = ranked(named, typed, (person) => person.full_name).map(({ user_id, full_name: name, email }) => ({
    key: `user-${user_id}`,
    label: name,
    detail: email,
    userId: user_id,
    // Two people may have the same name; the id tells them apart.
    text: (names.get(name) ?? 0) > 1 ? `@**${name}|${user_id}** ` : `@**${name}** `,
  }))
  const wildcards = WILDCARDS.filter((name) => typed !== '' && name.startsWith(typed)).map((name) => ({
    key: `all-${name}`,
    label: name,
    detail: t().composer.everybody,
    text: `@**${name}** `,
  }))
  return [...found, ...wildcards].slice(0, MOST_FOUND)
}

function channels(typed: string): readonly Suggestion[] {
  return ranked(allChannels(), typed, (channel) => channel.name).map(({ stream_id, name, description }) => ({
    key: `channel-${stream_id}`,
    label: `#${name}`,
    detail: description,
    text: `#**${name}** `,
  }))
}

function emoji(typed: string): readonly Suggestion[] {
  return ranked(allEmoji(), typed.replaceAll(' ', '_'), (one) => one.name).map((one) => ({
    key: `emoji-${one.type}-${one.name}`,
    label: `:${one.name}:`,
    emoji: one,
    text: `:${one.name}: `,
  }))
}
