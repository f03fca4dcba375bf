/*
 * Keeps the client in the browser: the page, its scripts and styles, of one build. It opens at once and without a
 * connection; what people write and read goes to the server, and is never kept here. It also shows what the server pushes.
 */
import { routeAt } from '../kernel/route.ts'
import { hearPushes } from './push.ts'

declare const self: ServiceWorkerGlobalScope

declare global {
  interface ExtendableEvent {
    /** Of events that install, in newer browsers. */
    addRoutes?(rule: { condition: { urlPattern: { pathname: string } }; source: 'network' }): Promise<void>
  }
}

/** The build names these: the addresses of its files, and itself. */
declare const ASSETS: readonly string[]
declare const BUILD: string

const CACHE = `parley-${BUILD}`
/** An address at which the server answers with the page. */
const PAGE = '/login'
/** The names of emoji, which the server has and not the build. */
const EMOJI = '/static/emoji.json'

hearPushes()
self.addEventListener('install', (event) => {
  // Calls of the API go past it, where a browser knows how.
  const passing = event.addRoutes?.({ condition: { urlPattern: { pathname: '/api/*' } }, source: 'network' })
  event.waitUntil(Promise.all([passing, install()]))
})
self.addEventListener('activate', (event) => event.waitUntil(activate()))
self.addEventListener('fetch', (event) => {
  const { request } = event
  const url = new URL(request.url)
  if (request.method !== 'GET' || url.origin !== self.location.origin) return
  if (url.pathname.startsWith('/assets/')) event.respondWith(kept(request, url.pathname))
  else if (url.pathname === EMOJI) event.respondWith(fetch(request).catch(async () => kept(request, EMOJI)))
  else if (request.mode === 'navigate' && isOfClient(url)) event.respondWith(kept(request, PAGE))
})

async function install(): Promise<void> {
  const cache = await caches.open(CACHE)
  // As the server has them now, not as a cache on the way has them.
  await cache.addAll([...[PAGE, EMOJI].map((path) => new Request(path, { cache: 'no-cache' })), ...ASSETS])
  // The next page that is opened is of this build; pages that are open go on with their own files.
  await self.skipWaiting()
}

async function activate(): Promise<void> {
  for (const name of await caches.keys()) if (name !== CACHE) await caches.delete(name)
  await self.clients.claim()
}

/** Answers with what is kept; what is not, such as a file of another build, the server still has. */
async function kept(request: Request, address: string): Promise<Response> {
  const cache = await caches.open(CACHE)
  return (await cache.match(address)) ?? fetch(request)
}

function isOfClient(url: URL): boolean {
  return url.pathname === PAGE || routeAt(url) !== undefined
}
