import { signal } from '@preact/signals'
import type { Conversation } from '../../kernel/route.ts'
import { allEmoji } from '../reactions/state.ts'
import type { suggestionsAt as Suggesting, Suggestions } from './completions/suggestions.ts'

/** Undefined until loaded. */
const suggesting = signal<typeof Suggesting>()

/** Loads the completions before the first character is typed. */
export function loadCompletions(): void {
  allEmoji()
  if (suggesting.peek() !== undefined) return
  import('./completions/suggestions.ts').then(
    (part) => {
      suggesting.value = part.suggestionsAt
    },
    // Offline, the text has no completions until the field is used again.
    () => undefined,
  )
}

export function suggestionsAt(text: string, caret: number, where: Conversation | undefined): Suggestions | undefined {
  return suggesting.value?.(text, caret, where)
}
