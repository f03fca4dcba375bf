import { isPublicAddress, literalAddress } from '../outside/addresses.ts'

export const CERTIFICATE_CHECKS = ['verify', 'unverified'] as const
export type CertificateCheck = (typeof CERTIFICATE_CHECKS)[number]

export interface MailServerSettings {
  readonly url: string
  /** By default, certificates are verified, except for hosts for which no public authority signs certificates. */
  readonly certificate: CertificateCheck | undefined
}

/** After either timeout, sending fails and is retried later. */
const CONNECT_TIMEOUT_MILLISECONDS = 10_000
const IDLE_TIMEOUT_MILLISECONDS = 20_000

const SMTP_PORT = 587
const SMTPS_PORT = 465

/** Returns connection options that never send a password unencrypted to another machine. */
export function connectionOptions({ url: text, certificate }: MailServerSettings) {
  const url = new URL(text)
  const secure = url.protocol === 'smtps:'
  const host = url.hostname.replace(/^\[(.*)\]$/, '$1')
  const hasLogin = url.username !== ''
  return {
    host,
    port: url.port === '' ? (secure ? SMTPS_PORT : SMTP_PORT) : Number(url.port),
    secure,
    requireTLS: !secure && hasLogin && !isLoopbackHost(host),
    tls: { rejectUnauthorized: certificate === undefined ? !isPrivateHost(host) : certificate === 'verify' },
    ...(hasLogin ? { auth: { user: decodeURIComponent(url.username), pass: decodeURIComponent(url.password) } } : {}),
    connectionTimeout: CONNECT_TIMEOUT_MILLISECONDS,
    greetingTimeout: CONNECT_TIMEOUT_MILLISECONDS,
    socketTimeout: IDLE_TIMEOUT_MILLISECONDS,
  }
}

function isLoopbackHost(host: string): boolean {
  return host === 'localhost' || host === '::1' || host.startsWith('127.')
}

/** Whether no public authority signs certificates for a host. */
export function isPrivateHost(host: string): boolean {
  const name = host.toLowerCase().replace(/\.$/, '')
  if (literalAddress(name) !== undefined) return !isPublicAddress(name)
  return !name.includes('.') || /\.(?:localhost|local|internal|lan|home\.arpa)$/.test(name)
}

export function withHint(error: unknown, { url }: Pick<MailServerSettings, 'url'>): unknown {
  if (!(error instanceof Error)) return error
  const hint = hintFor(error.message, /^smtps:/i.test(url))
  if (hint !== undefined) error.message = `${error.message.trimEnd()} (${hint})`
  return error
}

function hintFor(message: string, isSecure: boolean): string | undefined {
  if (isSecure && /wrong version number|packet length too long/i.test(message))
    return 'this port starts unencrypted: use smtp: instead of smtps: in PARLEY_SMTP_URL'
  if (!isSecure && /greeting never received/i.test(message))
    return 'if this port is encrypted from the start, as 465 is, use smtps: instead of smtp: in PARLEY_SMTP_URL'
  if (/certificate|altnames/i.test(message)) return 'PARLEY_SMTP_TLS=unverified accepts any certificate'
  return undefined
}
