import { BlockList, isIP } from 'node:net'

/* Ranges of the IANA registries of special-purpose addresses. */

const SPECIAL_IPV4: readonly string[] = [
  '0.0.0.0/8', // this network
  '10.0.0.0/8', // private
  '100.64.0.0/10', // shared address space of providers (CGNAT)
  '127.0.0.0/8', // this host
  '169.254.0.0/16', // link-local; clouds serve machine credentials here
  '172.16.0.0/12', // private
  '192.0.0.0/24', // protocol assignments
  '192.0.2.0/24', // documentation
  '192.31.196.0/24', // AS112
  '192.52.193.0/24', // AMT
  '192.88.99.0/24', // 6to4 relays
  '192.168.0.0/16', // private
  '192.175.48.0/24', // AS112
  '198.18.0.0/15', // benchmarks
  '198.51.100.0/24', // documentation
  '203.0.113.0/24', // documentation
  '224.0.0.0/4', // multicast
  '240.0.0.0/4', // reserved, and broadcast
]

/** IPv4-mapped addresses, such as `::ffff:127.0.0.1`, are not in this network. */
const GLOBAL_IPV6 = '2000::/3'

const SPECIAL_IPV6: readonly string[] = [
  '2001::/23', // protocol assignments: Teredo, benchmarks, ORCHID
  '2001:db8::/32', // documentation
  '2002::/16', // 6to4, which embeds an IPv4 address
  '2620:4f:8000::/48', // AS112
  '3fff::/20', // documentation
]

// Built on first use, because this takes 7 ms.
const specialIpv4 = lazyBlockList(SPECIAL_IPV4)
const specialIpv6 = lazyBlockList(SPECIAL_IPV6)
const globalIpv6 = lazyBlockList([GLOBAL_IPV6])

/** Whether an address, as a resolver or a parsed URL writes it, is public. */
export function isPublicAddress(address: string): boolean {
  switch (isIP(address)) {
    case 4:
      return !specialIpv4().check(address, 'ipv4')
    case 6:
      // Rejects addresses with a zone, which are link-local and cannot be in the lists.
      return !address.includes('%') && globalIpv6().check(address, 'ipv6') && !specialIpv6().check(address, 'ipv6')
    default:
      return false
  }
}

export interface AllowedDestinations {
  readonly names: ReadonlySet<string>
  readonly networks: BlockList
}

export const NO_EXCEPTIONS: AllowedDestinations = { names: new Set(), networks: new BlockList() }

export function isAllowedAddress(address: string, allowed: AllowedDestinations): boolean {
  return isPublicAddress(address) || isAddressInList(allowed.networks, address)
}

/** Returns an IP address without IPv6 brackets; undefined for a name. */
export function literalAddress(host: string): string | undefined {
  const literal = host.replace(/^\[(.*)\]$/, '$1')
  return isIP(literal) === 0 ? undefined : literal
}

/** Whether a host can be allowed, judging only by its spelling; names are resolved when a request is sent. */
export function isPossibleHost(host: string, allowed: AllowedDestinations): boolean {
  if (allowed.names.has(host)) return true
  const literal = literalAddress(host)
  if (literal !== undefined) return isAllowedAddress(literal, allowed)
  // These names always mean this machine, with or without a trailing dot.
  return !/(?:^|\.)localhost\.?$/.test(host)
}

function isAddressInList(list: BlockList, address: string): boolean {
  const version = isIP(address)
  return version !== 0 && !address.includes('%') && list.check(address, version === 4 ? 'ipv4' : 'ipv6')
}

const HOST_NAME_PATTERN = /^(?:[a-z\d](?:[a-z\d-]{0,61}[a-z\d])?\.)*[a-z](?:[a-z\d-]{0,61}[a-z\d])?$/i

/** Parses `hooks.internal, 10.1.0.0/16, fd00::/8, 192.0.2.7`. @throws Error with the required form */
export function readAllowedDestinations(text: string): AllowedDestinations {
  const names = new Set<string>()
  const list = new BlockList()
  for (const word of text.split(',').map((part) => part.trim())) {
    if (word === '') continue
    if (HOST_NAME_PATTERN.test(word)) names.add(word.toLowerCase())
    else if (!addNetwork(list, word))
      throw new Error('must be host names and networks, for example hooks.internal, 10.1.0.0/16')
  }
  return { names, networks: list }
}

function lazyBlockList(texts: readonly string[]): () => BlockList {
  let made: BlockList | undefined
  return () => {
    if (made !== undefined) return made
    const list = new BlockList()
    for (const text of texts) if (!addNetwork(list, text)) throw new Error(`${text} is not a network`)
    made = list
    return list
  }
}

function addNetwork(list: BlockList, text: string): boolean {
  const [, address = '', bits] = /^([\d.:a-f]+)(?:\/(\d{1,3}))?$/i.exec(text) ?? []
  const version = isIP(address)
  const most = version === 4 ? 32 : 128
  if (version === 0 || Number(bits ?? most) > most) return false
  list.addSubnet(address, Number(bits ?? most), version === 4 ? 'ipv4' : 'ipv6')
  return true
}
