import type { EphemeralRow } from '../log/row.ts'

/** An ephemeral event sent to all processes. */
export interface PublishedEvent extends EphemeralRow {
  readonly organizationId: number
}

export interface Question {
  readonly asker: number
  /** Number assigned by the asking node. */
  readonly number: number
  readonly organizationId: number
  readonly position: number
}

/** A node's use of a rate limit in the current window. */
export interface Count {
  readonly limit: string
  readonly key: string
  readonly used: number
  /** Seconds until the window ends. */
  readonly left: number
}

export type NodeMessage =
  | { readonly asked: Question }
  | { readonly applied: Pick<Question, 'asker' | 'number'> & { readonly node: number } }
  | { readonly counted: { readonly node: number; readonly counts: readonly Count[] } }

export interface Hearing {
  /** An organization's log was committed up to a position. */
  committed(organizationId: number, position: number): void
  removed(organizationId: number): void
  ephemeral(published: PublishedEvent): void
  /** Can be one of this process's own messages. */
  nodeSaid(message: NodeMessage): void
  /** Called on each connection: earlier messages may have been lost. */
  connected(): void
}

export interface BusReport {
  readonly kind: 'postgresql' | 'nats'
  /** Whether it receives messages, if it should. */
  readonly isConnected: boolean
  /** Messages since the process started. */
  readonly sent: number
  readonly received: number
}

/**
 * Messages between processes that share a database. Losing one only costs time: every process polls the database each
 * second, and commits are in the log.
 */
export interface Bus {
  committed(organizationId: number, position: number): void
  /** Resolves when the message is sent or cannot be. */
  removed(organizationId: number): Promise<void>
  /** Each process receives an organization's events from this process in order. */
  ephemeral(published: PublishedEvent): void
  tellNodes(message: NodeMessage): void
  /** Subscribes to messages for all nodes. Resolves when subscribed, or when a retry is scheduled. */
  hear(): Promise<void>
  follow(organizationId: number): Promise<void>
  unfollow(organizationId: number): void
  readonly report: BusReport
  /** Unsubscribes; resolves when everything is sent. */
  close(): Promise<void>
}

export type OpenBus = (hearing: Hearing) => Bus
