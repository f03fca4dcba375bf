import { REGISTRATION } from './registration.ts'
import { hasState } from './build-with-state.ts'
import { entranceAt } from '../../kernel/entrance.ts'
import { SIGNING_IN } from './signing-in.ts'

/*
 * Asks for the state before the scripts of the client are there, in a browser that keeps none. It stands in the page itself: as a file
 * of its own it would come half a second later where the way to the server is long.
 */

declare global {
  /** Undefined where no state was asked for. */
  var early: Early | undefined
}

export interface Early {
  /** What the server answers; undefined where it cannot be reached, or where another tab has signed somebody in meanwhile. */
  readonly answer: Promise<Response | undefined>
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

function begin(): Early {
  let release = (): void => undefined
  const released = new Promise<void>((resolve) => {
    release = resolve
  })
  return { answer: register(released), release }
}

async function register(released: Promise<void>): Promise<Response | undefined> {
  const ask = async (lock: Lock | null): Promise<Response | undefined> => {
    if (lock === null) return undefined
    const parameters = Object.entries(REGISTRATION).map(([name, value]) => [name, JSON.stringify(value)])
    const asked = fetch('/api/v1/register', { method: 'POST', body: new URLSearchParams(parameters) })
    const response = await asked.catch(() => undefined)
    await released
    return response
  }
  try {
    return await navigator.locks.request(SIGNING_IN, { mode: 'shared', ifAvailable: true }, ask)
  } catch {
    return undefined
  }
}

globalThis.early = isWanted() ? begin() : undefined
