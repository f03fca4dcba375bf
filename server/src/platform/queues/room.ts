import type { OrganizationLog } from '../log/organization-log.ts'

/** An organization whose log can advance without a change. */
export interface Roomy {
  readonly log: OrganizationLog
  /** The pending empty event. */
  room?: Promise<void> | undefined
}

/** In a quiet organization, an empty event provides more IDs for ephemeral events. */
export async function makeRoom(organization: Roomy): Promise<void> {
  organization.room ??= organization.log
    .write(async (tx) => {
      tx.nextId()
      return Promise.resolve()
    })
    .finally(() => (organization.room = undefined))
  return organization.room
}
