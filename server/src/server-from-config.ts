import { join } from 'node:path'
import { capabilities } from './capabilities.ts'
import { organizationOf } from './capabilities/organizations/queries/index.ts'
import type { Config } from './config.ts'
import type { Consumers } from './platform/consumers/consumers.ts'
import type { Database } from './platform/db/database.ts'
import { openReplicas, type Replicas } from './platform/db/replicas.ts'
import { diskStore } from './platform/files/disk.ts'
import { s3Store } from './platform/files/s3/store.ts'
import type { FileStore } from './platform/files/store.ts'
import { openCheckup, type CheckupOptions } from './platform/health/checkup.ts'
import { openHealth } from './platform/health/health.ts'
import type { Logs } from './platform/log/logs.ts'
import { createLogger, type Logger } from './platform/logger.ts'
import { openMailer, type MailSettings } from './platform/mail/mailer.ts'
import { openOpenidProvider } from './platform/openid/openid.ts'
import { createOutsideClient } from './platform/outside/outside.ts'
import type { Queues } from './platform/queues/queues.ts'
import type { ServerFacts } from './platform/server-facts.ts'
import { openTokens } from './platform/tokens/tokens.ts'
import { VERSION } from './version.ts'

interface FactSources {
  readonly queues: Queues
  readonly consumers: Consumers
  readonly logs: Logs
  readonly database: Pick<Database, 'reads'>
  readonly replicas: Replicas | undefined
}

/** Returns undefined if the server's URL is its listening address. */
export function configuredUrl({ PARLEY_URL }: Pick<Config, 'PARLEY_URL'>): string | undefined {
  return PARLEY_URL?.replace(/\/$/, '')
}

/** `url` returns the server's URL, or the future listening address if the server is not listening yet. */
export function serverFacts(
  config: Config,
  { queues, consumers, logs, database, replicas }: FactSources,
  url = (): string => configuredUrl(config) ?? `http://${config.HOST}:${config.PORT}`,
  logger: Logger = createLogger('silent'),
): ServerFacts {
  const mailer = openMailer(mailSettings(config), logger)
  const health = openHealth({ reads: database.reads, logs })
  const files = fileStore(config)
  return {
    version: VERSION,
    startedAt: Math.floor(Date.now() / 1000),
    development: config.PARLEY_DEVELOPMENT,
    apiNames: config.PARLEY_API_NAMES,
    webPublicChannels: config.PARLEY_WEB_PUBLIC_CHANNELS,
    urlOf: (organization) => urlAt(organizationOf(organization).stringId, url(), config.PARLEY_ROOT_DOMAIN),
    urlAt: (stringId) => urlAt(stringId, url(), config.PARLEY_ROOT_DOMAIN),
    subdomainAt: (host) => subdomainOf(host, config.PARLEY_ROOT_DOMAIN),
    createOrganization: async (stringId, action) => logs.create(stringId, action),
    health,
    checkup: openCheckup(
      checkupOptions(config, {
        reads: database.reads,
        mailer,
        files,
        url,
        bus: () => logs.bus,
        replicas: () => replicas?.reports ?? [],
      }),
      health,
    ),
    queues,
    consumers,
    queueLimits: queueLimits(config),
    files,
    uploadLimits: {
      maxMebibytes: config.PARLEY_MAX_FILE_UPLOAD_MIB,
      quotaMebibytes: config.PARLEY_UPLOAD_QUOTA_MIB,
    },
    tokens: openTokens(config.PARLEY_DATA_DIR),
    incomingMailDomain: config.PARLEY_INCOMING_MAIL_DOMAIN,
    mailer,
    openid: openidProvider(config, logger),
    jitsiUrl: config.PARLEY_JITSI_URL,
    outside: createOutsideClient({ allowed: config.PARLEY_OUTSIDE_ALLOW, userAgent: `Parley/${VERSION}` }),
    report: (error) => logger.error({ err: error }, 'work after a response failed'),
    snapshotParts: capabilities.flatMap((capability) => capability.snapshot),
    ownRows: capabilities.flatMap(({ exportedTables }) => exportedTables.flatMap(({ ownRows }) => ownRows ?? [])),
  }
}

