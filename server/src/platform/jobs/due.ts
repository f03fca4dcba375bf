/** A piece of work whose time has come. */
export interface Due {
  readonly organizationId: number
  readonly id: number
  /** On whose behalf it is done, among those of the organization. */
  readonly person?: number | string
  /** Where it goes outside: host and port. */
  readonly host?: string
}
