import type { MatchPlace } from '../../kernel/finding.ts'

export type EntryKind = 'conversation' | 'group' | 'channel' | 'person' | 'command' | 'setting' | 'message'

/** A group's name lists people, so it matches the name of each of them, who is wanted more often. */
export const KIND_WEIGHTS: Readonly<Record<EntryKind, number>> = {
  conversation: 1.3,
  channel: 1.2,
  person: 1.1,
  command: 1,
  setting: 0.8,
  message: 0.5,
  group: 0.4,
}

/** Tiers in their order. Messages come after named entries, and the search for messages before weak ones. */
export const TIER = { wanted: 0, named: 1, likely: 2, weak: 3 } as const

/** Places and actions come before settings, because a person looks for a setting less often than its words occur. */
export function tierOfEntry({ kind }: { readonly kind: EntryKind }, place: MatchPlace): number {
  if (kind === 'setting') return place === 'start' ? TIER.named : TIER.weak
  if (place === 'elsewhere' || place === 'near') return TIER.likely
  return place === 'start' || (kind !== 'person' && kind !== 'command') ? TIER.wanted : TIER.named
}
