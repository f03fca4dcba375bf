import { readFile } from 'node:fs/promises'
import { createRequire } from 'node:module'
import type { Exchange } from '../http/exchange.ts'
import type { Headers } from '../http/headers.ts'
import type { ApiNames } from '../http/names.ts'
import { API_PREFIX, type RequestHandler } from '../http/routing.ts'
import { loadEmojiNames } from '../markdown/emoji/names.ts'
import { prepareAsset, sendPrepared, type PreparedAsset } from './asset.ts'
import type { GuideFacts } from './guide.ts'
import { html, htmlPage, PAGE_HEADERS } from './html.ts'
import { ICON_SVG, MASKABLE_ICON_SVG } from './icon.ts'
import { openApiDocument } from './openapi.ts'
import { referencePage } from './reference-page.ts'
import { describeApi, type DescribedCapability, type Reference } from './reference.ts'
import { STYLE_SHEET } from './style.ts'
import { createWebClient, type WebClient } from './web-client.ts'

const MANIFEST_HEADERS = { 'content-type': 'application/manifest+json; charset=utf-8' }
const SVG_HEADERS = { 'content-type': 'image/svg+xml; charset=utf-8' }
const PNG_HEADERS = { 'content-type': 'image/png' }
const CSS_HEADERS = { 'content-type': 'text/css; charset=utf-8' }
const JSON_HEADERS = { 'content-type': 'application/json; charset=utf-8' }

const ICON_FILES = ['icon-192.png', 'icon-512.png', 'icon-maskable-512.png', 'apple-touch-icon.png'] as const

const FRESH_PAGE_HEADERS = { ...PAGE_HEADERS, 'cache-control': 'no-cache' }

export interface PageFacts extends GuideFacts {
  readonly version: string
  readonly capabilities: readonly DescribedCapability[]
  isOrganization(this: void, host: string): Promise<boolean>
}

export function createPages(facts: PageFacts): WebClient {
  let described: Reference | undefined
  const reference = (): Reference => (described ??= describeApi(facts.capabilities, facts.apiNames))

  const client = createWebClient(facts.isOrganization, (exchange) =>
    exchange.send(404, FRESH_PAGE_HEADERS, noOrganizationPage()),
  )

  const wholeReference = serveAsset(PAGE_HEADERS, () => referencePage(reference(), facts))
  const searchReference = (exchange: Exchange): Promise<void> | void => {
    const search = new URLSearchParams(exchange.query).get('q')?.trim() ?? ''
    if (search === '') return wholeReference(exchange)
    return exchange.send(200, FRESH_PAGE_HEADERS, referencePage(reference(), facts, search))
  }

  const icon = serveAsset(SVG_HEADERS, () => ICON_SVG)
  const answers: Readonly<Record<string, RequestHandler>> = {
    '/api': searchReference,
    [`${API_PREFIX}/openapi.json`]: serveAsset(JSON_HEADERS, () => JSON.stringify(openApiDocument(reference(), facts))),
    '/static/pages.css': serveAsset(CSS_HEADERS, () => STYLE_SHEET),
    '/static/icon.svg': icon,
    '/favicon.ico': icon,
    '/static/icon-maskable.svg': serveAsset(SVG_HEADERS, () => MASKABLE_ICON_SVG),
    ...Object.fromEntries(
      ICON_FILES.map((name) => [`/static/${name}`, serveAsset(PNG_HEADERS, async () => readIcon(name))]),
    ),
    '/manifest.webmanifest': serveAsset(MANIFEST_HEADERS, () => JSON.stringify(WEB_APP_MANIFEST)),
    '/static/emoji.json': serveAsset(JSON_HEADERS, () => emojiData(facts.apiNames)),
  }
  const others = Object.entries(answers).map(([path, answer]) => ({ method: 'GET' as const, path, answer }))
  return { ...client, addresses: [...client.addresses, ...others] }
}

const { resolve } = createRequire(import.meta.url)

async function readIcon(name: (typeof ICON_FILES)[number]): Promise<Buffer> {
  return readFile(resolve(`#server/src/platform/pages/icons/${name}`))
}

/** Returns the content of `server_emoji_data_url`: emoji names by code, preferred name first. */
async function emojiData(apiNames: ApiNames): Promise<string> {
  const { namesByCode } = await loadEmojiNames(apiNames)
  return JSON.stringify({ code_to_names: Object.fromEntries(namesByCode) })
}

const SHORTCUT_ICONS = [{ src: '/static/icon-192.png', type: 'image/png', sizes: '192x192' }] as const

const WEB_APP_MANIFEST = {
  id: '/',
  name: 'Parley',
  short_name: 'Parley',
  description: 'Team chat',
  start_url: '/inbox',
  scope: '/',
  display: 'standalone',
  lang: 'en',
  dir: 'ltr',
  background_color: '#f6f7f9',
  theme_color: '#1d4e5f',
  categories: ['business', 'productivity', 'social'],
  icons: [
    { src: '/static/icon.svg', type: 'image/svg+xml', sizes: 'any', purpose: 'any' },
    { src: '/static/icon-maskable.svg', type: 'image/svg+xml', sizes: 'any', purpose: 'maskable' },
    // Includes PNG, because not every device supports SVG.
    { src: '/static/icon-192.png', type: 'image/png', sizes: '192x192', purpose: 'any' },
    { src: '/static/icon-512.png', type: 'image/png', sizes: '512x512', purpose: 'any' },
    { src: '/static/icon-maskable-512.png', type: 'image/png', sizes: '512x512', purpose: 'maskable' },
  ],
  shortcuts: [
    { name: 'Inbox', url: '/inbox', icons: SHORTCUT_ICONS },
    { name: 'Recent', url: '/recent', icons: SHORTCUT_ICONS },
    { name: 'Triage', url: '/triage', icons: SHORTCUT_ICONS },
    { name: 'Search', url: '/search?q=', icons: SHORTCUT_ICONS },
  ],
} as const

/** Builds a page that does not reveal which hosts have an organization. */
function noOrganizationPage(): string {
  return htmlPage(
    'No organization here',
    html`<main class="home">
      <img src="/static/icon.svg" alt="" width="96" height="96" />
      <h1>No organization here</h1>
      <p>No organization exists at this address. Check the spelling, or ask the person who invited you.</p>
      <p>If you just started this server, open the setup link that it printed. Restart the server to get a new link.</p>
    </main>`,
  )
}

/** Creates content once, on the first request, and serves it to clients without a current copy. */
function serveAsset(
  headers: Headers,
  make: () => string | Buffer | Promise<string | Buffer>,
): (exchange: Exchange) => Promise<void> {
  const prepare = async (): Promise<PreparedAsset> => prepareAsset(await make())
  let preparing: Promise<PreparedAsset> | undefined
  return async (exchange) => {
    preparing ??= prepare().catch((error: unknown) => {
      preparing = undefined
      throw error
    })
    await sendPrepared(exchange, { ...headers, 'cache-control': 'no-cache' }, await preparing)
  }
}
