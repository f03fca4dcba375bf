import type { EphemeralRow } from '../log/row.ts'

/** An ephemeral event on its way to all processes. */
export interface PublishedEvent extends EphemeralRow {
  readonly organizationId: number
}

/** Whether a node has applied the log of an organization up to a position. */
export interface Question {
  readonly asker: number
  /** Of the asker's. */
  readonly number: number
  readonly organizationId: number
  readonly position: number
}

/** How often a node has let somebody through, in the present window of a limit. */
export interface Count {
  readonly limit: string
  readonly key: string
  readonly used: number
  /** Seconds until the window ends. */
  readonly left: number
}

/** What nodes say to all other nodes. */
export type NodeMessage =
  | { readonly asked: Question }
  | { readonly applied: Pick<Question, 'asker' | 'number'> & { readonly node: number } }
  | { readonly counted: { readonly node: number; readonly counts: readonly Count[] } }

/** What a process hears of the others, and of itself where they have to hear things in one order. */
export interface Hearing {
  /** Something was committed, up to a position. */
  committed(organizationId: number, position: number): void
  removed(organizationId: number): void
  ephemeral(published: PublishedEvent): void
  /** What this process says to all nodes may come back to it. */
  nodeSaid(message: NodeMessage): void
  /** It hears from here on: what was said before may have been lost. */
  connected(): void
}

/** What is known of a bus in this process. */
export interface BusReport {
  readonly kind: 'postgresql' | 'nats'
  /** False where it should hear and does not. */
  readonly isConnected: boolean
  /** Messages since the process began. */
  readonly sent: number
  readonly received: number
}

/**
 * What the processes on one database tell each other. What is lost on the way costs time and nothing else: every process looks at
 * the database each second, and what was committed is in the log.
 */
export interface Bus {
  committed(organizationId: number, position: number): void
  /** Resolves when it is said, or cannot be. */
  removed(organizationId: number): Promise<void>
  /** Events of one organization reach each process in the order in which this one says them. */
  ephemeral(published: PublishedEvent): void
  tellNodes(message: NodeMessage): void
  /** Hears what nodes say to all others. Resolves when it does, or has to try again. */
  hear(): Promise<void>
  /** Hears of an organization. Resolves when it does, or has to try again. */
  follow(organizationId: number): Promise<void>
  unfollow(organizationId: number): void
  readonly report: BusReport
  /** Stops hearing; resolves when what was said is on its way. */
  close(): Promise<void>
}

export type OpenBus = (hearing: Hearing) => Bus
