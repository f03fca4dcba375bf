/* The ids that the events of a queue have, and the positions of the log that they stand for. */

/** Ids between two positions, for ephemeral events: typing, presence, heartbeats. */
export const IDS_PER_POSITION = 1024

/**
 * The position an event id belongs to.
 * @param start the position at which the queue begins
 */
export function positionOfEvent(start: number, eventId: number): number {
  return eventId < 0 ? start : start + Math.floor(eventId / IDS_PER_POSITION)
}

/**
 * Whether an answer holds what an event of a queue tells.
 * @param start the position at which the queue begins, as `log_position` of its registration says
 * @param answeredAt the position that the answer says it was read at; events after it may be in the answer as well
 */
export function isInAnswer(start: number, eventId: number, answeredAt: number): boolean {
  // What is in no log, such as typing, is in no answer that says a position of the log.
  return eventId % IDS_PER_POSITION === 0 && positionOfEvent(start, eventId) <= answeredAt
}
