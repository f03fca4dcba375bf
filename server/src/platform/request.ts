import type { Actor } from '../kernel/actor.ts'
import { turnOwner } from '../kernel/pauses.ts'
import type { ReadDb, Reader } from '../kernel/transaction.ts'
import type { ReceivedFile } from './files/receive.ts'
import { ReplicaReadError, type Replicas } from './db/replicas.ts'
import type { AttemptLimiter } from './limits/attempts.ts'
import type { OrganizationLog } from './log/organization-log.ts'
import type { PollAnswer } from './queues/queue.ts'
import type { StreamOutput } from './queues/stream.ts'
import type { ServerFacts } from './server-facts.ts'

export interface SessionCookies {
  readonly userAgent: string | undefined
  /** Session cookie, not verified. */
  readonly session: string | undefined
  giveSession(value: string, seconds: number): void
  dropSession(): void
  readonly attempt: string | undefined
  /** Binds a sign-in attempt to its browser. A response can set only one cookie. */
  giveAttempt(value: string, seconds: number): void
}

export interface ForeignRequest {
  readonly headers: Readonly<Record<string, string | readonly string[] | undefined>>
  readonly body: Buffer
}

export interface Call {
  readonly log: OrganizationLog
  readonly actor: Actor
  readonly server: ServerFacts
  readonly reads: ReadDb
  readonly replicas: Replicas | undefined
  readonly method: string
  /** Client address, provided that all proxies report it. */
  readonly address: string
  readonly file: ReceivedFile | undefined
  readonly foreign: ForeignRequest | undefined
  readonly poll: PollAnswer
  /** Set if the endpoint can stream and the client asks for a stream. */
  readonly stream: StreamOutput | undefined
  readonly cookies: SessionCookies
  readonly failedLogins: AttemptLimiter | undefined
}

export type PreparationCall = Omit<Call, 'poll' | 'stream'>

interface ReaderSources extends Pick<Call, 'log' | 'reads' | 'replicas'> {
  readonly actor: Reader['actor']
}

export function readerOf({ log, actor, reads }: Omit<ReaderSources, 'replicas'>): Reader {
  const { organization } = log
  const reader: Reader = {
    organizationId: organization.id,
    actor,
    organization,
    db: reads,
    now: Math.floor(Date.now() / 1000),
    reach: (position) => log.follower.reach(position),
    aside: (work = '') => ({ ...reader, db: reads.aside(turnOwner(organization.id, actor.userId) + work) }),
  }
  return reader
}

/** Reads from a replica that has replayed the log as far as this process, or from the primary. */
export async function readFromReplicas<Result>(
  call: ReaderSources,
  read: (reader: Reader) => Promise<Result>,
): Promise<Result> {
  const reader = readerOf(call)
  const { replicas, log } = call
  if (replicas === undefined) return read(reader)
  const { organization } = log
  const reach = async (position: number): Promise<void> => {
    if (organization.position >= position) return
    await log.follower.catchUp()
    // A replica can show a commit before the primary does, or a commit that the primary lacks.
    if (organization.position < position) throw new ReplicaReadError('behind', 'it is ahead of the primary')
  }
  return replicas.read(
    organization,
    async (db) => {
      // `aside` needs no other connection, because each request to a replica already uses a free one.
      const there: Reader = { ...reader, db, reach, aside: () => there }
      return read(there)
    },
    async () => read(reader),
  )
}

/** `actor` is set if login is optional and the request has credentials. */
export interface OpenCall extends Omit<Call, 'actor' | 'log'> {
  readonly host: string
  readonly log: OrganizationLog | undefined
  readonly actor: Actor | undefined
}

export const ANSWERED_MARK = Symbol('answered')
export type AnsweredMark = typeof ANSWERED_MARK
