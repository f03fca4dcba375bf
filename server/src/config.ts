import { messageOf } from './kernel/phrases.ts'
import { LOG_LEVELS } from './platform/logger.ts'
import { parseBusServers } from './platform/bus/nats-servers.ts'
import { readS3Address } from './platform/files/s3/address.ts'
import { isAddress } from './platform/mail/address.ts'
import { CERTIFICATE_CHECKS } from './platform/mail/connection.ts'
import { NO_EXCEPTIONS, readAllowedDestinations } from './platform/outside/addresses.ts'

/* Does not use zod: loading it would lengthen each start by a tenth. */

/** Parses a variable's value. @throws Error with the required form */
type Parser<Value> = (text: string) => Value

/** Parses a variable that may be unset. */
type Setting<Value> = (text: string | undefined) => Value

const withDefault =
  <Value>(fallback: Value, read: Parser<Value>): Setting<Value> =>
  (text) =>
    text === undefined ? fallback : read(text)

const optional = <Value>(read: Parser<Value>): Setting<Value | undefined> =>
  withDefault<Value | undefined>(undefined, read)

const text: Parser<string> = (value) => value

const oneOf =
  <const Word extends string>(words: readonly Word[]): Parser<Word> =>
  (value) =>
    words.find((known) => known === value) ?? throwRequirement(`be ${words.slice(0, -1).join(', ')} or ${words.at(-1)}`)

/** Refuses anything but a clear yes or no, since a typo must not turn a setting off. */
const flag = withDefault(false, (value) => {
  if (/^(?:1|true|on|yes|y|enabled)$/i.test(value)) return true
  if (/^(?:0|false|off|no|n|disabled)$/i.test(value)) return false
  return throwRequirement('be 1, true, on or yes, or else 0, false, off or no')
})

const number =
  (least: number, most: number): Parser<number> =>
  (value) => {
    const parsed = value.trim() === '' ? Number.NaN : Number(value)
    if (Number.isNaN(parsed)) return throwRequirement(`be a number from ${least} to ${most}`)
    if (!Number.isInteger(parsed)) return throwRequirement(`be a whole number from ${least} to ${most}`)
    if (parsed < least) return throwRequirement(`be at least ${least}`)
    return parsed > most ? throwRequirement(`be at most ${most}`) : parsed
  }
const port = number(0, 65_535)
const count = number(1, 1_000_000_000)

/** A limit written `count/seconds`, e.g. `200/60`. */
const rate: Parser<{ count: number; seconds: number }> = (value) => {
  const [, uses, seconds] = /^(\d+)\/(\d+)$/.exec(value) ?? []
  if (uses === undefined) return throwRequirement('be written count/seconds, for example 200/60')
  return { count: Number(uses), seconds: Number(seconds) }
}

