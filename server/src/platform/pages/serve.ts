import type { FastifyInstance } from 'fastify'
import { API_PREFIX } from '../http/paths.ts'
import { emojiNames, loadEmojiNames } from '../markdown/emoji/names.ts'
import { asset } from './asset.ts'
import type { GuideFacts } from './guide.ts'
import { homePage, nobodyHomePage } from './home.ts'
import { ICON } from './icon.ts'
import { openApiDocument } from './openapi.ts'
import { referencePage } from './reference-page.ts'
import { describe, type DescribedCapability, type Reference } from './reference.ts'
import { STYLE } from './style.ts'

const HTML = 'text/html; charset=utf-8'
const SVG = 'image/svg+xml; charset=utf-8'
const CSS = 'text/css; charset=utf-8'
const JSON_TYPE = 'application/json; charset=utf-8'

/** What the pages tell of, and how they learn whose host name they are asked at. */
export interface PageFacts extends GuideFacts {
  readonly version: string
  readonly capabilities: readonly DescribedCapability[]
  organizationAt(host: string): Promise<{ readonly id: number; readonly name: string } | undefined>
}

/** On every answer, the API's too: nothing in it runs, loads, is framed or is taken for another type. */
const HEADERS = {
  'content-security-policy': "default-src 'none'; frame-ancestors 'none'",
  'referrer-policy': 'no-referrer',
  'x-content-type-options': 'nosniff',
}

/** Pages have the style, the pictures and the search of this server, and no script. */
const PAGE_POLICY =
  "default-src 'none'; style-src 'self'; img-src 'self'; form-action 'self'; base-uri 'none'; frame-ancestors 'none'"

/** Serves everything beside the API itself: its descriptions, the page at `/` and the files they need. */
export function servePages(facts: PageFacts): (app: FastifyInstance) => void {
  let described: Reference | undefined
  // Made at the first request, so that starting does not pay for it.
  const reference = (): Reference => (described ??= describe(facts.capabilities, facts.apiNames))

  return (app) => {
    app.addHook('onRequest', (_request, reply, done) => {
      void reply.headers(HEADERS)
      done()
    })

    app.get('/', async (request, reply) => {
      const organization = await facts.organizationAt(request.host)
      void reply.headers({ 'content-type': HTML, 'content-security-policy': PAGE_POLICY, 'cache-control': 'no-cache' })
      return organization === undefined
        ? reply.code(404).send(nobodyHomePage())
        : reply.send(homePage(organization.name, facts.version))
    })

    const wholeReference = asset(HTML, () => referencePage(reference(), facts))
    app.get('/api', async (request, reply) => {
      void reply.header('content-security-policy', PAGE_POLICY)
      const search = searchOf(request.query)
      if (search === '') return wholeReference(request, reply)
      return reply
        .headers({ 'content-type': HTML, 'cache-control': 'no-cache' })
        .send(referencePage(reference(), facts, search))
    })

    app.get(
      `${API_PREFIX}/openapi.json`,
      asset(JSON_TYPE, () => JSON.stringify(openApiDocument(reference(), facts))),
    )
    app.get(
      '/static/pages.css',
      asset(CSS, () => STYLE),
    )
    app.get(
      '/static/icon.svg',
      asset(SVG, () => ICON),
    )
    app.get(
      '/favicon.ico',
      asset(SVG, () => ICON),
    )
    app.get('/static/emoji.json', asset(JSON_TYPE, emojiData))
  }
}

/** Names of emoji by code, the one to show first: what clients fetch from `server_emoji_data_url`. */
async function emojiData(): Promise<string> {
  await loadEmojiNames()
  return JSON.stringify({ code_to_names: Object.fromEntries(emojiNames().namesByCode) })
}

function searchOf(query: unknown): string {
  return new URLSearchParams(textOf(query)).get('q')?.trim() ?? ''
}

/** The server's query parser hands the text through. */
function textOf(query: unknown): string {
  return (query as { text: string }).text
}
