import { continuesWord } from '@parley/server/kernel/words'
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
 * What completes the text before the caret: a pattern whose first group is what is replaced, and whose second is what was
 * typed. Names may have spaces.
 */
const COMPLETIONS: readonly { readonly pattern: RegExp; readonly complete: Completion }[] = [
  { pattern: /(@(_?[^\s@#:]?[^@#:\n]{0,40}))$/u, complete: people },
  // The last sign that may begin one: topics may have the sign, too.
  { pattern: /^[^]*(#([^@#:\n]{1,66}>[^\n*]{0,60}))$/u, complete: topics },
  { pattern: /(#([^\s@#:]?[^@#:\n]{0,60}))$/u, complete: channels },
  { pattern: /(:([\p{L}\p{N}_+-]{2,30}))$/u, complete: emoji },
  { pattern: /(?<![*~_])(~([^~\n]{0,24}))$/u, complete: times },
]
/** What may stand before a sign: as in the middle of an address, it otherwise means nothing. */
const BEFORE = /(?:^|[\s\p{L}\p{M}([{>"'*~_\u2010-\u206f\u3000-\u303f\uff00-\uff65])$/u
const COMMAND = /^\/(\w{0,10})$/

/** What may be meant by what stands before the caret. */
export function suggestionsAt(text: string, caret: number, where: Conversation | undefined): Suggestions | undefined {
  const before = text.slice(Math.max(0, caret - MOST_CHARACTERS), caret)
  const [, command] = COMMAND.exec(text.slice(0, caret)) ?? []
  if (command !== undefined) return offered(0, commands(command))
  for (const { pattern, complete } of COMPLETIONS) {
    const [, replaced = '', typed = ''] = pattern.exec(before) ?? []
    if (replaced === '' || typed.startsWith(' ')) continue
    const index = before.length - replaced.length
    // Beside letters of a script with spaces, the server takes it for a part of the word.
    if (!BEFORE.test(before.slice(0, index)) || continuesWord(before, index)) continue
    const found = offered(caret - replaced.length, complete(typed.toLowerCase(), where))
    if (found !== undefined) return found
  }
  return undefined
}

function offered(from: number, items: readonly Suggestion[]): Suggestions | undefined {
  return items.length === 0 ? undefined : { from, items }
}
