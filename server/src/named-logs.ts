import { findOrganization } from './capabilities/organizations/queries/index.ts'
import type { Database } from './platform/db/database.ts'
import type { UseLogAt } from './platform/http/calls.ts'
import type { LogHandle } from './platform/log/idle-logs.ts'
import type { Logs } from './platform/log/logs.ts'
import type { LogObserver } from './platform/log/observer.ts'
import type { OrganizationLog } from './platform/log/organization-log.ts'

export class NamedLogs implements LogObserver {
  readonly #database: Pick<Database, 'kysely'>
  readonly #logs: Pick<Logs, 'handleOf'>
  readonly #handles = new Map<string, LogHandle>()
  readonly #names = new Map<number, string>()
  readonly #finding = new Map<string, Promise<number | undefined>>()

  constructor(database: Pick<Database, 'kysely'>, logs: Pick<Logs, 'handleOf'>) {
    this.#database = database
    this.#logs = logs
  }

  loaded(stringId: string): OrganizationLog | undefined {
    return this.#handles.get(stringId)?.log
  }

  /** Runs work on a log, synchronously if it is open. Keeps the log open until the result settles. */
  use<Result>(stringId: string, work: (log: OrganizationLog | undefined) => Result): Result | Promise<Awaited<Result>> {
    const handle = this.#handles.get(stringId)
    if (handle === undefined) return this.#useFound(stringId, work)
    handle.touch()
    return handle.use(work)
  }

  /** Starts opening a log. Requests wait until it is open. */
  open(stringId: string, organizationId: number): void {
    this.#known(stringId, organizationId).touch()
  }

  async has(stringId: string): Promise<boolean> {
    return this.#handles.has(stringId) || (await this.#find(stringId)) !== undefined
  }

  /** Forgets a closed log: by the next request, its subdomain may belong to another organization. */
  closed({ organization: { id } }: OrganizationLog): void {
    this.#forget(id)
  }

  #forget(organizationId: number): void {
    const stringId = this.#names.get(organizationId)
    if (stringId === undefined) return
    this.#names.delete(organizationId)
    this.#handles.delete(stringId)
  }

  async #useFound<Result>(
    stringId: string,
    work: (log: OrganizationLog | undefined) => Result,
  ): Promise<Awaited<Result>> {
    const id = await this.#find(stringId)
    if (id === undefined) return await work(undefined)
    const handle = this.#known(stringId, id)
    handle.touch()
    return await handle.use(work)
  }

  #known(stringId: string, organizationId: number): LogHandle {
    const handle = this.#logs.handleOf(organizationId)
    if (this.#handles.get(stringId) === handle) return handle
    this.#forget(organizationId)
    this.#handles.set(stringId, handle)
    this.#names.set(organizationId, stringId)
    handle.opening.catch(() => {
      if (this.#handles.get(stringId) === handle) this.#forget(organizationId)
    })
    return handle
  }

  /** Finds an organization. Concurrent lookups are shared: after a restart, all clients reconnect at once. */
  #find(stringId: string): Promise<number | undefined> {
    const begun =
      this.#finding.get(stringId) ??
      findOrganization(this.#database.kysely, stringId)
        .then((found) => found?.id)
        .finally(() => this.#finding.delete(stringId))
    this.#finding.set(stringId, begun)
    return begun
  }
}

export interface LogsByHost {
  readonly useLogAt: UseLogAt
  openLogAt(this: void, host: string): OrganizationLog | undefined
  isOrganization(this: void, host: string): Promise<boolean>
}

export function logsByHost(named: NamedLogs, subdomainAt: (host: string) => string | undefined): LogsByHost {
  return {
    useLogAt(host, work) {
      const stringId = subdomainAt(host)
      return stringId === undefined ? work(undefined) : named.use(stringId, work)
    },
    openLogAt(host) {
      const stringId = subdomainAt(host)
      return stringId === undefined ? undefined : named.loaded(stringId)
    },
    async isOrganization(host) {
      const stringId = subdomainAt(host)
      return stringId !== undefined && named.has(stringId)
    },
  }
}
