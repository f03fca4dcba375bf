import { signedOutPageAt } from '../../kernel/entrance.ts'
import { narrowOf } from '../../kernel/message.ts'
import { isPlace, routeAt, type Place } from '../../kernel/route.ts'
import { initialAnchor, pageParameters } from '../messages/page.ts'
import { isStateOfBuildStored } from './build-with-state.ts'
import { isSignedIn, REGISTRATION_PARAMETERS } from './registration.ts'
import { SIGN_IN_LOCK } from './signing-in.ts'

/* Inlined in the page, so that requests start before the scripts load: half a second earlier on slow connections. */

declare global {
  var prefetched: PrefetchedRequests | undefined
}

/** Undefined if the server is unreachable or another tab is signing in. */
type PrefetchedResponse = Response | undefined

export interface PrefetchedRequests {
  readonly answer: Promise<PrefetchedResponse>
  readonly place: Place | undefined
  readonly messages: Promise<PrefetchedResponse>
  /** Cancels a message request that is still waiting for the registration, because another state has arrived. */
  readonly giveUp: () => void
  /** Releases the lock that keeps other tabs from signing in unnoticed. */
  readonly release: () => void
}

/** False for sign-in links, and in browsers without locks, where a sign-in in another tab would go unnoticed. */
function shouldPrefetch(): boolean {
  const build = document.querySelector<HTMLMetaElement>('meta[name="parley-build"]')?.content
  return (
    'locks' in navigator &&
    !isStateOfBuildStored(build) &&
    signedOutPageAt(window.location) === undefined &&
    !window.location.hash.startsWith('#link=')
  )
}

/** Undefined for searches, which only the client can parse, and for links to messages, which are rare. */
function placeToPrefetch(location: Location): Place | undefined {
  const route = routeAt(location)
  if (route === undefined || !isPlace(route) || route.near !== undefined) return undefined
  return ['search', 'reactions'].includes(route.view) ? undefined : route
}

function startPrefetching(): PrefetchedRequests {
  const { promise: released, resolve: release } = createDeferred<void>()
  const { promise: registered, resolve: register } = createDeferred<PrefetchedResponse>()
  const place = placeToPrefetch(window.location)
  const giveUp = (): void => register(undefined)
  const answer = runUnlessSigningIn(async () => {
    const response = await sendPrefetchRequest('register', REGISTRATION_PARAMETERS, 'POST')
    register(response)
    await released
    return response
  })
  void answer.then(giveUp)
  return {
    answer,
    place,
    messages: registered.then(async (response) => {
      if (response === undefined || !isSignedIn(response) || place === undefined) return undefined
      // Requested after the state was read, so the messages are at least as new as the state.
      const found = sendPrefetchRequest('messages', firstPageParameters(place))
      // Drops messages that may belong to a user who has since signed out.
      return (await answer) === undefined ? undefined : found
    }),
    giveUp,
    release,
  }
}

function firstPageParameters(place: Place) {
  return pageParameters(narrowOf(place), 'all', initialAnchor(place))
}

async function sendPrefetchRequest(path: string, input: object, method = 'GET'): Promise<PrefetchedResponse> {
  const texts = Object.entries(input).map(([name, value]) => [
    name,
    typeof value === 'string' ? value : JSON.stringify(value),
  ])
  const parameters = new URLSearchParams(texts)
  const inQuery = method === 'GET'
  const asked = fetch(`/api/v1/${path}${inQuery ? `?${parameters.toString()}` : ''}`, {
    method,
    ...(inQuery ? {} : { body: parameters }),
  })
  return asked.catch(() => undefined)
}

async function runUnlessSigningIn(run: () => Promise<PrefetchedResponse>): Promise<PrefetchedResponse> {
  const runIfAlone = async (lock: Lock | null): Promise<PrefetchedResponse> => (lock === null ? undefined : run())
  try {
    return await navigator.locks.request(SIGN_IN_LOCK, { mode: 'shared', ifAvailable: true }, runIfAlone)
  } catch {
    return undefined
  }
}

function createDeferred<Value>(): { promise: Promise<Value>; resolve: (value: Value) => void } {
  let resolve: (value: Value) => void = () => undefined
  const promise = new Promise<Value>((resolvePromise) => {
    resolve = resolvePromise
  })
  return { promise, resolve }
}

globalThis.prefetched = shouldPrefetch() ? startPrefetching() : undefined
