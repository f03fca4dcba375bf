import { createHash } from 'node:crypto'
import { BoundedCache } from '../../kernel/bounded-cache.ts'
import { SPECTATOR } from '../../kernel/actor.ts'
import { turnOwner } from '../../kernel/pauses.ts'
import type { OrganizationState } from '../../kernel/projection.ts'
import { ApiError } from '../../kernel/refusal.ts'
import type { ReadDb } from '../../kernel/transaction.ts'
import type { UseLogAt } from '../http/calls.ts'
import type { Logins } from '../http/login.ts'
import type { RequestHandler } from '../http/routing.ts'
import type { ServerFacts } from '../server-facts.ts'
import { PAGE_HEADERS } from './html.ts'
import type { FoundPage, PageRoute } from './page-route.ts'

interface CachedPage {
  readonly page: FoundPage
  readonly etag: string
  readonly position: number
}

const CONTENT_TYPES = {
  atom: 'application/atom+xml; charset=utf-8',
  xml: 'application/xml; charset=utf-8',
  robots: 'text/plain; charset=utf-8',
} as const

/** Caches of proxies and browsers show edits and deletions after this time. */
const MAX_AGE_SECONDS = 30

const MAX_CACHED_CHARACTERS = 8_000_000
const MAX_PAGE_DIGITS = 9

const cachesByOrganization = new WeakMap<OrganizationState, BoundedCache<string, CachedPage>>()

interface PageSources {
  readonly useLogAt: UseLogAt
  readonly reads: ReadDb
  readonly facts: ServerFacts
}

/** A page stays cached until the organization's log grows. Its URL, not the request's host, is in all its links. */
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
      const cache = cacheOf(organization)
      const key = `${exchange.path} ${page}`
      const { position } = organization
      const known = cache.get(key)
      if (known?.position === position) return known
      // Readers without an account share a connection, so that crawlers cannot delay members.
      const db = reads.aside(turnOwner(organization.id, SPECTATOR.userId))
      const made = await route.find({ organization, server: facts, db, parameters: exchange.parameters, page })
      if (made === undefined) return undefined
      const fresh = { page: made, etag: etagOf(made), position }
      cache.set(key, fresh)
      return fresh
    })
    if (found === undefined) throw new ApiError('NOT_FOUND', 'No such endpoint or file')
    const kept = { 'cache-control': `public, max-age=${MAX_AGE_SECONDS}` }
    if ('location' in found.page) return exchange.send(302, { ...kept, location: found.page.location }, '')
    const { type, text } = found.page
    const own = type === 'html' ? PAGE_HEADERS : { 'content-type': CONTENT_TYPES[type] }
    const headers = { ...own, ...kept, etag: found.etag }
    if (exchange.request.headers['if-none-match']?.includes(found.etag) === true) return exchange.send(304, headers)
    return exchange.send(200, headers, text)
  }
}

function cacheOf(organization: OrganizationState): BoundedCache<string, CachedPage> {
  const known =
    cachesByOrganization.get(organization) ??
    new BoundedCache(MAX_CACHED_CHARACTERS, ({ page }) => ('text' in page ? page.text : page.location).length)
  cachesByOrganization.set(organization, known)
  return known
}

function etagOf(page: FoundPage): string {
  const text = 'text' in page ? page.text : page.location
  return `W/"${createHash('sha256').update(text).digest('base64url').slice(0, 22)}"`
}

/** Each page has one address: the first page has no number. */
function pageNumber(given: string | null): number | undefined {
  if (given === null) return 1
  const number = new RegExp(`^[1-9]\\d{0,${MAX_PAGE_DIGITS - 1}}$`).test(given) ? Number(given) : 1
  return number === 1 ? undefined : number
}
