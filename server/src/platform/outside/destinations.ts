import { ADDRCONFIG } from 'node:dns'
import { lookup, Resolver } from 'node:dns/promises'
import { isIP } from 'node:net'
import { literalAddress, isAllowedAddress, type AllowedDestinations } from './addresses.ts'
import { noDestinationError } from './request.ts'

export interface CheckedAddress {
  readonly address: string
  readonly family: 4 | 6
}

const ANSWER_TIMEOUT_MILLISECONDS = 2_000
const TRIES_PER_NAME_SERVER = 2

/**
 * Resolves a host once and checks all addresses, so later DNS changes have no effect. Unknown names and forbidden
 * addresses cause the same error, which reveals nothing about internal names. @throws OutsideFailure
 */
export async function checkedAddresses(
  host: string,
  options: OutsideOptions,
  signal: AbortSignal,
): Promise<readonly CheckedAddress[]> {
  const found = await resolveHost(host, options, signal)
  const isAllowedName = options.allowed.names.has(host)
  const allowed = found.every(({ address }) => isAllowedName || isAllowedAddress(address, options.allowed))
  if (found.length === 0 || !allowed) throw noDestinationError()
  return found
}

async function resolveHost(
  host: string,
  { allowed, nameServers }: OutsideOptions,
  signal: AbortSignal,
): Promise<CheckedAddress[]> {
  const literal = literalAddress(host)
  if (literal !== undefined) return [{ address: literal, family: isIP(literal) === 4 ? 4 : 6 }]
  // Asks the system, because a name that the operator allowed may exist only in this machine's hosts file.
  if (allowed.names.has(host)) return resolveWithSystem(host)
  return resolveWithNameServers(host, nameServers, signal)
}

async function resolveWithSystem(host: string): Promise<CheckedAddress[]> {
  const found = await lookup(host, { all: true, hints: ADDRCONFIG }).catch(() => [])
  return found.map(({ address, family }) => ({ address, family: family === 4 ? 4 : 6 }))
}

/** Queries DNS directly: the system's resolver would block a thread of the pool that file operations need. */
async function resolveWithNameServers(
  host: string,
  nameServers: readonly string[] | undefined,
  signal: AbortSignal,
): Promise<CheckedAddress[]> {
  const resolver = new Resolver({ timeout: ANSWER_TIMEOUT_MILLISECONDS, tries: TRIES_PER_NAME_SERVER })
  if (nameServers !== undefined) resolver.setServers(nameServers)
  const cancel = (): void => resolver.cancel()
  signal.addEventListener('abort', cancel)
  try {
    // Ignores errors of each query, because hosts often have addresses of only one family.
    const [four, six] = await Promise.all([
      resolver.resolve4(host).catch(() => []),
      resolver.resolve6(host).catch(() => []),
    ])
    return [
      ...four.map((address): CheckedAddress => ({ address, family: 4 })),
      ...six.map((address): CheckedAddress => ({ address, family: 6 })),
    ]
  } finally {
    signal.removeEventListener('abort', cancel)
  }
}

export interface OutsideOptions {
  readonly allowed: AllowedDestinations
  readonly userAgent: string
  readonly nameServers?: readonly string[]
  readonly certificates?: string
}
