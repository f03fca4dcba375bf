import { capabilities } from './capabilities.ts'
import { addAuditEntries } from './capabilities/audit-log/actions.ts'
import { isValidToken, tokensEndedBy } from './capabilities/api-tokens/queries.ts'
import { renewedApiKeysIn } from './capabilities/authentication/queries.ts'
import { parseTokenClaim } from './capabilities/api-tokens/rules.ts'
import {
  authenticateClaim,
  createBotClaim,
  parseKeyOrTokenClaim,
  refreshActor,
} from './capabilities/authentication/rules.ts'
import { subscribersOf, wasSubscribed } from './capabilities/channels/queries/index.ts'
import { hasPublicAccess } from './capabilities/channels/rules/outside-viewers.ts'
import { FEATURE_LEVEL, MAX_PICTURE_MEBIBYTES } from './capabilities/organizations/contract/index.ts'
import { isDeactivated } from './capabilities/organizations/queries/index.ts'
import { recordActivity } from './capabilities/presence/queries/activity.ts'
import { SESSION_SECONDS } from './capabilities/sessions/contract.ts'
import { isValidSession, recordSessionUse, sessionsEndedBy } from './capabilities/sessions/queries.ts'
import { parseSessionClaim } from './capabilities/sessions/rules.ts'
import { roleIfActive } from './capabilities/users/queries/index.ts'
import type { Config } from './config.ts'
import { configuredUrl, queueLimits, openConfiguredReplicas, serverFacts, subdomainOf } from './server-from-config.ts'
import { activityWriter, saveActivity, startHousekeeping } from './periodic-work.ts'
import { openIncomingMail } from './incoming-mail.ts'
import type { AnyProjection } from './kernel/projection.ts'
import { logsByHost, NamedLogs, type LogsByHost } from './named-logs.ts'
import type { Consumer } from './platform/consumers/consumer.ts'
import { Consumers } from './platform/consumers/consumers.ts'
import { consumerCursors } from './platform/consumers/cursors.ts'
import {
  clientFor,
  timeoutOptions,
  openDatabase,
  type ConnectionOptions,
  type Database,
} from './platform/db/database.ts'
import { Outage } from './platform/db/outage.ts'
import type { Replicas } from './platform/db/replicas.ts'
import { createListener, type Listener } from './platform/http/listener.ts'
import { createHttpServer } from './platform/http/server.ts'
import { startJobs } from './platform/jobs/jobs.ts'
import { attemptLimiter } from './platform/limits/attempts.ts'
import { createNodeLimits, type SharedLimits } from './platform/limits/shared.ts'
import { chooseBus } from './platform/bus/choice.ts'
import { openLogs, type Logs } from './platform/log/logs.ts'
import { openPrimary, type PrimaryIdentity } from './platform/log/primary.ts'
import type { Logger } from './platform/logger.ts'
import { PACE, type Pace } from './platform/pace.ts'
import { createPages } from './platform/pages/serve.ts'
import { createHydrator, createEncoder } from './platform/queues/encoding.ts'
import type { MembershipQueries } from './platform/queues/audience.ts'
import { openQueues, type Queues } from './platform/queues/queues.ts'
import type { ServerFacts } from './platform/server-facts.ts'
import { prepareDatabase, type DatabaseUse } from './prepare-database.ts'
import { VERSION } from './version.ts'
import { openMonitoring, startFileCheck, type MonitoringOptions } from './monitoring.ts'

const CLOSE_TIMEOUT_MILLISECONDS = 1_000

export const ALL_PROJECTIONS: readonly AnyProjection[] = [
  consumerCursors,
  ...capabilities.flatMap((capability) => capability.projections),
]

const ALL_EVENTS = capabilities.flatMap((capability) => capability.events)

function enabledConsumers({ PARLEY_SMTP_URL }: Pick<Config, 'PARLEY_SMTP_URL'>): Consumer[] {
  return capabilities
    .flatMap((capability) => capability.consumers)
    .filter(({ isForMail }) => isForMail !== true || PARLEY_SMTP_URL !== undefined)
}

export function consumerNames(config: Config): readonly string[] {
  return consumerNamesOf(enabledConsumers(config))
}

function consumerNamesOf(consumers: readonly Consumer[]): string[] {
  return consumers.map(({ name }) => name)
}

/** Parts of a server that work without listening for requests; commands use them too. */
export interface Store extends LogsByHost {
  readonly ready: Promise<void>
  /** Resolves when the database lacks events applied here; the process must then restart. */
  readonly lost: Promise<void>
  readonly database: Database
  readonly logs: Logs
  readonly queues: Queues
  readonly consumers: Consumers
  readonly outage: Outage
  readonly replicas: Replicas | undefined
  readonly shared: boolean
  readonly pace: Pace
  open(found: { readonly id: number }, stringId: string): void
  close(): Promise<void>
}

