import { createHash } from 'node:crypto'
import { readdir, readFile } from 'node:fs/promises'
import { createRequire } from 'node:module'
import { dirname, extname, join } from 'node:path'
import { ApiError } from '../../kernel/refusal.ts'
import { preferredCoding } from '../answers/gzip.ts'
import type { Exchange } from '../http/exchange.ts'
import type { ShowPage } from '../http/failures.ts'
import type { Headers } from '../http/headers.ts'
import type { Address } from '../http/routing.ts'

/** First path segments; the client interprets the rest of the URL. */
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
  '/new-dm',
  '/reminders',
  '/reports',
  '/files',
  '/recent',
  '/feed',
  '/mentions',
  '/starred',
  '/reactions',
  '/search',
  '/writing',
  '/scheduled',
  '/channels',
  '/settings',
  '/settings/*',
  '/c/*',
  '/dm/*',
] as const

/** Formulas in messages have style attributes. HTML enters the page only through the Trusted Types policy `parley`. */
const CONTENT_SECURITY_POLICY = [
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

const INLINE_SCRIPT_PATTERN = /<script>(.*?)<\/script>/su

function shellHeaders(page: string): Headers {
  const [, script = ''] = INLINE_SCRIPT_PATTERN.exec(page) ?? []
  const digest = createHash('sha256').update(script).digest('base64')
  return {
    'content-type': 'text/html; charset=utf-8',
    'content-security-policy': `script-src 'self' 'sha256-${digest}'; ${CONTENT_SECURITY_POLICY}`,
    'permissions-policy': 'camera=(self), microphone=(self)',
    'cache-control': 'no-cache',
  }
}

/** Headers of assets, whose names contain a digest. The policy is for the script that runs as a worker. */
const ASSET_HEADERS: Headers = {
  'cache-control': 'public, max-age=31536000, immutable',
  'content-security-policy': "default-src 'none'; script-src 'self'; connect-src 'self'; frame-ancestors 'none'",
  vary: 'accept-encoding',
}

/** Headers of the service worker, which lists the files of the newest build and can contact only this server. */
const SERVICE_WORKER_HEADERS: Headers = {
  'cache-control': 'no-cache',
  'content-security-policy': "default-src 'none'; connect-src 'self'",
  vary: 'accept-encoding',
}

const CONTENT_TYPES: Readonly<Record<string, string>> = {
  '.js': 'text/javascript; charset=utf-8',
  '.css': 'text/css; charset=utf-8',
  '.json': 'application/json; charset=utf-8',
  '.txt': 'text/plain; charset=utf-8',
  '.webmanifest': 'application/manifest+json; charset=utf-8',
  '.woff2': 'font/woff2',
  '.svg': 'image/svg+xml; charset=utf-8',
  '.png': 'image/png',
}

const ENCODING_EXTENSIONS = { br: '.br', gzip: '.gz' } as const

const SETUP_PATH = '/setup'

const requireModule = createRequire(import.meta.url)

function webClientFolder(): string {
  return join(dirname(requireModule.resolve('#server/package.json')), '../dist/web')
}

export interface WebClient {
  readonly addresses: readonly Address[]
  readonly showPage: ShowPage
}

/** Serves one page at all client URLs, and the page's files. `otherwise` answers for hosts without an organization. */
export function createWebClient(
  isOrganization: (host: string) => Promise<boolean>,
  otherwise: (exchange: Exchange) => void,
): WebClient {
  const showPage = async (exchange: Exchange, status: number): Promise<void> => {
    if (exchange.path !== SETUP_PATH && !(await isOrganization(exchange.host))) return otherwise(exchange)
    const page = await readFile(join(webClientFolder(), 'shell.html'), 'utf8')
    exchange.send(status, shellHeaders(page), page)
  }
  const shell = async (exchange: Exchange): Promise<void> => showPage(exchange, 200)
  return {
    addresses: [
      ...CLIENT_PATHS.map((path) => ({ method: 'GET' as const, path, answer: shell })),
      ...CLIENT_PATHS.filter((path) => !/[/*]$/.test(path)).map((path) => ({
        method: 'GET' as const,
        path: `${path}/`,
        answer: redirectTo(path),
      })),
      { method: 'GET', path: '/assets/:name', answer: sendAsset },
      {
        method: 'GET',
        path: '/sw.js',
        answer: async (exchange) => sendFile(exchange, 'sw.js', SERVICE_WORKER_HEADERS),
      },
    ],
    showPage,
  }
}

function redirectTo(path: string): (exchange: Exchange) => void {
  return (exchange) => {
    const query = exchange.query === '' ? '' : `?${exchange.query}`
    exchange.send(308, { location: path + query, 'cache-control': 'no-cache' })
  }
}

async function sendAsset(exchange: Exchange): Promise<void> {
  const { name = '' } = exchange.parameters
  // Files without a digest in their name must not be cached forever.
  if (!/-\w{8}\.\w+$/.test(name)) throw notFoundError()
  await sendFile(exchange, name, ASSET_HEADERS)
}

async function sendFile(exchange: Exchange, name: string, headers: Headers): Promise<void> {
  const folder = webClientFolder()
  // Accepts only names that the build created, regardless of the request.
  const names = new Set(await readdir(folder))
  const type = CONTENT_TYPES[extname(name)]
  if (type === undefined || !names.has(name)) throw notFoundError()
  const offered = (['br', 'gzip'] as const).filter((coding) => names.has(name + ENCODING_EXTENSIONS[coding]))
  const coding = preferredCoding(exchange.request.headers['accept-encoding'], offered)
  const encoded: Headers = coding === undefined ? {} : { 'content-encoding': coding }
  const body = await readFile(join(folder, name + (coding === undefined ? '' : ENCODING_EXTENSIONS[coding])))
  exchange.send(200, { 'content-type': type, ...headers, ...encoded }, body)
}

function notFoundError(): ApiError {
  return new ApiError('NOT_FOUND', 'No such endpoint or file')
}
