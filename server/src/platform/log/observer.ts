import type { OrganizationLog } from './organization-log.ts'
import type { LogRow } from './row.ts'

/** A part of the process that follows its logs: the logs call every observer, in the order of the list. */
export interface LogObserver {
  /** A log opens: no event has been applied to it yet. */
  opened?(log: OrganizationLog): void
  /** The next event of a log was applied. */
  applied?(log: OrganizationLog, row: LogRow): void
  /** An event arrived that is not logged. */
  ephemeral?(log: OrganizationLog, row: LogRow): void
  /** This process's writes to a log are applied. */
  written?(log: OrganizationLog): void
  /** Whether something, such as a waiting client, keeps a log open. */
  isNeeded?(log: OrganizationLog): boolean
  /** Whether clients polled so recently that they are likely to return for events. */
  isExpected?(log: OrganizationLog): boolean
  /** Saves the in-memory state of unused logs before they are closed. */
  leave?(logs: readonly OrganizationLog[]): Promise<void>
  /** A log was closed, because it was idle or its organization is gone. */
  closed?(log: OrganizationLog): void
  /** Saves what was handled. @returns names of consumers whose unhandled events must be kept */
  keeping?(): Promise<readonly string[]>
}
