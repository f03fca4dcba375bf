/* What a server offers to those who handle its requests, and the parts of the register response, which are made of it. */
import type { Actor } from '../kernel/actor.ts'
import type { OrganizationState } from '../kernel/projection.ts'
import type { Db, SnapshotDb, Tx } from '../kernel/transaction.ts'
import type { Viewer } from '../kernel/viewer.ts'
import type { ComposedResponse, JsonPieces } from './answers/composed.ts'
import type { Consumers } from './consumers/consumers.ts'
import type { FileStore } from './files/store.ts'
import type { Checkup } from './health/checkup.ts'
import type { Health } from './health/health.ts'
import type { ApiNames } from './http/names.ts'
import type { Mailer } from './mail/mailer.ts'
import type { OpenidProvider } from './openid/openid.ts'
import type { Outside } from './outside/outside.ts'
import type { QueueLimits } from './queues/queue.ts'
import type { Queues } from './queues/queues.ts'
import type { Tokens } from './tokens/tokens.ts'

/** A part of the register response: present when all `eventTypes` are asked for. */
export interface SnapshotPart {
  readonly eventTypes: readonly string[]
  /** Reads, before the snapshot, what is looked at beside the projections. */
  readonly prepare?: (db: Db, viewer: Viewer) => Promise<void>
  /** Looks at the projections; runs at the snapshot's position and must not wait. */
  readonly observe?: (viewer: Viewer, context: SnapshotContext) => Record<string, unknown>
  /** Fields, at least one, that are large and the same for many; as `observe` otherwise. */
  readonly share?: (viewer: Viewer, server: ServerFacts) => SharedFields
  /** Reads the database at the same position. */
  readonly read?: (
    db: SnapshotDb,
    viewer: Viewer,
    context: SnapshotContext,
  ) => Promise<Record<string, unknown> | ComposedResponse>
  /** What a spectator sees instead; without it, a spectator sees nothing. */
  readonly spectatorFields?: (spectator: Spectator, server: ServerFacts) => Record<string, unknown>
}

/** What a part of the register response shows to more than one viewer. */
export interface SharedFields {
  /** Viewers with the same key get the same: all that `make` depends on beside the projections. Undefined for one viewer alone. */
  readonly key: string | undefined
  /** Looks at the projections of this state only; its result, which may be JSON text already, is kept until one of them changes. */
  readonly make: (organization: OrganizationState) => Record<string, unknown> | JsonPieces
}

/** A client without an account, which sees what is open to the public. */
export type Spectator = Omit<Viewer, 'userId'>

export interface SnapshotContext {
  readonly server: ServerFacts
  readonly actor: Actor
  readonly now: number
  /** The event types asked for; null for all. */
  readonly eventTypes: readonly string[] | null
  /** Days that what is said of people's presence goes back. */
  readonly presenceHistoryDays: number
}

/** What handlers may know of the server they run in. */
export interface ServerFacts {
  readonly version: string
  /** When the process began to serve. */
  readonly startedAt: number
  readonly development: boolean
  /** The words that clients are told. */
  readonly apiNames: ApiNames
  /** Whether organizations may open channels to the public. */
  readonly webPublicChannels: boolean
  /** The canonical URL of the organization, without a slash at its end. */
  readonly urlOf: (organization: OrganizationState) => string
  /** The URL of the organization at a subdomain, whether or not it is there, without a slash at its end. */
  readonly urlAt: (stringId: string) => string
  /** The subdomain that a host name stands for, empty for that without one; undefined where it stands for none. */
  readonly subdomainAt: (host: string) => string | undefined
  /** Makes the organization at a subdomain: all that the action does is applied at once. */
  createOrganization<Result>(this: void, stringId: string, action: (tx: Tx) => Promise<Result>): Promise<Result>
  /** Whether this process can do its work. */
  readonly health: Health
  /** What is not as it should be. */
  readonly checkup: Checkup
  readonly queues: Queues
  /** Those who wait for what has to happen after an event ask here. */
  readonly consumers: Consumers
  readonly queueLimits: QueueLimits
  /** Where the bytes of uploaded files are. */
  readonly files: FileStore
  /** The largest file that people may upload, and how much an organization may keep; null for no limit. */
  readonly uploadLimits: { readonly maxMebibytes: number; readonly quotaMebibytes: number | null }
  /** Tokens of links that are sent by e-mail, or shown again. */
  readonly tokens: Tokens
  readonly mailer: Mailer
  /** The identity provider with which people sign in; undefined where none is configured. */
  readonly openid: OpenidProvider | undefined
  /** The Jitsi server of organizations that name none of their own; undefined where there is none. */
  readonly jitsiUrl: string | undefined
  /** The domain of the addresses by which e-mails come into channels; undefined where none are taken. */
  readonly incomingMailDomain: string | undefined
  /** Sends requests to addresses that people typed; there is no other way to one. */
  readonly outside: Outside
  /** Logs what went wrong beside an answer that is right all the same. */
  readonly report: (error: unknown) => void
  /** Everything that capabilities put into the register response. */
  readonly snapshotParts: readonly SnapshotPart[]
}
