import { t } from '../kernel/strings.ts'
import { toast } from './overlay/toasts.tsx'
import { serviceWorkerUrl } from './dom/html.ts'

/** How often a tab that stays open asks whether it is still the newest. */
const BETWEEN_MILLISECONDS = 15 * 60_000
/** So long a reload waits for the new client to be kept in the browser. */
const RENEWAL_MILLISECONDS = 10_000

const BUILD = /<meta name="parley-build" content="(\w+)"/

/** Names the build of this client. */
export const OWN_BUILD = document.querySelector<HTMLMetaElement>('meta[name="parley-build"]')?.content ?? ''

let isSaid = false

/**
 * Has the browser keep the client itself, so that it opens at once and without a connection. Browsers allow it only on
 * pages that came encrypted, or from the machine itself.
 */
export function keepClient(): void {
  if (!('serviceWorker' in navigator)) return
  // Where it is refused, as in a private window, the client is loaded each time.
  navigator.serviceWorker.register(serviceWorkerUrl()).catch(() => undefined)
}

/** Offers to reload when the server has a newer client; until then the old one goes on, since its files are kept. */
export function watchBuild(): void {
  setInterval(() => void look(), BETWEEN_MILLISECONDS)
  document.addEventListener('visibilitychange', () => {
    if (document.visibilityState === 'visible') void look()
  })
}

async function look(): Promise<void> {
  if (isSaid) return
  try {
    const [, newest] = BUILD.exec(await (await fetch('/login', { cache: 'no-cache' })).text()) ?? []
    if (newest === undefined || newest === OWN_BUILD || isSaid) return
    isSaid = true
    toast(t().app.newBuild, { title: t().app.reload, run: () => void reload(), stays: true })
  } catch {
    // There is no connection; it asks again.
  }
}

/** Reloads once the newer client is the one that the browser keeps. */
async function reload(): Promise<void> {
  if ('serviceWorker' in navigator) await renewed()
  window.location.reload()
}

async function renewed(): Promise<void> {
  try {
    const registration = await navigator.serviceWorker.getRegistration()
    await registration?.update()
    const next = registration?.installing ?? registration?.waiting
    if (next === null || next === undefined) return
    await new Promise<void>((resolve) => {
      next.addEventListener('statechange', () => {
        if (next.state === 'activated' || next.state === 'redundant') resolve()
      })
      setTimeout(resolve, RENEWAL_MILLISECONDS)
    })
  } catch {
    // What is there is shown, and offers to reload again.
  }
}
