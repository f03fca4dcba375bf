import { rankItems } from '../../../kernel/ranking.ts'
import { allEmoji } from '../../reactions/state.ts'
import type { Suggestion } from './suggestion.ts'

export function emoji(typed: string): readonly Suggestion[] {
  return rankItems(allEmoji(), typed, ({ name }) => name).map((one) => ({
    key: `emoji-${one.type}-${one.name}`,
    label: `:${one.name}:`,
    emoji: one,
    text: `:${one.name}: `,
  }))
}
