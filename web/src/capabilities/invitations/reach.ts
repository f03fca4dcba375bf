import { te } from '../../kernel/entrance-texts.ts'

type Reachability = 'machine' | 'network' | 'anywhere'

const MACHINE_HOSTS = [
  /^(.+\.)?localhost$/,
  /^127(\.\d+){3}$/,
  /^0\.0\.0\.0$/,
  /^\[::1?\]$/,
  /^\[::ffff:7f[\da-f]{2}:[\da-f]+\]$/,
]

const NETWORK_HOSTS = [
  /^10(\.\d+){3}$/,
  /^(192\.168|169\.254)(\.\d+){2}$/,
  /^172\.(1[6-9]|2\d|3[01])(\.\d+){2}$/,
  /^100\.(6[4-9]|[7-9]\d|1[01]\d|12[0-7])(\.\d+){2}$/,
  /^\[f[cd]/,
  /^\[fe[89ab]/,
  /\.(local|lan|internal|home\.arpa)$/,
  // A host name without a domain.
  /^[^.[]+$/,
]

/** Returns where an address can be opened from, judging by its host. */
export function reachabilityOf(address: string): Reachability {
  const host = hostOf(address)
  if (MACHINE_HOSTS.some((pattern) => pattern.test(host))) return 'machine'
  return NETWORK_HOSTS.some((pattern) => pattern.test(host)) ? 'network' : 'anywhere'
}

/** Removes the dot that browsers accept after a host name. */
function hostOf(address: string): string {
  return new URL(address).hostname.replace(/\.$/, '')
}

/** Returns a warning if an address works only on this computer or network. Callers must load the texts first. */
export function reachabilityWarning(address: string): string | undefined {
  const reach = reachabilityOf(address)
  return reach === 'anywhere' ? undefined : te().reach[reach](hostOf(address))
}
