import type { SnapshotPart } from '../../platform/server-facts.ts'

const NOTHING_YET: Readonly<Record<string, Record<string, unknown>>> = {
  giphy: { giphy_api_key: '' },
  stop_words: { stop_words: [] },
}

export const emptyParts: readonly SnapshotPart[] = Object.entries(NOTHING_YET).map(([eventType, fields]) => ({
  eventTypes: [eventType],
  observe: () => fields,
}))
