/* Caches the page, scripts, and styles of one build, so that the client opens fast and offline. Stores no messages. */
import { routeAt } from '../kernel/route.ts'
import { listenForPushes } from './push.ts'

declare const self: ServiceWorkerGlobalScope

declare global {
  interface ExtendableEvent {
    /** Supported only by newer browsers. */
    addRoutes?(rule: { condition: { urlPattern: { pathname: string } }; source: 'network' }): Promise<void>
  }
}

declare const ASSETS: readonly string[]
declare const BUILD: string

const CACHE_NAME = `parley-${BUILD}`
/** Path at which the server always serves the client's page. */
const PAGE_PATH = '/login'
/** Path of the emoji data, which is not part of the build. */
const EMOJI_PATH = '/static/emoji.json'

listenForPushes()
self.addEventListener('install', (event) => {
  // If the browser supports it, API requests bypass the service worker.
  const passing = event.addRoutes?.({ condition: { urlPattern: { pathname: '/api/*' } }, source: 'network' })
  event.waitUntil(Promise.all([passing, install()]))
})
self.addEventListener('activate', (event) => event.waitUntil(activate()))
self.addEventListener('fetch', (event) => {
  const { request } = event
  const url = new URL(request.url)
  if (request.method !== 'GET' || url.origin !== self.location.origin) return
  if (url.pathname.startsWith('/assets/')) event.respondWith(fetchCached(request, url.pathname))
  else if (url.pathname === EMOJI_PATH)
    event.respondWith(fetch(request).catch(async () => fetchCached(request, EMOJI_PATH)))
  else if (request.mode === 'navigate' && isClientPage(url)) event.respondWith(fetchCached(request, PAGE_PATH))
})

async function install(): Promise<void> {
  const cache = await caches.open(CACHE_NAME)
  // Bypasses HTTP caches.
  await cache.addAll([...[PAGE_PATH, EMOJI_PATH].map((path) => new Request(path, { cache: 'no-cache' })), ...ASSETS])
  await self.skipWaiting()
}

async function activate(): Promise<void> {
  for (const name of await caches.keys()) if (name !== CACHE_NAME) await caches.delete(name)
  await self.clients.claim()
}

/** Requests files that are not cached, such as those of another build, from the server. */
async function fetchCached(request: Request, address: string): Promise<Response> {
  const cache = await caches.open(CACHE_NAME)
  return (await cache.match(address)) ?? fetch(request)
}

function isClientPage(url: URL): boolean {
  return url.pathname === PAGE_PATH || routeAt(url) !== undefined
}
