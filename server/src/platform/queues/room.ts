import type { OrganizationLog } from '../log/organization-log.ts'

/** An organization whose log can advance without a change. */
export interface Roomy {
  readonly log: OrganizationLog
  /** The empty event in progress. */
  room?: Promise<void> | undefined
}

/** Appends an empty event, which provides IDs for further ephemeral events in a quiet organization. */
export async function makeRoom(organization: Roomy): Promise<void> {
  organization.room ??= organization.log
    .write(async (tx) => {
      tx.nextId()
      return Promise.resolve()
    })
    .finally(() => (organization.room = undefined))
  return organization.room
}
