import type { OrganizationLog } from '../log/organization-log.ts'

export interface AdvanceableLog {
  readonly log: OrganizationLog
  room?: Promise<void> | undefined
}

/** Appends an empty event, which provides IDs for ephemeral events. */
export async function makeRoom(organization: AdvanceableLog): Promise<void> {
  organization.room ??= organization.log
    .write(async (tx) => {
      tx.nextId()
      return Promise.resolve()
    })
    .finally(() => (organization.room = undefined))
  return organization.room
}
