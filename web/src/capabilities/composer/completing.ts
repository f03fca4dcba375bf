import { signal } from '@preact/signals'
import type { Conversation } from '../../kernel/route.ts'
import { allEmoji } from '../reactions/state.ts'
import type { suggestionsAt as Suggesting, Suggestions } from './completions/suggestions.ts'

/** Undefined until it is loaded. */
const suggesting = signal<typeof Suggesting>()

/** Loads what completes a text, so that it is there when the first sign is typed. */
export function loadCompletions(): void {
  allEmoji()
  if (suggesting.peek() !== undefined) return
  import('./completions/suggestions.ts').then(
    (part) => {
      suggesting.value = part.suggestionsAt
    },
    // Without a connection a text is written without them, until the field is used again.
    () => undefined,
  )
}

/** What may be meant by what stands before the caret. */
export function suggestionsAt(text: string, caret: number, where: Conversation | undefined): Suggestions | undefined {
  return suggesting.value?.(text, caret, where)
}
