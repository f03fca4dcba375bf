import type { SnapshotPart } from '../../platform/server-facts.ts'

const NOTHING_YET: Readonly<Record<string, Record<string, unknown>>> = {
  giphy: { giphy_api_key: '' },
  stop_words: { stop_words: [] },
}

/**
 * Kinds of data that clients ask for and that cannot exist on this server: the truthful answer is that there
 * is none. A capability that brings one of them takes its line from here.
 */
export const emptyParts: readonly SnapshotPart[] = Object.entries(NOTHING_YET).map(([eventType, fields]) => ({
  eventTypes: [eventType],
  observe: () => fields,
}))
