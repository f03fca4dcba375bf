/* Maps between event IDs of a queue and log positions. */

/** IDs per log position; the additional ones are for ephemeral events: typing, presence, heartbeats. */
export const IDS_PER_POSITION = 1024

/**
 * Returns the log position of an event ID.
 * @param start the position at which the queue starts
 */
export function positionOfEvent(start: number, eventId: number): number {
  return eventId < 0 ? start : start + Math.floor(eventId / IDS_PER_POSITION)
}

/**
 * Whether an answer already reflects an event.
 * @param start the position at which the queue starts: `log_position` of its registration
 * @param answeredAt the position at which the answer was read; it may also reflect later events
 */
export function isInAnswer(start: number, eventId: number, answeredAt: number): boolean {
  // Ephemeral events are not in the log, so no answer reflects them.
  return eventId % IDS_PER_POSITION === 0 && positionOfEvent(start, eventId) <= answeredAt
}
