import type { NodeConnectionOptions } from '@nats-io/transport-node'

export interface BusServers {
  readonly options: Pick<NodeConnectionOptions, 'servers' | 'user' | 'pass' | 'token' | 'tls'>
  /** Server addresses for display, without credentials. */
  readonly name: string
}

const URL_PATTERN = /^(nats|tls):\/\/(?:([^@/?#]*)@)?([^@/?#,]+)\/?$/i

/** Parses the URLs of a server or cluster. `tls://` requires encryption; `nats://` uses it if the server offers it. */
export function parseBusServers(text: string): BusServers {
  const parts = text.split(',').map((part) => parseUrl(part.trim()))
  const [first] = parts
  if (first === undefined || parts.some((part) => part.login !== first.login || part.isTls !== first.isTls)) {
    throw new Error('must be URLs with the same login and the same scheme, nats: or tls:')
  }
  const names = parts.map(({ host }) => host)
  return {
    options: { servers: names, ...parseLogin(first.login), ...(first.isTls ? { tls: {} } : {}) },
    name: names.join(', '),
  }
}

interface UrlParts {
  readonly isTls: boolean
  readonly login: string | undefined
  readonly host: string
}

function parseUrl(text: string): UrlParts {
  const [, scheme = '', login, host] = URL_PATTERN.exec(text) ?? []
  // Uses `http:`, because `URL` validates hosts only for standard schemes.
  const isUrl = host !== undefined && URL.canParse(`http://${host}`) && !/%(?![\da-f]{2})/i.test(login ?? '')
  if (!isUrl) throw new Error('must be a URL like nats://user:password@bus.example.org:4222')
  return { isTls: scheme.toLowerCase() === 'tls', login, host }
}

function parseLogin(login: string | undefined): Pick<NodeConnectionOptions, 'user' | 'pass' | 'token'> {
  if (login === undefined || login === '') return {}
  const [name = '', ...password] = login.split(':')
  if (password.length === 0) return { token: decodeURIComponent(name) }
  return { user: decodeURIComponent(name), pass: decodeURIComponent(password.join(':')) }
}

export function describeRefusal({ name }: BusServers, error: unknown): string {
  const { name: kind, message } = error instanceof Error ? error : new Error(String(error))
  if (kind === 'AuthorizationError' || kind === 'UserAuthenticationExpiredError')
    return `the bus at ${name} rejects the login in BUS_URL`
  if (kind === 'PermissionViolationError')
    return `the bus at ${name} does not permit Parley to use its subjects: ${message}`
  return `the bus at ${name} is unreachable: ${message}`
}
