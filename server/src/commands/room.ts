import { messageOf } from '../kernel/phrases.ts'
import { isFullDatabase } from '../platform/db/unavailable.ts'
import { isFullDisk, StoreFull } from '../platform/files/store-errors.ts'
import { Complaint } from './command.ts'

/**
 * Adds the full location, which the system's error does not contain.
 * @param outcome sentence about the state of the work
 * @returns undefined for other errors, and for errors that already contain the location
 */
export function roomComplaint(error: unknown, place: string, outcome: string): Complaint | undefined {
  const cause = error instanceof Complaint ? error.cause : error
  const isFull = isFullDatabase(cause) || (isFullDisk(cause) && !(cause instanceof StoreFull))
  if (!isFull) return undefined
  return new Complaint(`No space left in ${place}: ${messageOf(cause)}. ${outcome}`, { cause })
}
