import type { Actor } from '../kernel/actor.ts'
import type { Db, Reader } from '../kernel/transaction.ts'
import type { ReceivedFile } from './files/receive.ts'
import { ReplicaMissed, type Replicas } from './db/replicas.ts'
import type { AttemptLimiter } from './limits/attempts.ts'
import type { OrganizationLog } from './log/organization-log.ts'
import type { PollAnswer } from './queues/queue.ts'
import type { StreamOutput } from './queues/stream-output.ts'
import type { ServerFacts } from './server-facts.ts'

/** What a handler that signs a browser in or out knows of it, and puts into the answer. */
export interface SessionCookies {
  readonly userAgent: string | undefined
  /** The value of the cookie that came along, whatever it proves. */
  readonly session: string | undefined
  /**
   * Has the browser keep the cookie of a session.
   * @param value what proves the session
   * @param seconds how long the browser keeps it
   */
  giveSession(value: string, seconds: number): void
  /** Has the browser forget the cookie of its session. */
  dropSession(): void
  /** The value of the cookie of an attempt to sign in by another service. */
  readonly attempt: string | undefined
  /** Has the browser keep what proves that an attempt to sign in was begun in it. An answer has one cookie. */
  giveAttempt(value: string, seconds: number): void
}

/** What a service outside sent, as it came. */
export interface ForeignRequest {
  /** By their names in lower case. */
  readonly headers: Readonly<Record<string, string | readonly string[] | undefined>>
  readonly body: Buffer
}

/** One request, as handlers see it that do more than a transaction or a read. */
export interface Call {
  readonly log: OrganizationLog
  readonly actor: Actor
  readonly server: ServerFacts
  readonly reads: Db
  /** Undefined where there are none. */
  readonly replicas: Replicas | undefined
  readonly method: string
  /** The network address that the request comes from, as far as proxies tell it. */
  readonly address: string
  /** What came with the request, for endpoints that take a file. */
  readonly file: ReceivedFile | undefined
  /** The request as it came, for endpoints with `isWebhook`. */
  readonly foreign: ForeignRequest | undefined
  /** The response, for a handler that has it answered when its time comes and returns `ANSWERED`. */
  readonly poll: PollAnswer
  /** The response as a stream, where the endpoint has one and the client asks for it. */
  readonly stream: StreamOutput | undefined
  readonly cookies: SessionCookies
  /** Counts failed logins by user name, wrong codes and wrong passwords by user; undefined where rate limits are off. */
  readonly failedLogins: AttemptLimiter | undefined
}

/** The database and the state with which a query of this request reads. */
export function readerOf({ log, actor, reads }: Pick<Call, 'log' | 'actor' | 'reads'>): Reader {
  const { organization } = log
  return {
    organizationId: organization.id,
    actor,
    organization,
    db: reads,
    now: Math.floor(Date.now() / 1000),
    reach: (position) => log.follower.reach(position),
  }
}

/** Reads at a replica of the database, where one has come as far as the state; otherwise at the primary. */
export async function atReplicas<Result>(
  call: Pick<Call, 'log' | 'actor' | 'reads' | 'replicas'>,
  read: (reader: Reader) => Promise<Result>,
): Promise<Result> {
  const reader = readerOf(call)
  const { replicas, log } = call
  if (replicas === undefined) return read(reader)
  const { organization } = log
  const reach = async (position: number): Promise<void> => {
    if (organization.position >= position) return
    await log.follower.catchUp()
    // A commit may be at a replica before the primary shows it, or has it at all.
    if (organization.position < position) throw new ReplicaMissed('behind', 'it is ahead of the primary')
  }
  return replicas.read(
    organization,
    async (db) => read({ ...reader, db, reach }),
    async () => read(reader),
  )
}

/** A request to an endpoint that needs no login: `actor` is there where one was asked for and given. */
export interface OpenCall extends Omit<Call, 'actor' | 'log'> {
  /** The host name that the request is for. */
  readonly host: string
  /** Undefined where the host name stands for no organization. */
  readonly log: OrganizationLog | undefined
  readonly actor: Actor | undefined
}

/** A `direct` handler that wrote its answer itself returns this. */
export const ANSWERED = Symbol('answered')
export type Answered = typeof ANSWERED
