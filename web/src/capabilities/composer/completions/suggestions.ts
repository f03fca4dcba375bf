import type { Conversation } from '../../../kernel/route.ts'
import { channels, topics } from './channels.ts'
import { commands } from './commands.ts'
import { emoji } from './emoji.ts'
import { people } from './people.ts'
import type { Suggestion } from './suggestion.ts'
import { times } from './times.ts'

export interface Suggestions {
  /** Where the part begins that is completed. */
  readonly from: number
  readonly items: readonly Suggestion[]
}

/** Completes what is typed behind a sign. @param where to which the message goes, as far as that is chosen */
type Completion = (typed: string, where: Conversation | undefined) => readonly Suggestion[]

/** Names are no longer than this, and a longer text is not looked through at each key. */
const MOST_CHARACTERS = 160

/**
 * What completes the text before the caret: a pattern whose first group is what is replaced, and whose others are what was
 * typed. Names may have spaces; a sign within a word, as in an address, means nothing.
 */
const COMPLETIONS: readonly { readonly pattern: RegExp; readonly complete: Completion }[] = [
  { pattern: /(?:^|[\s([{>"'])(@(_?[^\s@#:]?[^@#:\n]{0,40}))$/u, complete: people },
  { pattern: /(?:^|[\s([{>"'])(#((?:\*\*)?[^@#:>\n*]{1,60}(?:\*\* ?)?>[^\n*]{0,60}))$/u, complete: topics },
  { pattern: /(?:^|[\s([{>"'])(#([^\s@#:]?[^@#:\n]{0,60}))$/u, complete: channels },
  { pattern: /(?:^|[\s([{>"'])(:([\p{L}\p{N}_+-]{2,30}))$/u, complete: emoji },
  { pattern: /(?:^|\s)(~([^~\n]{0,24}))$/u, complete: times },
]
const COMMAND = /^\/(\w{0,10})$/

/** What may be meant by what stands before the caret. */
export function suggestionsAt(text: string, caret: number, where: Conversation | undefined): Suggestions | undefined {
  const before = text.slice(Math.max(0, caret - MOST_CHARACTERS), caret)
  const [, command] = COMMAND.exec(text.slice(0, caret)) ?? []
  if (command !== undefined) return offered(0, commands(command))
  for (const { pattern, complete } of COMPLETIONS) {
    const [, replaced = '', typed = ''] = pattern.exec(before) ?? []
    if (replaced === '' || typed.startsWith(' ')) continue
    return offered(caret - replaced.length, complete(typed.toLowerCase(), where))
  }
  return undefined
}

function offered(from: number, items: readonly Suggestion[]): Suggestions | undefined {
  return items.length === 0 ? undefined : { from, items }
}