/** A URL without a path: Parley's own paths start at the root of its host name. */
const url: Parser<string> = (value) => {
  const trimmed = value.trim()
  if (!/^https?:\/\//i.test(trimmed) || !URL.canParse(trimmed))
    return throwRequirement('be a URL like https://chat.example.org')
  const { pathname, search, hash } = new URL(trimmed)
  return `${pathname}${search}${hash}` === '/'
    ? trimmed
    : throwRequirement('have no path, like https://chat.example.org')
}

/**
 * A URL to which Parley sends secrets, so HTTP without TLS is accepted only for this machine.
 * @param example a valid URL for the error message
 */
const safeUrl =
  (example: string): Parser<string> =>
  (value) => {
    const trimmed = value.trim()
    const { protocol, hostname } = URL.canParse(trimmed) ? new URL(trimmed) : { protocol: '', hostname: '' }
    const isHere = /^(?:localhost|127(?:\.\d+){3}|\[::1\])$/.test(hostname)
    const isSafe = protocol === 'https:' || (protocol === 'http:' && isHere)
    return isSafe ? trimmed : throwRequirement(`be a URL like ${example}`)
  }

const smtpUrl: Parser<string> = (value) => {
  const trimmed = value.trim()
  const form = /^smtps?:\/\/(?:[^@/?#]*@)?[^@/?#]+\/?$/i
  const isUrl = form.test(trimmed) && URL.canParse(trimmed) && !/%(?![\da-f]{2})/i.test(trimmed)
  if (isUrl) return trimmed
  return throwRequirement(
    'be a URL like smtps://user:password@mail.example.org, or smtp: where encryption starts after the greeting (port 587). ' +
      'In a user name and password, write % as %25, / as %2F, # as %23, ? as %3F, and @ as %40',
  )
}

/** Comma-separated URLs, each with one host. */
const replicaUrls: Parser<readonly string[]> = (value) => {
  const urls = value.split(',').map((one) => one.trim())
  const isUrl = (one: string): boolean =>
    /^postgres(?:ql)?:\/\/[^/?#\s]+\/[^\s]+$/.test(one) && URL.canParse(one) && new URL(one).hostname !== ''
  return urls.every(isUrl)
    ? urls
    : throwRequirement('be URLs like postgres://user:password@host:5432/database, with commas between')
}

const busUrl: Parser<string> = (value) => {
  parseBusServers(value)
  return value
}

const mailAddress: Parser<string> = (value) =>
  isAddress(value) ? value : throwRequirement('be an email address, like chat@example.org')

const hostName: Parser<string> = (value) =>
  value.length <= 253 && value.split('.').every((label) => /^[a-z\d](?:[a-z\d-]{0,61}[a-z\d])?$/i.test(label))
    ? value
    : throwRequirement('be a host name, like chat.example.org')

function throwRequirement(form: string): never {
  throw new Error(`must ${form}`)
}

/**
 * Every environment variable that Parley reads. An empty variable counts as unset. `docs/operating/settings.md` is
 * generated from these headings and comments; a test compares them.
 */
const SETTINGS = {
  /* Server */

  /** Address to listen on. */
  HOST: withDefault('127.0.0.1', text),
  /** Port to listen on. */
  PORT: withDefault(8800, port),
  /** Folder for everything durable: the embedded database, uploaded files, and the key that signs links in emails. */
  PARLEY_DATA_DIR: withDefault('data', text),
  /**
   * URL at which clients reach the server, such as `https://chat.example.org`. The default is the listening address.
   * With `https`, the session cookie is `Secure`, unless a trusted proxy reports that the request used HTTP.
   */
  PARLEY_URL: optional(url),
  /**
   * Trust `X-Forwarded-For` for client addresses, `X-Forwarded-Host` for the host name, and `X-Forwarded-Proto` for
   * whether a request used HTTPS. Turn this on only behind a proxy that sets all three headers.
   */
  PARLEY_TRUST_PROXY: flag,
  /** Least severe level to log. `info` logs each request without parameters or secrets. */
  PARLEY_LOG_LEVEL: withDefault('warn', oneOf(LOG_LEVELS)),
  /** Bearer token for `/metrics`. Without a token, the server has no metrics. */
  PARLEY_METRICS_TOKEN: optional(text),

  /* Organizations */

  /** Host name of the organization without a subdomain. Subdomains of this host name serve other organizations. */
  PARLEY_ROOT_DOMAIN: optional(hostName),
  /** Name of the first organization. The setup form in the browser suggests this name. */
  PARLEY_ORGANIZATION: optional(text),
  /** Password of the first owner. If set, the first start creates the organization instead of printing a setup link. */
  PARLEY_OWNER_PASSWORD: optional(text),
  /** Name of the first owner. Needs `PARLEY_OWNER_PASSWORD`. */
  PARLEY_OWNER_NAME: optional(text),
  /** Email address of the first owner. Needs `PARLEY_OWNER_PASSWORD`. */
  PARLEY_OWNER_EMAIL: optional(text),
  /** Field names in the API: `neutral`, or `zulip` for the names that existing clients expect. */
  PARLEY_API_NAMES: withDefault('neutral', oneOf(['neutral', 'zulip'])),
  /** Let organizations turn on web-public channels, which anyone on the web can read. */
  PARLEY_WEB_PUBLIC_CHANNELS: flag,
  /** Jitsi server for call links in organizations that have not set their own. */
  PARLEY_JITSI_URL: optional(safeUrl('https://meet.example.org')),

  /* Database and nodes */

  /**
   * External PostgreSQL (15 or newer), instead of the embedded PostgreSQL. With several hosts, Parley uses the one that
   * accepts writes: `postgres://user:password@one:5432,two:5432/parley?target_session_attrs=read-write`.
   */
  DATABASE_URL: optional(text),
  /**
   * Comma-separated URLs of replicas of `DATABASE_URL`. Replicas that have caught up answer searches and requests
   * for history.
   */
  DATABASE_REPLICA_URLS: optional(replicaUrls),
  /** Seconds that a starting server waits for an unreachable database. */
  PARLEY_DATABASE_WAIT_SECONDS: withDefault(60, number(0, 86_400)),
  /**
   * NATS server that nodes on one `DATABASE_URL` use to notify each other: `nats://user:password@bus.example.org:4222`,
   * or `tls:` to require encryption. Separate the servers of a cluster with commas. Without NATS, nodes notify each
   * other through the database.
   */
  BUS_URL: optional(busUrl),

  /* Files */

  /**
   * Bucket in S3-compatible storage for uploads, instead of the folder `files`: `s3://bucket/prefix`. Add
   * `?endpoint=https://s3.example.org` for storage outside Amazon, `&region=eu-central-1`, and `&path_style=off` if the
   * bucket is part of the host name.
   */
  PARLEY_FILES: optional(readS3Address),
  /** Access key for `PARLEY_FILES`. */
  AWS_ACCESS_KEY_ID: optional(text),
  /** Secret of `AWS_ACCESS_KEY_ID`. */
  AWS_SECRET_ACCESS_KEY: optional(text),
  /** Largest upload, in MiB. */
  PARLEY_MAX_FILE_UPLOAD_MIB: withDefault(100, number(1, 4_096)),
  /** Maximum total size of an organization's uploads, in MiB, or `unlimited`. */
  PARLEY_UPLOAD_QUOTA_MIB: withDefault<number | null>(10_240, (value) => (value === 'unlimited' ? null : count(value))),

  /* Email */

  /**
   * Mail server: `smtps://user:password@mail.example.org`, or `smtp:` to use STARTTLS if the server offers it. If
   * unset, Parley sends no email and logs the links that emails would contain.
   */
  PARLEY_SMTP_URL: optional(smtpUrl),
  /**
   * Certificate check of the mail server: `verify` or `unverified`. By default, a valid certificate is required, unless
   * the host is a loopback or private address or a local name such as `postfix`.
   */
  PARLEY_SMTP_TLS: optional(oneOf(CERTIFICATE_CHECKS)),
  /** Sender address of emails. The default is `parley@` followed by the host of `PARLEY_URL`. */
  PARLEY_MAIL_FROM: optional(mailAddress),
  /** Domain whose incoming email is posted to channels. The MX record must point to this server or to a mail relay. */
  PARLEY_INCOMING_MAIL_DOMAIN: optional(hostName),
  /** Port for receiving email by SMTP. */
  PARLEY_INCOMING_MAIL_PORT: withDefault(2525, port),

  /* Sign-in with an identity provider */

  /**
   * Issuer URL of an OpenID Connect provider. Needs `PARLEY_OIDC_CLIENT_ID` and `PARLEY_OIDC_CLIENT_SECRET`. Register
   * the redirect address `/openid` of each organization with the provider, such as `https://chat.example.org/openid`.
   */
  PARLEY_OIDC_ISSUER: optional(safeUrl('https://login.example.org')),
  /** Client ID of this server at the provider. */
  PARLEY_OIDC_CLIENT_ID: optional(text),
  /** Client secret of this server at the provider. */
  PARLEY_OIDC_CLIENT_SECRET: optional(text),
  /**
   * Trust every email address from the provider, even without `email_verified`, which Microsoft Entra ID and Authentik do
   * not report. Turn this on only if people cannot choose their own address at the provider: the address decides whose
   * account they get.
   */
  PARLEY_OIDC_TRUST_EMAIL: flag,
  /** Name of the provider on the button `Sign in with …`. */
  PARLEY_OIDC_NAME: withDefault('OpenID Connect', text),

  /* Outgoing requests */

  /**
   * Comma-separated hosts and networks outside the public internet that bot webhooks, link previews, and pushes may
   * reach, such as `hooks.internal, 10.1.0.0/16`. Anyone who can create bots can reach these hosts through the server,
   * and link previews show their page titles.
   */
  PARLEY_OUTSIDE_ALLOW: withDefault(NO_EXCEPTIONS, readAllowedDestinations),

  /* Limits */

  /** Rate limits. Use `off` only for load tests. */
  PARLEY_RATE_LIMITS: withDefault('on', oneOf(['on', 'off'])),
  /** Maximum requests per user, as `count/seconds`. */
  PARLEY_RATE_LIMIT_USER: withDefault({ count: 200, seconds: 60 }, rate),
  /** Maximum unauthenticated requests per IP address, which an office may share. A sign-in takes 3 or 4 requests. */
  PARLEY_RATE_LIMIT_ADDRESS: withDefault({ count: 200, seconds: 60 }, rate),
  /** Maximum failed sign-ins per user name and network. The limit for all networks together is 20 times as high. */
  PARLEY_RATE_LIMIT_LOGIN: withDefault({ count: 5, seconds: 1_800 }, rate),
  /** Seconds after which an unused event queue is removed. */
  PARLEY_QUEUE_IDLE_SECONDS: withDefault(600, count),
  /** Seconds after which an unused organization is removed from memory. Later requests reload it. */
  PARLEY_ORGANIZATION_IDLE_SECONDS: withDefault(900, number(0, 1_000_000_000)),
  /** Seconds after which a request that is still waiting, for example for the database, receives 503. */
  PARLEY_REQUEST_DEADLINE_SECONDS: withDefault(30, count),
  /** Seconds between heartbeats of a poll without events. Streams get heartbeats twice as often as polls. */
  PARLEY_HEARTBEAT_SECONDS: withDefault(50, count),

  /* Development */

  /** Let anyone sign in without a password, and check each response against its declaration. */
  PARLEY_DEVELOPMENT: flag,
}

export type Config = { readonly [Name in keyof typeof SETTINGS]: ReturnType<(typeof SETTINGS)[Name]> }

/** Reads and checks the environment. @throws Error with the variable and its required form */
export function readConfig(variables: Readonly<Record<string, string | undefined>>): Config {
  const read = Object.entries<Setting<unknown>>(SETTINGS).map(([name, setting]) => {
    try {
      return [name, setting(variables[name] || undefined)]
    } catch (error) {
      throw new Error(`${name}: ${messageOf(error)}`, { cause: error })
    }
  })
  // Safe: the names and parsers come from SETTINGS.
  const config = Object.freeze(Object.fromEntries(read) as Config)
  if (config.BUS_URL !== undefined && config.DATABASE_URL === undefined)
    throw new Error('BUS_URL: requires DATABASE_URL, the database that the servers share')
  if (config.DATABASE_REPLICA_URLS !== undefined && config.DATABASE_URL === undefined)
    throw new Error('DATABASE_REPLICA_URLS: requires DATABASE_URL, the primary of the replicas')
  // Other programs may use the AWS keys, so setting only these keys is not an error.
  if (config.PARLEY_FILES !== undefined)
    requireAllOrNone(config, ['PARLEY_FILES', 'AWS_ACCESS_KEY_ID', 'AWS_SECRET_ACCESS_KEY'])
  requireAllOrNone(config, ['PARLEY_OIDC_ISSUER', 'PARLEY_OIDC_CLIENT_ID', 'PARLEY_OIDC_CLIENT_SECRET'])
  return config
}

/** @throws Error with the first unset variable if only some are set */
function requireAllOrNone(config: Config, names: readonly (keyof Config)[]): void {
  const missing = names.find((name) => config[name] === undefined)
  const given = names.find((name) => config[name] !== undefined)
  if (missing !== undefined && given !== undefined) throw new Error(`${missing}: must be set where ${given} is`)
}
