import type { OrganizationLog } from '../log/organization-log.ts'

/** An organization whose log can move without a change. */
export interface Roomy {
  readonly log: OrganizationLog
  /** An empty event on its way. */
  room?: Promise<void> | undefined
}

/** Where hardly anything durable happens, an empty event makes room for more ids of ephemeral events. */
export async function makeRoom(organization: Roomy): Promise<void> {
  organization.room ??= organization.log
    .write(async (tx) => {
      tx.nextId()
      return Promise.resolve()
    })
    .finally(() => (organization.room = undefined))
  return organization.room
}
