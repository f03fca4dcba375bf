import { messageOf } from '../kernel/message-of.ts'
import { isFullDatabase } from '../platform/db/unavailable.ts'
import { isFullDisk, StoreFull } from '../platform/files/store-errors.ts'
import { Complaint } from './command.ts'

/**
 * Says where there was no room for what was written: the system does not say on which disk.
 * @param place a folder or a database
 * @param outcome a sentence on what is left of the work
 * @returns undefined for what failed otherwise, or says it by itself
 */
export function roomComplaint(error: unknown, place: string, outcome: string): Complaint | undefined {
  const cause = error instanceof Complaint ? error.cause : error
  const isFull = isFullDatabase(cause) || (isFullDisk(cause) && !(cause instanceof StoreFull))
  if (!isFull) return undefined
  return new Complaint(`There is no room for it in ${place}: ${messageOf(cause)}. ${outcome}`, { cause })
}
