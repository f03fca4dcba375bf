import { te } from '../../kernel/entrance-texts.ts'

type Reach = 'machine' | 'network' | 'anywhere'

const OF_MACHINE = [
  /^(.+\.)?localhost$/,
  /^127(\.\d+){3}$/,
  /^0\.0\.0\.0$/,
  /^\[::1?\]$/,
  /^\[::ffff:7f[\da-f]{2}:[\da-f]+\]$/,
]

const OF_NETWORK = [
  /^10(\.\d+){3}$/,
  /^(192\.168|169\.254)(\.\d+){2}$/,
  /^172\.(1[6-9]|2\d|3[01])(\.\d+){2}$/,
  /^100\.(6[4-9]|[7-9]\d|1[01]\d|12[0-7])(\.\d+){2}$/,
  /^\[f[cd]/,
  /^\[fe[89ab]/,
  /\.(local|lan|internal|home\.arpa)$/,
  // A name without a domain.
  /^[^.[]+$/,
]

/** From where an address can be opened, as far as its host tells. */
export function reachOf(address: string): Reach {
  const host = hostOf(address)
  if (OF_MACHINE.some((pattern) => pattern.test(host))) return 'machine'
  return OF_NETWORK.some((pattern) => pattern.test(host)) ? 'network' : 'anywhere'
}

/** Browsers accept a dot after the last label. */
function hostOf(address: string): string {
  return new URL(address).hostname.replace(/\.$/, '')
}

/** A warning if people elsewhere cannot open an address. Callers load the texts. */
export function reachWarning(address: string): string | undefined {
  const reach = reachOf(address)
  return reach === 'anywhere' ? undefined : te().reach[reach](hostOf(address))
}
