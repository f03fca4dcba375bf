import { messageOf } from './kernel/message-of.ts'
import { LOG_LEVELS } from './platform/logger.ts'
import { serversOf } from './platform/bus/nats-servers.ts'
import { readS3Address } from './platform/files/s3/address.ts'
import { isAddress } from './platform/mail/address.ts'
import { NOTHING_MORE, readAllowedDestinations } from './platform/outside/addresses.ts'

/*
 * Not by zod, of which each start would have to load and make all that this needs: a tenth of its time, for a few words.
 */

/** What the text of a variable says. @throws Error what it must be */
type Read<Value> = (text: string) => Value

/** A setting that may be missing: its value from the text, or without one. */
type Setting<Value> = (text: string | undefined) => Value

const or =
  <Value>(fallback: Value, read: Read<Value>): Setting<Value> =>
  (text) =>
    text === undefined ? fallback : read(text)

const optional = <Value>(read: Read<Value>): Setting<Value | undefined> => or<Value | undefined>(undefined, read)

const text: Read<string> = (value) => value

/** One of some words. */
const word =
  <const Word extends string>(words: readonly Word[]): Read<Word> =>
  (value) =>
    words.find((known) => known === value) ?? must(`be ${words.slice(0, -1).join(', ')} or ${words.at(-1)}`)

/** A switch, in any case. What is neither is refused: it was meant to be one of them. */
const flag = or(false, (value) => {
  if (/^(?:1|true|on|yes|y|enabled)$/i.test(value)) return true
  if (/^(?:0|false|off|no|n|disabled)$/i.test(value)) return false
  return must('be 1, true, on or yes, or else 0, false, off or no')
})

const number =
  (least: number, most: number): Read<number> =>
  (value) => {
    const given = value.trim() === '' ? Number.NaN : Number(value)
    if (Number.isNaN(given)) return must(`be a number from ${least} to ${most}`)
    if (!Number.isInteger(given)) return must(`be a whole number from ${least} to ${most}`)
    if (given < least) return must(`be at least ${least}`)
    return given > most ? must(`be at most ${most}`) : given
  }
const port = number(0, 65_535)
const count = number(1, 1_000_000_000)

/** A limit written `count/seconds`, e.g. `200/60`. */
const rate: Read<{ count: number; seconds: number }> = (value) => {
  const [, uses, seconds] = /^(\d+)\/(\d+)$/.exec(value) ?? []
  if (uses === undefined) return must('be written count/seconds, for example 200/60')
  return { count: Number(uses), seconds: Number(seconds) }
}

