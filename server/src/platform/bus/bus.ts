import type { EphemeralRow } from '../log/row.ts'

export interface PublishedEvent extends EphemeralRow {
  readonly organizationId: number
}

export interface ConfirmationRequest {
  readonly asker: number
  readonly number: number
  readonly organizationId: number
  readonly position: number
}

export interface RateLimitCount {
  readonly limit: string
  readonly key: string
  readonly used: number
  /** Seconds until the rate limit's window ends. */
  readonly left: number
}

export type NodeMessage =
  | { readonly asked: ConfirmationRequest }
  | { readonly applied: Pick<ConfirmationRequest, 'asker' | 'number'> & { readonly node: number } }
  | { readonly counted: { readonly node: number; readonly counts: readonly RateLimitCount[] } }

export interface BusListener {
  committed(organizationId: number, position: number): void
  removed(organizationId: number): void
  ephemeral(published: PublishedEvent): void
  /** Receives messages, including this process's own. */
  nodeMessage(message: NodeMessage): void
  connected(): void
}

export interface BusReport {
  readonly kind: 'postgresql' | 'nats'
  readonly isConnected: boolean
  readonly sent: number
  readonly received: number
}

/** Messages between processes that share a database. A lost message causes only a delay: processes also poll. */
export interface Bus {
  committed(organizationId: number, position: number): void
  /** Resolves when the message has been sent, or sending it has failed. */
  removed(organizationId: number): Promise<void>
  ephemeral(published: PublishedEvent): void
  sendToNodes(message: NodeMessage): void
  /** Resolves when this process has subscribed, or has scheduled a retry. */
  listen(): Promise<void>
  follow(organizationId: number): Promise<void>
  unfollow(organizationId: number): void
  readonly report: BusReport
  close(): Promise<void>
}

export type OpenBus = (listener: BusListener) => Bus
