/** Job that is due. */
export interface Due {
  readonly organizationId: number
  readonly id: number
  /** Person or other owner, within the organization, on whose behalf the job runs. */
  readonly person?: number | string
  /** Host and port of external requests. */
  readonly host?: string
}
