import type { SnapshotPart } from '../../platform/server-facts.ts'

const UNUSED_FIELDS: Readonly<Record<string, Record<string, unknown>>> = {
  giphy: { giphy_api_key: '' },
  stop_words: { stop_words: [] },
}

export const emptySnapshotParts: readonly SnapshotPart[] = Object.entries(UNUSED_FIELDS).map(([eventType, fields]) => ({
  eventTypes: [eventType],
  observe: () => fields,
}))
