import { BoundedCache } from '../../kernel/bounded-cache.ts'
import { SPECTATOR } from '../../kernel/actor.ts'
import { turnOwner } from '../../kernel/pauses.ts'
import type { OrganizationState } from '../../kernel/projection.ts'
import { ApiError } from '../../kernel/refusal.ts'
import type { ReadDb } from '../../kernel/transaction.ts'
import type { UseLogAt } from '../http/calls.ts'
import type { Exchange } from '../http/exchange.ts'
import type { Headers } from '../http/headers.ts'
import type { Logins } from '../http/login.ts'
import type { RequestHandler } from '../http/routing.ts'
import type { ServerFacts } from '../server-facts.ts'
import { prepareAsset, sendPrepared, type PreparedAsset } from './asset.ts'
import { PAGE_HEADERS } from './html.ts'
import type { FoundPage, PageRoute } from './page-route.ts'

type KnownPage = { readonly location: string } | { readonly headers: Headers; readonly asset: PreparedAsset }

type PageType = Extract<FoundPage, { type: string }>['type']

interface CachedPage {
  readonly key: string
  readonly page: KnownPage
  /** Position at which the page was last known to be current. */
  position: number
  readonly isCurrent: ((since: number) => boolean) | undefined
}

const HEADERS_BY_TYPE: Readonly<Record<PageType, Readonly<Record<string, string>>>> = {
  html: PAGE_HEADERS,
  atom: { 'content-type': 'application/atom+xml; charset=utf-8' },
  xml: { 'content-type': 'application/xml; charset=utf-8' },
  robots: { 'content-type': 'text/plain; charset=utf-8' },
}

/** Caches of proxies and browsers show edits and deletions after this time, even if the server does not answer then. */
const MAX_AGE_SECONDS = 30
const CACHE_HEADERS = { 'cache-control': `public, max-age=${MAX_AGE_SECONDS}, must-revalidate` }

const MAX_CACHED_BYTES = 8_000_000
/** A redirect is shorter than what storing it takes, and a page has many addresses, because letters can be escaped. */
const BYTES_PER_ENTRY = 500

const cachesByOrganization = new WeakMap<OrganizationState, PageCache>()

interface PageSources {
  readonly useLogAt: UseLogAt
  readonly reads: ReadDb
  readonly facts: ServerFacts
}

/**
 * A page stays cached until the organization's log grows, or until it changes. Its URL, not the request's host, is in all
 * its links.
 */
export function createPageHandler(
  route: PageRoute,
  { useLogAt, reads, facts }: PageSources,
  logins: Logins,
): RequestHandler {
  return async (exchange) => {
    const page = pageNumber(new URLSearchParams(exchange.query).get('page'))
    const found = await useLogAt(exchange.host, async (log) => {
      if (log === undefined || page === undefined || !logins.admitsReaders(exchange, log)) return undefined
      const { organization } = log
      return cacheOf(organization).get(`${exchange.path} ${page}`, organization.position, async () => {
        // Readers without an account share a connection, so that crawlers cannot delay members.
        const db = reads.aside(turnOwner(organization.id, SPECTATOR.userId))
        return route.find({ organization, server: facts, db, parameters: exchange.parameters, page })
      })
    })
    if (found === undefined) throw new ApiError('NOT_FOUND', 'No such endpoint or file')
    await sendPage(exchange, found)
  }
}

async function sendPage(exchange: Exchange, page: KnownPage): Promise<void> {
  if ('location' in page) exchange.send(302, { ...CACHE_HEADERS, location: page.location }, '')
  else await sendPrepared(exchange, page.headers, page.asset)
}

function cacheOf(organization: OrganizationState): PageCache {
  const known = cachesByOrganization.get(organization) ?? new PageCache()
  cachesByOrganization.set(organization, known)
  return known
}

class PageCache {
  readonly #pages = new BoundedCache<string, CachedPage>(
    MAX_CACHED_BYTES,
    ({ key, page }) => BYTES_PER_ENTRY + key.length + sizeOf(page),
  )
  readonly #pending = new Map<string, Promise<KnownPage | undefined>>()

  /** Requests at the same time share the work. */
  async get(key: string, position: number, find: () => Promise<FoundPage | undefined>): Promise<KnownPage | undefined> {
    const known = this.#pages.get(key)
    if (known?.position === position) return known.page
    if (known?.isCurrent?.(known.position) === true) {
      // Later requests need not look at the same changes again.
      known.position = position
      return known.page
    }
    const work = `${position} ${key}`
    const pending = this.#pending.get(work)
    if (pending !== undefined) return pending
    const making = this.#make(key, position, find).finally(() => this.#pending.delete(work))
    this.#pending.set(work, making)
    return making
  }

  async #make(
    key: string,
    position: number,
    find: () => Promise<FoundPage | undefined>,
  ): Promise<KnownPage | undefined> {
    const found = await find()
    if (found === undefined) return undefined
    const page = 'location' in found ? found : { headers: headersOf(found), asset: prepareAsset(found.text) }
    this.#pages.set(key, { key, page, position, isCurrent: 'location' in found ? undefined : found.isCurrent })
    return page
  }
}

function headersOf({ type, isHiddenFromSearchEngines }: Exclude<FoundPage, { location: string }>): Headers {
  const hidden = isHiddenFromSearchEngines === true ? { 'x-robots-tag': 'noindex' } : {}
  return { ...HEADERS_BY_TYPE[type], ...CACHE_HEADERS, ...hidden }
}

function sizeOf(page: KnownPage): number {
  // A compressed page is not larger.
  return 'location' in page ? page.location.length : 2 * page.asset.plain.length
}

/** Each page has one address: the first page has no number. */
const LATER_PAGE_PATTERN = /^(?!1$)[1-9]\d{0,8}$/

function pageNumber(given: string | null): number | undefined {
  if (given === null) return 1
  return LATER_PAGE_PATTERN.test(given) ? Number(given) : undefined
}
