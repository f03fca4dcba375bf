export interface DueJob {
  readonly organizationId: number
  readonly id: number
  readonly person?: number | string
  readonly host?: string
}
