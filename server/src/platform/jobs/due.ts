export interface Due {
  readonly organizationId: number
  readonly id: number
  /** Owner within the organization. */
  readonly person?: number | string
  readonly host?: string
}
