import type { OrganizationLog } from './organization-log.ts'
import type { LogRow } from './row.ts'

/** Component that follows all logs of this process. Observers are called in the order of their list. */
export interface LogObserver {
  opened?(log: OrganizationLog): void
  applied?(log: OrganizationLog, row: LogRow): void
  ephemeral?(log: OrganizationLog, row: LogRow): void
  written?(log: OrganizationLog): void
  /** Whether something, such as a waiting client, keeps a log open. */
  isNeeded?(log: OrganizationLog): boolean
  /** Whether clients are likely to return for events. */
  isExpected?(log: OrganizationLog): boolean
  /** Saves the in-memory state of unused logs before they are closed. */
  saveState?(logs: readonly OrganizationLog[]): Promise<void>
  closed?(log: OrganizationLog): void
  /** Saves progress. Returns the names of consumers whose unhandled events must be kept. */
  saveProgress?(): Promise<readonly string[]>
}