export type FilesConfig = Pick<
  Config,
  'PARLEY_DATA_DIR' | 'PARLEY_FILES' | 'AWS_ACCESS_KEY_ID' | 'AWS_SECRET_ACCESS_KEY'
>

export function fileStore(config: FilesConfig): FileStore {
  const { PARLEY_DATA_DIR, PARLEY_FILES: address, AWS_ACCESS_KEY_ID = '', AWS_SECRET_ACCESS_KEY = '' } = config
  const folder = diskStore(join(PARLEY_DATA_DIR, 'files'))
  if (address === undefined) return folder
  const credentials = { accessKeyId: AWS_ACCESS_KEY_ID, secretAccessKey: AWS_SECRET_ACCESS_KEY }
  return s3Store({ address, credentials, incoming: folder.incoming })
}

export function openConfiguredReplicas(
  { DATABASE_REPLICA_URLS: urls }: Pick<Config, 'DATABASE_REPLICA_URLS'>,
  place: () => string | undefined,
  logger: Logger,
): Replicas | undefined {
  if (urls === undefined) return undefined
  return openReplicas({
    urls,
    place,
    onLeftOut: ({ name, reason }) => logger.warn({ replica: name, reason }, 'replica not read'),
    onBack: (name) => logger.warn({ replica: name }, 'replica read again'),
  })
}

export function checkupOptions(
  config: Config,
  known: Pick<CheckupOptions, 'reads' | 'mailer' | 'files' | 'url' | 'bus' | 'replicas'>,
): CheckupOptions {
  return {
    ...known,
    dataDirectory: config.PARLEY_DATA_DIR,
    isEmbedded: config.DATABASE_URL === undefined,
    host: config.HOST,
    isForDevelopers: config.PARLEY_DEVELOPMENT,
  }
}

export function openidProvider(config: Config, logger: Pick<Logger, 'warn'>): ServerFacts['openid'] {
  const {
    PARLEY_OIDC_ISSUER: issuer,
    PARLEY_OIDC_CLIENT_ID: clientId,
    PARLEY_OIDC_CLIENT_SECRET: clientSecret,
  } = config
  if (issuer === undefined || clientId === undefined || clientSecret === undefined) return undefined
  const { PARLEY_OIDC_NAME: displayName, PARLEY_OIDC_TRUST_EMAIL: trustsEmail } = config
  return openOpenidProvider({ issuer, clientId, clientSecret, displayName, trustsEmail }, logger)
}

export function mailSettings(config: Config): MailSettings {
  const host = config.PARLEY_URL === undefined ? 'localhost' : new URL(config.PARLEY_URL).hostname
  const from = config.PARLEY_MAIL_FROM ?? `parley@${host}`
  return { url: config.PARLEY_SMTP_URL, certificate: config.PARLEY_SMTP_TLS, from }
}

export function queueLimits(config: Config): { idleSeconds: number; heartbeatSeconds: number } {
  return { idleSeconds: config.PARLEY_QUEUE_IDLE_SECONDS, heartbeatSeconds: config.PARLEY_HEARTBEAT_SECONDS }
}

/** Returns a host's subdomain. Without a root domain, all hosts have the empty subdomain. */
export function subdomainOf(host: string, rootDomain: string | undefined): string | undefined {
  if (rootDomain === undefined) return ''
  const name = host.replace(/:\d+$/, '').toLowerCase()
  const root = rootDomain.toLowerCase()
  if (name === root) return ''
  return name.endsWith(`.${root}`) ? name.slice(0, -root.length - 1) : undefined
}

/** Returns an organization's URL; without a root domain, the server's. */
export function urlAt(stringId: string, serverUrl: string, rootDomain: string | undefined): string {
  if (rootDomain === undefined) return serverUrl
  const url = new URL(serverUrl)
  url.hostname = stringId === '' ? rootDomain : `${stringId}.${rootDomain}`
  return url.href.replace(/\/$/, '')
}
