import { caseKey } from '@parley/server/kernel/case-key'
import { continuesWord } from '@parley/server/kernel/words'
import type { Conversation } from '../../../kernel/route.ts'
import { channels, topics } from './channels.ts'
import { commands } from './commands.ts'
import { emoji } from './emoji.ts'
import { people } from './people.ts'
import type { Suggestion } from './suggestion.ts'
import { times } from './times.ts'

export interface Suggestions {
  /** Index at which the completed part begins. */
  readonly from: number
  readonly items: readonly Suggestion[]
}

/** Completes the text after a trigger character. `where` is the destination, if already chosen. */
type Completion = (typed: string, where: Conversation | undefined) => readonly Suggestion[]

/** All names are shorter than this. Bounds the work for each keystroke. */
const MOST_CHARACTERS = 160

/**
 * Each pattern matches the text before the caret: the first group is replaced, and the second is the query. Names can
 * contain spaces.
 */
const COMPLETIONS: readonly { readonly pattern: RegExp; readonly complete: Completion }[] = [
  { pattern: /(@(_?[^\s@#:]?[^@#:\n]{0,40}))$/u, complete: people },
  // Greedy: matches the last `#` that can begin a channel, since topics can contain `#` too.
  { pattern: /^[^]*(#([^@#:\n]{1,66}>[^\n*]{0,60}))$/u, complete: topics },
  { pattern: /(#([^\s@#:]?[^@#:\n]{0,60}))$/u, complete: channels },
  { pattern: /(:([\p{L}\p{N}_+-]{2,30}))$/u, complete: emoji },
  { pattern: /(?<![*~_])(~([^~\n]{0,24}))$/u, complete: times },
]
/** Characters allowed before a trigger. After others, for example in an email address, the trigger has no meaning. */
const BEFORE = /(?:^|[\s\p{L}\p{M}([{>"'*~_\u2010-\u206f\u3000-\u303f\uff00-\uff65])$/u
const COMMAND = /^\/(\w{0,10})$/

export function suggestionsAt(text: string, caret: number, where: Conversation | undefined): Suggestions | undefined {
  const before = text.slice(Math.max(0, caret - MOST_CHARACTERS), caret)
  const [, command] = COMMAND.exec(text.slice(0, caret)) ?? []
  if (command !== undefined) return suggestionsFrom(0, commands(command))
  for (const { pattern, complete } of COMPLETIONS) {
    const [, replaced = '', typed = ''] = pattern.exec(before) ?? []
    if (replaced === '' || typed.startsWith(' ')) continue
    const index = before.length - replaced.length
    // In scripts with spaces, the server treats a trigger next to letters as part of the word.
    if (!BEFORE.test(before.slice(0, index)) || continuesWord(before, index)) continue
    const found = suggestionsFrom(caret - replaced.length, complete(caseKey(typed), where))
    if (found !== undefined) return found
  }
  return undefined
}

function suggestionsFrom(from: number, items: readonly Suggestion[]): Suggestions | undefined {
  return items.length === 0 ? undefined : { from, items }
}
