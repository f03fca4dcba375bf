import { readFile } from 'node:fs/promises'
import { createRequire } from 'node:module'
import type { Exchange } from '../http/exchange.ts'
import type { ApiNames } from '../http/names.ts'
import { API_PREFIX } from '../http/paths.ts'
import type { Address, RequestHandler } from '../http/routing.ts'
import { loadEmojiNames } from '../markdown/emoji/names.ts'
import { asset } from './asset.ts'
import type { GuideFacts } from './guide.ts'
import { noOrganizationPage } from './no-organization.ts'
import { ICON, MASKABLE_ICON } from './icon.ts'
import { MANIFEST } from './manifest.ts'
import { openApiDocument } from './openapi.ts'
import { referencePage } from './reference-page.ts'
import { describe, type DescribedCapability, type Reference } from './reference.ts'
import { STYLE } from './style.ts'
import { webClient } from './web-client.ts'

const MANIFEST_TYPE = { 'content-type': 'application/manifest+json; charset=utf-8' }
const SVG = { 'content-type': 'image/svg+xml; charset=utf-8' }
const PNG = { 'content-type': 'image/png' }
const CSS = { 'content-type': 'text/css; charset=utf-8' }
const JSON_TYPE = { 'content-type': 'application/json; charset=utf-8' }

/** Pictures drawn by `npm run icons`. */
const PICTURES = ['icon-192.png', 'icon-512.png', 'icon-maskable-512.png', 'apple-touch-icon.png'] as const

/** Policy without scripts. */
const PAGE = {
  'content-type': 'text/html; charset=utf-8',
  'content-security-policy':
    "default-src 'none'; style-src 'self'; img-src 'self'; form-action 'self'; base-uri 'none'; frame-ancestors 'none'",
}
const FRESH_PAGE = { ...PAGE, 'cache-control': 'no-cache' }

export interface PageFacts extends GuideFacts {
  readonly version: string
  readonly capabilities: readonly DescribedCapability[]
  isOrganization(this: void, host: string): Promise<boolean>
}

export function pages(facts: PageFacts): Address[] {
  let described: Reference | undefined
  const reference = (): Reference => (described ??= describe(facts.capabilities, facts.apiNames))

  const client = webClient(facts.isOrganization, (exchange) => exchange.send(404, FRESH_PAGE, noOrganizationPage()))

  const wholeReference = asset(PAGE, () => referencePage(reference(), facts))
  const searchReference = (exchange: Exchange): Promise<void> | void => {
    const search = new URLSearchParams(exchange.query).get('q')?.trim() ?? ''
    if (search === '') return wholeReference(exchange)
    return exchange.send(200, FRESH_PAGE, referencePage(reference(), facts, search))
  }

  const icon = asset(SVG, () => ICON)
  const answers: Readonly<Record<string, RequestHandler>> = {
    '/api': searchReference,
    [`${API_PREFIX}/openapi.json`]: asset(JSON_TYPE, () => JSON.stringify(openApiDocument(reference(), facts))),
    '/static/pages.css': asset(CSS, () => STYLE),
    '/static/icon.svg': icon,
    '/favicon.ico': icon,
    '/static/icon-maskable.svg': asset(SVG, () => MASKABLE_ICON),
    ...Object.fromEntries(PICTURES.map((name) => [`/static/${name}`, asset(PNG, async () => pictureNamed(name))])),
    '/manifest.webmanifest': asset(MANIFEST_TYPE, () => JSON.stringify(MANIFEST)),
    '/static/emoji.json': asset(JSON_TYPE, () => emojiData(facts.apiNames)),
  }
  return [...client, ...Object.entries(answers).map(([path, answer]) => ({ method: 'GET' as const, path, answer }))]
}

const { resolve } = createRequire(import.meta.url)

async function pictureNamed(name: (typeof PICTURES)[number]): Promise<Buffer> {
  return readFile(resolve(`#server/src/platform/pages/icons/${name}`))
}

/** Returns emoji names by code, preferred name first: `server_emoji_data_url`. */
async function emojiData(apiNames: ApiNames): Promise<string> {
  const { namesByCode } = await loadEmojiNames(apiNames)
  return JSON.stringify({ code_to_names: Object.fromEntries(namesByCode) })
}
