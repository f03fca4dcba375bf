import { createHash } from 'node:crypto'
import { readdir, readFile } from 'node:fs/promises'
import { createRequire } from 'node:module'
import { dirname, extname, join } from 'node:path'
import { Refusal } from '../../kernel/refusal.ts'
import type { Exchange } from '../http/exchange.ts'
import type { Headers } from '../http/headers.ts'
import type { Address } from '../http/routing.ts'

/** What the client's own addresses begin with; the client says what is behind them. */
export const CLIENT_PATHS = [
  '/',
  '/login',
  '/join',
  '/setup',
  '/password',
  '/email',
  '/openid',
  '/unsubscribe',
  '/second-factor',
  '/second-factor/setup',
  '/second-factor/passkey',
  '/inbox',
  '/triage',
  '/reminders',
  '/recent',
  '/feed',
  '/mentions',
  '/starred',
  '/reactions',
  '/search',
  '/writing',
  '/channels',
  '/settings',
  '/settings/*',
  '/c/*',
  '/dm/*',
] as const

/**
 * Scripts, styles and pictures of this server alone. Mathematics in messages has style attributes. HTML enters the
 * page through the one policy of the client, `parley`, and no other way.
 */
const POLICY = [
  "default-src 'none'",
  "style-src 'self'",
  "style-src-attr 'unsafe-inline'",
  "img-src 'self' data: blob:",
  "media-src 'self' blob:",
  "font-src 'self'",
  "connect-src 'self'",
  "worker-src 'self'",
  "manifest-src 'self'",
  "form-action 'self'",
  "base-uri 'none'",
  "frame-ancestors 'none'",
  "require-trusted-types-for 'script'",
  'trusted-types parley',
].join('; ')

/** The one script that stands in the page itself. */
const INLINE = /<script>(.*?)<\/script>/su

/** @param page the page that the build wrote */
function shellHeaders(page: string): Headers {
  const [, script = ''] = INLINE.exec(page) ?? []
  const digest = createHash('sha256').update(script).digest('base64')
  return {
    'content-type': 'text/html; charset=utf-8',
    'content-security-policy': `script-src 'self' 'sha256-${digest}'; ${POLICY}`,
    'cache-control': 'no-cache',
  }
}

/**
 * A name has a digest of what it stands for, so that a copy is always good. One of the scripts is run as a worker, which has
 * a policy of its own: more scripts, and data, of this server alone.
 */
const ASSET: Headers = {
  'cache-control': 'public, max-age=31536000, immutable',
  'content-security-policy': "default-src 'none'; script-src 'self'; connect-src 'self'; frame-ancestors 'none'",
  vary: 'accept-encoding',
}

/** It names the files of the newest build, and asks this server alone. */
const SERVICE_WORKER: Headers = {
  'cache-control': 'no-cache',
  'content-security-policy': "default-src 'none'; connect-src 'self'",
  vary: 'accept-encoding',
}

const TYPES: Readonly<Record<string, string>> = {
  '.js': 'text/javascript; charset=utf-8',
  '.css': 'text/css; charset=utf-8',
  '.json': 'application/json; charset=utf-8',
  '.webmanifest': 'application/manifest+json; charset=utf-8',
  '.woff2': 'font/woff2',
  '.svg': 'image/svg+xml; charset=utf-8',
  '.png': 'image/png',
}

/** The forms in which files lie beside each other, the smallest first. */
const ENCODINGS = [
  ['br', '.br'],
  ['gzip', '.gz'],
] as const

/** Where somebody makes the organization that is not there yet. */
const SETUP_PATH = '/setup'

const load = createRequire(import.meta.url)

/** Where the build puts the client. */
function builtFolder(): string {
  return join(dirname(load.resolve('#server/package.json')), '../dist/web')
}

/**
 * The web client: one page at all its addresses, and its files.
 * @param isOrganization whether there is an organization at a host name
 * @param otherwise answers where there is none
 */
export function webClient(
  isOrganization: (host: string) => Promise<boolean>,
  otherwise: (exchange: Exchange) => void,
): Address[] {
  const shell = async (exchange: Exchange): Promise<void> => {
    if (exchange.path !== SETUP_PATH && !(await isOrganization(exchange.host))) return otherwise(exchange)
    const page = await readFile(join(builtFolder(), 'shell.html'), 'utf8')
    exchange.send(200, shellHeaders(page), page)
  }
  return [
    ...CLIENT_PATHS.map((path) => ({ method: 'GET' as const, path, answer: shell })),
    { method: 'GET', path: '/assets/:name', answer: sendAsset },
    { method: 'GET', path: '/sw.js', answer: async (exchange) => sendFile(exchange, 'sw.js', SERVICE_WORKER) },
  ]
}

async function sendAsset(exchange: Exchange): Promise<void> {
  const { name = '' } = exchange.parameters
  // What has no digest in its name is not for good.
  if (!/-\w{8}\.\w+$/.test(name)) throw nothingThere()
  await sendFile(exchange, name, ASSET)
}

/** Answers with a file of the build, compressed if the client can read it so. */
async function sendFile(exchange: Exchange, name: string, headers: Headers): Promise<void> {
  const folder = builtFolder()
  // Only what the build put there has a type and an address, whatever the name says.
  const names = new Set(await readdir(folder))
  const type = TYPES[extname(name)]
  if (type === undefined || !names.has(name)) throw nothingThere()
  const accepted = exchange.request.headers['accept-encoding']
  const [encoding, ending] = ENCODINGS.find(([one, end]) => takes(accepted, one) && names.has(name + end)) ?? []
  const encoded: Headers = encoding === undefined ? {} : { 'content-encoding': encoding }
  const body = await readFile(join(folder, name + (ending ?? '')))
  exchange.send(200, { 'content-type': type, ...headers, ...encoded }, body)
}

function nothingThere(): Refusal {
  return new Refusal('NOT_FOUND', 'There is nothing at this address')
}

/** Whether a request's `accept-encoding` names an encoding and does not refuse it. */
function takes(accepted: string | string[] | undefined, encoding: string): boolean {
  return String(accepted ?? '')
    .split(',')
    .some((one) => {
      const [name, ...parameters] = one.split(';').map((part) => part.trim().toLowerCase())
      return name === encoding && !parameters.some((parameter) => /^q=0(\.0*)?$/.test(parameter))
    })
}