export interface Parley extends Store {
  readonly url: string
  readonly urlAt: (stringId: string) => string
  readonly facts: ServerFacts
  /** Undefined if the server receives no email. */
  readonly incomingMailPort: number | undefined
}

export interface StoreOptions {
  readonly shared: boolean
  readonly dataDirectory?: string
  readonly use?: DatabaseUse
  readonly pace?: Pace
}

const MEMBERSHIP_QUERIES: MembershipQueries = {
  roleOf: roleIfActive,
  keysRenewedBy: renewedApiKeysIn,
  loginsEndedBy: (changes) => [...sessionsEndedBy(changes), ...tokensEndedBy(changes)],
  isLogin: (organization, id) => isValidSession(organization, id) || isValidToken(organization, id),
  isDeactivated,
  isSubscribed: wasSubscribed,
  subscribersOf,
}

/** Opens a store, which is not usable until `ready` resolves. */
export function openStore(connection: ConnectionOptions, config: Config, logger: Logger, options: StoreOptions): Store {
  const wanted = enabledConsumers(config)
  const outage = new Outage(logger)
  const { primary, lost } = openPrimary({
    ...options,
    client: () => clientFor(connection, timeoutOptions(config.PARLEY_REQUEST_DEADLINE_SECONDS)),
    logger,
  })
  const database = openDatabase(connection, config.PARLEY_REQUEST_DEADLINE_SECONDS, {
    onError: outage.failed,
    async onConnect(client) {
      await primary.connected(client)
      outage.connected()
    },
    onOther: async (client) => primary.admitted(client),
    onLost(error) {
      primary.disconnected()
      outage.lost(error)
    },
  })
  const ready = prepareStore(database, primary, consumerNamesOf(wanted), logger, options)
  const report = (error: Error): void => logger.error({ err: error }, 'event not delivered')
  const encoder = createEncoder(ALL_EVENTS, config.PARLEY_DEVELOPMENT, report)
  const hydrate = createHydrator(encoder, database.reads)
  const delivery = { encoder, membership: MEMBERSHIP_QUERIES, reads: database.reads, hydrate }
  const queues = openQueues(database.kysely, delivery, queueLimits(config))
  const pace = options.pace ?? PACE
  const logs = openLogs({
    database,
    projections: ALL_PROJECTIONS,
    hydrate,
    renew: refreshActor,
    record: addAuditEntries,
    bus: chooseBus(config.BUS_URL, connection, database, !options.shared, { failed: outage.failed, logger }),
    shared: options.shared,
    idleSeconds: config.PARLEY_ORGANIZATION_IDLE_SECONDS,
    pace,
    onError: outage.failed,
    missed: async () => primary.check(),
    onLate: (organization, late) =>
      logger.warn({ organization, nodes: late }, 'revoked permissions before all nodes confirmed'),
  })
  primary.follow(logs)
  const consumers = new Consumers(wanted, {
    reads: database.reads,
    writes: database.lookups,
    logger,
    outage,
    shared: options.shared,
    useLog: (id, work) => logs.use(id, work),
    pace,
  })
  const named = new NamedLogs(database, logs)
  logs.observe([consumers, queues, named, activityWriter(database)])
  const replicas = openConfiguredReplicas(config, () => primary.place, logger)
  return {
    ready,
    lost,
    database,
    outage,
    replicas,
    logs,
    queues,
    consumers,
    shared: options.shared,
    pace,
    ...logsByHost(named, (host) => subdomainOf(host, config.PARLEY_ROOT_DOMAIN)),
    open: ({ id }, stringId) => named.open(stringId, id),
    async close() {
      // Connections that break during shutdown are not an outage.
      outage.close()
      queues.close()
      await consumers.close()
      await logs.close()
      await replicas?.close()
      await database.close()
    },
  }
}

async function prepareStore(
  { pool }: Database,
  primary: PrimaryIdentity,
  consumers: readonly string[],
  logger: Logger,
  { use = 'serve', dataDirectory }: StoreOptions,
): Promise<void> {
  const client = await pool.connect()
  try {
    await prepareDatabase(client, { use, consumers, dataDirectory, logger })
    // Read-only commands must not record a failover.
    if (use !== 'look') await primary.ready(client)
  } finally {
    client.release()
  }
}