/** Parley has all of a host name: its addresses begin at the root. */
const url: Read<string> = (value) => {
  const given = value.trim()
  if (!/^https?:\/\//i.test(given) || !URL.canParse(given)) return must('be a URL like https://chat.example.org')
  const { pathname, search, hash } = new URL(given)
  return `${pathname}${search}${hash}` === '/' ? given : must('have no path, like https://chat.example.org')
}

/**
 * Where what is said is secret, as to an identity provider or in a call: unencrypted it goes to this very machine alone.
 * @param example stands in what is said of another
 */
const safeUrl =
  (example: string): Read<string> =>
  (value) => {
    const given = value.trim()
    const { protocol, hostname } = URL.canParse(given) ? new URL(given) : { protocol: '', hostname: '' }
    const isHere = /^(?:localhost|127(?:\.\d+){3}|\[::1\])$/.test(hostname)
    const isSafe = protocol === 'https:' || (protocol === 'http:' && isHere)
    return isSafe ? given : must(`be a URL like ${example}`)
  }

const smtpUrl: Read<string> = (value) => {
  const given = value.trim()
  const form = /^smtps?:\/\/(?:[^@/?#]*@)?[^@/?#]+\/?$/i
  const isUrl = form.test(given) && URL.canParse(given) && !/%(?![\da-f]{2})/i.test(given)
  return isUrl ? given : must('be a URL like smtps://user:password@mail.example.org')
}

/** Replicas of the database, of which each has an address of its own. */
const replicaUrls: Read<readonly string[]> = (value) => {
  const given = value.split(',').map((one) => one.trim())
  const isUrl = (one: string): boolean =>
    /^postgres(?:ql)?:\/\/[^/?#\s]+\/[^\s]+$/.test(one) && URL.canParse(one) && new URL(one).hostname !== ''
  return given.every(isUrl)
    ? given
    : must('be URLs like postgres://user:password@host:5432/database, with commas between')
}

const busUrl: Read<string> = (value) => {
  serversOf(value)
  return value
}

const mailAddress: Read<string> = (value) =>
  isAddress(value) ? value : must('be an e-mail address, like chat@example.org')

const hostName: Read<string> = (value) =>
  value.length <= 253 && value.split('.').every((label) => /^[a-z\d](?:[a-z\d-]{0,61}[a-z\d])?$/i.test(label))
    ? value
    : must('be a host name, like chat.example.org')

function must(what: string): never {
  throw new Error(`must ${what}`)
}

/** Every environment variable that Parley reads. An empty one counts as not set. */
const SETTINGS = {
  /** Address to listen on. */
  HOST: or('127.0.0.1', text),
  PORT: or(8800, port),
  /** Where the embedded database and everything else durable lives. */
  PARLEY_DATA_DIR: or('data', text),
  /**
   * A bucket of S3-compatible storage for what people upload, in place of the folder `files` there: `s3://bucket/prefix`, with `?endpoint=https://s3.example.org`
   * where it is not Amazon's, `&region=eu-central-1`, and `&path_style=off` where the bucket is part of the host name there.
   */
  PARLEY_FILES: optional(readS3Address),
  /** What Parley signs its requests to that storage with: an access key, and its secret. */
  AWS_ACCESS_KEY_ID: optional(text),
  AWS_SECRET_ACCESS_KEY: optional(text),
  /**
   * An external PostgreSQL (15 or newer) instead of the embedded one. Of several hosts with commas between, the one is used that takes
   * writes: `postgres://user:password@one:5432,two:5432/parley?target_session_attrs=read-write`.
   */
  DATABASE_URL: optional(text),
  /**
   * Replicas of that database, with commas between: history and searches are read there, by whichever has come far enough. Each is the
   * URL of one server, with the same database.
   */
  DATABASE_REPLICA_URLS: optional(replicaUrls),
  /**
   * A NATS server by which several servers on one `DATABASE_URL` tell each other what they do: `nats://user:password@bus.example.org:4222`,
   * `tls:` for one that must be encrypted, several with commas between for a cluster. Without it they do so through the database.
   */
  BUS_URL: optional(busUrl),
  /** A server that starts while this database is not there yet waits for it so long. */
  PARLEY_DATABASE_WAIT_SECONDS: or(60, number(0, 86_400)),
  /** The largest file that people may upload. */
  PARLEY_MAX_FILE_UPLOAD_MIB: or(100, number(1, 4_096)),
  /** How much all uploaded files of an organization may take; `unlimited` for as much as there is room for. */
  PARLEY_UPLOAD_QUOTA_MIB: or<number | null>(10_240, (value) => (value === 'unlimited' ? null : count(value))),
  /**
   * How clients reach the server, when that is not the address it listens on: `https://chat.example.org`. With `https`,
   * browsers are given cookies for encrypted connections alone, unless a trusted proxy says otherwise of a request.
   */
  PARLEY_URL: optional(url),
  /** Serves an organization at each subdomain of this name, and the one without a subdomain at the name itself. */
  PARLEY_ROOT_DOMAIN: optional(hostName),
  /** The words of the API that differ: `neutral`, or `zulip` for the names that existing clients expect. */
  PARLEY_API_NAMES: or('neutral', word(['neutral', 'zulip'])),
  /** Lets organizations open channels to the whole internet, once they switch that on themselves. */
  PARLEY_WEB_PUBLIC_CHANNELS: flag,
  /** Logs in without passwords and checks every answer against its declaration. Never where people can reach it. */
  PARLEY_DEVELOPMENT: flag,
  /**
   * Take client addresses from `X-Forwarded-For`, the host name from `X-Forwarded-Host`, and whether clients come encrypted
   * from `X-Forwarded-Proto`. Only behind a proxy that sets them.
   */
  PARLEY_TRUST_PROXY: flag,
  PARLEY_LOG_LEVEL: or('warn', word(LOG_LEVELS)),
  /** `off` for load tests. */
  PARLEY_RATE_LIMITS: or('on', word(['on', 'off'])),
  /** Requests of a user. */
  PARLEY_RATE_LIMIT_USER: or({ count: 200, seconds: 60 }, rate),
  /** Requests without a login, from one address: to come in takes three or four, and everybody in an office may have the same one. */
  PARLEY_RATE_LIMIT_ADDRESS: or({ count: 200, seconds: 60 }, rate),
  /** Failed logins with one user name. */
  PARLEY_RATE_LIMIT_LOGIN: or({ count: 5, seconds: 1_800 }, rate),
  /** An event queue that was not used for this long is removed. */
  PARLEY_QUEUE_IDLE_SECONDS: or(600, count),
  /** An organization that has not been used for this long leaves memory; the next request for it waits while it is read. */
  PARLEY_ORGANIZATION_IDLE_SECONDS: or(900, number(0, 1_000_000_000)),
  /** A request that has waited this long, as for a database that does not answer, is answered 503. */
  PARLEY_REQUEST_DEADLINE_SECONDS: or(30, count),
  /** A poll without events is answered with a heartbeat after about this long; a stream has one twice as often. */
  PARLEY_HEARTBEAT_SECONDS: or(50, count),
  /**
   * Hosts and networks that requests to addresses which people typed (payload URLs of bots, links, push services) may go to although they
   * are not on the internet: `hooks.internal, 10.1.0.0/16`. Whoever may make bots then reaches them through the server, and whoever writes a
   * message that links them sees what their pages say of themselves, where the organization shows that.
   */
  PARLEY_OUTSIDE_ALLOW: or(NOTHING_MORE, readAllowedDestinations),
  /** The bearer token with which a client may read `/metrics`; without it, the server has no metrics. */
  PARLEY_METRICS_TOKEN: optional(text),
  /**
   * The mail server: `smtps://user:password@mail.example.org`, or `smtp:` for one that is encrypted after its greeting, if it
   * can be. Without it no e-mail is sent, and the links of those that would be are in the log.
   */
  PARLEY_SMTP_URL: optional(smtpUrl),
  /** The address that e-mails come from; otherwise `parley` at the host of `PARLEY_URL`. */
  PARLEY_MAIL_FROM: optional(mailAddress),
  /**
   * An identity provider with which people sign in, by OpenID Connect: its issuer, and what it calls this server. All three have
   * to be set. The provider must know the redirect address `/openid` of each organization, like `https://chat.example.org/openid`.
   */
  PARLEY_OIDC_ISSUER: optional(safeUrl('https://login.example.org')),
  PARLEY_OIDC_CLIENT_ID: optional(text),
  PARLEY_OIDC_CLIENT_SECRET: optional(text),
  /** What people know the provider by: `Sign in with …`. */
  PARLEY_OIDC_NAME: or('OpenID Connect', text),
  /**
   * Takes e-mails to addresses of this domain into channels. Its mail exchanger (MX) has to be this server, or one that sends on to
   * it. Without it, the server listens for none.
   */
  PARLEY_INCOMING_MAIL_DOMAIN: optional(hostName),
  /** Where it listens for them, by SMTP. */
  PARLEY_INCOMING_MAIL_PORT: or(2525, port),
  /** The Jitsi server of organizations that name none of their own: in the web client people put links of calls into messages then. */
  PARLEY_JITSI_URL: optional(safeUrl('https://meet.example.org')),
  /** What the first organization is called; where its owner sets it up in a browser, the name is suggested there. */
  PARLEY_ORGANIZATION: optional(text),
  /**
   * The owner of the first organization, which is made at once with these. Without a password, starts print a link instead, with
   * which the owner sets the organization up in a browser.
   */
  PARLEY_OWNER_PASSWORD: optional(text),
  PARLEY_OWNER_NAME: optional(text),
  PARLEY_OWNER_EMAIL: optional(text),
}

export type Config = { readonly [Name in keyof typeof SETTINGS]: ReturnType<(typeof SETTINGS)[Name]> }

/** Reads and checks the environment. @throws Error that names the variable and what is wrong with it */
export function readConfig(variables: Readonly<Record<string, string | undefined>>): Config {
  const read = Object.entries<Setting<unknown>>(SETTINGS).map(([name, setting]) => {
    try {
      return [name, setting(variables[name] || undefined)]
    } catch (error) {
      throw new Error(`${name}: ${messageOf(error)}`, { cause: error })
    }
  })
  // By the settings' own names and readers.
  const config = Object.freeze(Object.fromEntries(read) as Config)
  if (config.BUS_URL !== undefined && config.DATABASE_URL === undefined)
    throw new Error('BUS_URL: is for several servers on one database, which DATABASE_URL has to name')
  if (config.DATABASE_REPLICA_URLS !== undefined && config.DATABASE_URL === undefined)
    throw new Error('DATABASE_REPLICA_URLS: are replicas of the database that DATABASE_URL has to name')
  // Others may have set them for other programs.
  if (config.PARLEY_FILES !== undefined)
    requireAllOrNone(config, ['PARLEY_FILES', 'AWS_ACCESS_KEY_ID', 'AWS_SECRET_ACCESS_KEY'])
  requireAllOrNone(config, ['PARLEY_OIDC_ISSUER', 'PARLEY_OIDC_CLIENT_ID', 'PARLEY_OIDC_CLIENT_SECRET'])
  return config
}

/** @throws Error that names what is missing of settings that do nothing without each other */
function requireAllOrNone(config: Config, names: readonly (keyof Config)[]): void {
  const missing = names.find((name) => config[name] === undefined)
  const given = names.find((name) => config[name] !== undefined)
  if (missing !== undefined && given !== undefined) throw new Error(`${missing}: must be set where ${given} is`)
}
