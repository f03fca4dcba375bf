import { entranceAt } from '../../kernel/entrance.ts'
import { narrowOf } from '../../kernel/message.ts'
import { isPlace, routeAt, type Place } from '../../kernel/route.ts'
import { beginningOf, pageAsked } from '../messages/page.ts'
import { hasState } from './build-with-state.ts'
import { REGISTRATION } from './registration.ts'
import { SIGNING_IN } from './signing-in.ts'

/*
 * Asks for the state before the scripts of the client are there, and for the messages that are shown first, in a browser that keeps
 * none. It stands in the page itself: as a file of its own it would come half a second later where the way to the server is long.
 */

declare global {
  /** Undefined where no state was asked for. */
  var early: Early | undefined
}

/** The server's answer; undefined where the server cannot be reached, or where another tab signs a person in at the same time. */
type Answered = Response | undefined

export interface Early {
  /** What the server answers to the registration. */
  readonly answer: Promise<Answered>
  /** The place at the address, if it shows messages that can be asked for. */
  readonly place: Place | undefined
  /** What it answers for the messages of that place; undefined where they were not asked for. */
  readonly messages: Promise<Answered>
  /** Asks for no messages, since there is a state before the registration was answered. */
  readonly giveUp: () => void
  /** Ends what keeps other tabs from signing somebody in unnoticed. */
  readonly release: () => void
}

/** Without locks nothing says whether another tab is about to sign somebody else in. A link signs in first. */
function isWanted(): boolean {
  const build = document.querySelector<HTMLMetaElement>('meta[name="parley-build"]')?.content
  return (
    'locks' in navigator &&
    !hasState(build) &&
    entranceAt(window.location) === undefined &&
    !window.location.hash.startsWith('#link=')
  )
}

/** What a search means is known to the client alone, and to read around a message is for one place of many. */
function placeAt(location: Location): Place | undefined {
  const route = routeAt(location)
  if (route === undefined || !isPlace(route) || route.near !== undefined) return undefined
  return ['search', 'reactions'].includes(route.view) ? undefined : route
}

function begin(): Early {
  const { promise: released, resolve: release } = deferred<void>()
  const { promise: registered, resolve: register } = deferred<Answered>()
  const place = placeAt(window.location)
  const giveUp = (): void => register(undefined)
  const answer = unlessSigningIn(async () => {
    const response = await ask('register', REGISTRATION, 'POST')
    register(response)
    await released
    return response
  })
  void answer.then(giveUp)
  return {
    answer,
    place,
    messages: registered.then(async (response) => {
      if (response?.ok !== true || place === undefined) return undefined
      // Asked for when the state has been read, they hold whatever that holds.
      const found = ask('messages', firstPage(place))
      // Of the one who was signed in before, nothing is shown.
      return (await answer) === undefined ? undefined : found
    }),
    giveUp,
    release,
  }
}

function firstPage(place: Place) {
  return pageAsked(
    narrowOf(place, () => []),
    'all',
    beginningOf(place),
  )
}

async function ask(path: string, input: object, method = 'GET'): Promise<Answered> {
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

/** Undefined where another tab is about to sign somebody in. */
async function unlessSigningIn(run: () => Promise<Answered>): Promise<Answered> {
  const asOnlyOne = async (lock: Lock | null): Promise<Answered> => (lock === null ? undefined : run())
  try {
    return await navigator.locks.request(SIGNING_IN, { mode: 'shared', ifAvailable: true }, asOnlyOne)
  } catch {
    return undefined
  }
}

function deferred<Value>(): { promise: Promise<Value>; resolve: (value: Value) => void } {
  let resolve: (value: Value) => void = () => undefined
  const promise = new Promise<Value>((tell) => {
    resolve = tell
  })
  return { promise, resolve }
}

globalThis.early = isWanted() ? begin() : undefined
