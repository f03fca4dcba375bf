import { findOrganization } from './capabilities/organizations/queries/index.ts'
import type { Database } from './platform/db/database.ts'
import type { OrganizationLog } from './platform/log/organization-log.ts'

/** The logs that requests ask for, by the subdomains of their organizations. */
export class NamedLogs {
  readonly #database: Pick<Database, 'kysely'>
  readonly #logOf: (organizationId: number) => Promise<OrganizationLog>
  readonly #opened = new Map<string, OrganizationLog>()
  readonly #opening = new Map<string, Promise<OrganizationLog | undefined>>()

  constructor(database: Pick<Database, 'kysely'>, logOf: (organizationId: number) => Promise<OrganizationLog>) {
    this.#database = database
    this.#logOf = logOf
  }

  /** At once where it is open. */
  of(stringId: string): OrganizationLog | Promise<OrganizationLog | undefined> {
    return this.#opened.get(stringId) ?? this.open(stringId)
  }

  /** Requests that come meanwhile wait for the same, since after a restart all clients come at once. */
  open(stringId: string, known?: number): Promise<OrganizationLog | undefined> {
    const begun = this.#opening.get(stringId) ?? this.#load(stringId, known)
    this.#opening.set(stringId, begun)
    return begun
  }

  /** Another organization may have the subdomain from here on. */
  removed(log: OrganizationLog): void {
    for (const [stringId, opened] of this.#opened) if (opened === log) this.#opened.delete(stringId)
  }

  async #load(stringId: string, known: number | undefined): Promise<OrganizationLog | undefined> {
    try {
      const id = known ?? (await findOrganization(this.#database.kysely, stringId))?.id
      if (id === undefined) return undefined
      const log = await this.#logOf(id)
      this.#opened.set(stringId, log)
      return log
    } finally {
      this.#opening.delete(stringId)
    }
  }
}