/** Starts the server, which listens for requests when `prepared` resolves. */
export async function serve(
  store: Store,
  config: Config,
  logger: Logger,
  prepared: Promise<unknown> = store.ready,
): Promise<Parley> {
  const listener = createListener(logger)
  const url = (): string => configuredUrl(config) ?? listener.url()
  const facts = serverFacts(config, store, url, logger)
  const watching = await openMonitoring({ ...store, ...facts }, config)
  const limits = createNodeLimits(store)
  const app = httpServer(listener, store, watching, config, logger, facts, limits)
  await prepared
  await store.logs.join()
  store.consumers.begin()
  await app.listen({ host: config.HOST, port: config.PORT })
  const report = (error: unknown): void => store.outage.report(error, 'housekeeping')
  const incoming = await openIncomingMail(config, store, facts, limits, logger, report)
  const fileCheck = startFileCheck(facts.files, store.database.reads, logger, report)
  const housekeeping = startHousekeeping(store, facts.files, report)
  const jobs = startJobs(
    capabilities.flatMap((capability) => capability.jobs),
    {
      reads: store.database.reads,
      polls: store.database.polls,
      server: { ...facts, report },
      useLog: (id, work) => store.logs.use(id, work),
      pace: store.pace,
    },
  )
  return {
    ...store,
    url: url(),
    urlAt: facts.urlAt,
    facts,
    incomingMailPort: incoming?.port,
    async close() {
      // Closes immediately, because this process's memory can contain lost events.
      const closed = app.close()
      store.queues.close()
      // Ends requests that never arrive completely.
      const timer = setTimeout(() => app.server.closeAllConnections(), CLOSE_TIMEOUT_MILLISECONDS)
      facts.outside.close()
      await Promise.all([fileCheck, jobs, ...housekeeping, incoming].map(async (work) => work?.close()))
      await closed
      clearTimeout(timer)
      facts.files.close()
      await saveActivity(store).catch(report)
      await store.close()
    },
  }
}

function httpServer(
  listener: Listener,
  store: Store,
  watching: MonitoringOptions,
  config: Config,
  logger: Logger,
  facts: ServerFacts,
  limits: SharedLimits,
): Listener {
  const { addresses, showPage } = createStorePages(store, facts, config)
  return createHttpServer({
    listener,
    routes: capabilities.flatMap((capability) => capability.routes),
    facts,
    apiNames: config.PARLEY_API_NAMES,
    checkAnswers: config.PARLEY_DEVELOPMENT,
    trustProxy: config.PARLEY_TRUST_PROXY,
    isSecure: config.PARLEY_URL !== undefined && new URL(config.PARLEY_URL).protocol === 'https:',
    logger,
    deadlineSeconds: config.PARLEY_REQUEST_DEADLINE_SECONDS,
    reads: store.database.reads,
    replicas: store.replicas,
    useLogAt: store.useLogAt,
    openLogAt: store.openLogAt,
    shared: store.shared,
    isCurrent: () => store.logs.isCurrent,
    authentication: {
      parseClaim: parseKeyOrTokenClaim,
      createBotClaim,
      parseTokenClaim: (token, client) => parseTokenClaim(token, client),
      actorOf({ organization }, claim, access) {
        const actor = authenticateClaim(organization, claim, access)
        recordActivity(organization, actor.userId)
        return actor
      },
      parseSessionClaim,
      isDeactivated: ({ organization }) => isDeactivated(organization),
      admitsSpectators: ({ organization }) => hasPublicAccess(organization, facts),
      recordUse: ({ organization }, sessionId) =>
        recordSessionUse(organization, sessionId) ? SESSION_SECONDS : undefined,
    },
    limits:
      config.PARLEY_RATE_LIMITS === 'off'
        ? undefined
        : {
            user: limits.limiter('user', config.PARLEY_RATE_LIMIT_USER),
            address: limits.limiter('address', config.PARLEY_RATE_LIMIT_ADDRESS),
            own: (name, limit) => limits.limiter(name, limit),
            failedLogins: attemptLimiter(store.database.lookups, config.PARLEY_RATE_LIMIT_LOGIN),
          },
    fileLimits: {
      folder: facts.files.incoming,
      maxMebibytes: { upload: config.PARLEY_MAX_FILE_UPLOAD_MIB, picture: MAX_PICTURE_MEBIBYTES },
    },
    fileRoutes: capabilities.flatMap((capability) => capability.files),
    pageRoutes: capabilities.flatMap((capability) => capability.pages),
    gateways: capabilities.flatMap((capability) => capability.gateways),
    pages: [...addresses, ...watching.addresses],
    showPage,
    counted: watching.counted,
  })
}

function createStorePages(store: Store, facts: ServerFacts, config: Config): ReturnType<typeof createPages> {
  return createPages({
    version: VERSION,
    featureLevel: FEATURE_LEVEL,
    apiNames: config.PARLEY_API_NAMES,
    capabilities,
    queueLimits: queueLimits(config),
    countLimits: capabilities.flatMap(({ limits }) => limits),
    uploadLimits: facts.uploadLimits,
    rateLimits:
      config.PARLEY_RATE_LIMITS === 'off'
        ? undefined
        : {
            user: config.PARLEY_RATE_LIMIT_USER,
            address: config.PARLEY_RATE_LIMIT_ADDRESS,
            failedLogins: config.PARLEY_RATE_LIMIT_LOGIN,
          },
    isOrganization: store.isOrganization,
  })
}
