/** The first ID of a position is that of the log event; the others are for ephemeral events, such as typing. */
export const IDS_PER_POSITION = 1024

/** @param start the position at which the queue starts */
export function positionOfEvent(start: number, eventId: number): number {
  return eventId < 0 ? start : start + Math.floor(eventId / IDS_PER_POSITION)
}

/** Whether an answer read at the position `answeredAt` includes the event; it can also include later events. */
export function isInAnswer(start: number, eventId: number, answeredAt: number): boolean {
  // Ephemeral events are not in the log.
  return eventId % IDS_PER_POSITION === 0 && positionOfEvent(start, eventId) <= answeredAt
}
