/** Event IDs per log position: one for the logged event, the rest for ephemeral events, such as typing. */
export const IDS_PER_POSITION = 1024

/** @param start log position at which the queue starts */
export function positionOfEvent(start: number, eventId: number): number {
  return eventId < 0 ? start : start + Math.floor(eventId / IDS_PER_POSITION)
}

/** Whether a response read at log position `answeredAt` includes the event. The response may include later events. */
export function isInAnswer(start: number, eventId: number, answeredAt: number): boolean {
  // Excludes ephemeral events, which are not in the log.
  return eventId % IDS_PER_POSITION === 0 && positionOfEvent(start, eventId) <= answeredAt
}
