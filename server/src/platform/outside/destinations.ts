import { ADDRCONFIG } from 'node:dns'
import { lookup, Resolver } from 'node:dns/promises'
import { isIP } from 'node:net'
import { literalAddress, mayGoTo } from './addresses.ts'
import type { OutsideOptions } from './options.ts'
import { noDestination } from './request.ts'

export interface CheckedAddress {
  readonly address: string
  readonly family: 4 | 6
}

/** One question to a name server, and how often it is asked. */
const ANSWER_MILLISECONDS = 2_000
const TRIES = 2

/**
 * The addresses of a host, found once and all of them allowed: the connection goes to these, whatever the name means later.
 * One refused address among them refuses all, since nobody says which of them will be taken. That a name is unknown and that it
 * leads to where nothing may go is told alike.
 * @throws OutsideFailure
 */
export async function checkedAddresses(
  host: string,
  options: OutsideOptions,
  signal: AbortSignal,
): Promise<readonly CheckedAddress[]> {
  const found = await addressesOf(host, options, signal)
  const isAllowedName = options.allowed.names.has(host)
  const allowed = found.every(({ address }) => isAllowedName || mayGoTo(address, options.allowed))
  if (found.length === 0 || !allowed) throw noDestination()
  return found
}

async function addressesOf(
  host: string,
  { allowed, nameServers }: OutsideOptions,
  signal: AbortSignal,
): Promise<CheckedAddress[]> {
  const literal = literalAddress(host)
  if (literal !== undefined) return [{ address: literal, family: isIP(literal) === 4 ? 4 : 6 }]
  // A name that the operator chose may stand in the files of this machine alone.
  if (allowed.names.has(host)) return fromSystem(host)
  return fromNameServers(host, nameServers, signal)
}

async function fromSystem(host: string): Promise<CheckedAddress[]> {
  const found = await lookup(host, { all: true, hints: ADDRCONFIG }).catch(() => [])
  return found.map(({ address, family }) => ({ address, family: family === 4 ? 4 : 6 }))
}

/** Asks by itself: the system's own way occupies a thread of the pool that files need, for as long as a name server likes. */
async function fromNameServers(
  host: string,
  nameServers: readonly string[] | undefined,
  signal: AbortSignal,
): Promise<CheckedAddress[]> {
  const resolver = new Resolver({ timeout: ANSWER_MILLISECONDS, tries: TRIES })
  if (nameServers !== undefined) resolver.setServers(nameServers)
  const cancel = (): void => resolver.cancel()
  signal.addEventListener('abort', cancel)
  try {
    // A host may well have addresses of one kind only.
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
