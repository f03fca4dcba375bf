import { t } from '../kernel/strings.ts'
import { toast } from './overlay/toasts.tsx'
import { serviceWorkerUrl } from './dom/html.ts'

const CHECK_INTERVAL_MILLISECONDS = 15 * 60_000
const UPDATE_TIMEOUT_MILLISECONDS = 10_000

const BUILD_META = /<meta name="parley-build" content="(\w+)"/

export const OWN_BUILD = document.querySelector<HTMLMetaElement>('meta[name="parley-build"]')?.content ?? ''

let isReloadOffered = false

/** Stores the client, so that it opens fast and offline. Browsers allow this only on HTTPS and localhost. */
export function installServiceWorker(): void {
  if (!('serviceWorker' in navigator)) return
  // If the browser refuses, for example in a private window, the client loads from the network.
  navigator.serviceWorker.register(serviceWorkerUrl()).catch(() => undefined)
}

/** Offers to reload when the server has a newer client. The server keeps the old client's files. */
export function watchBuild(): void {
  setInterval(() => void checkBuild(), CHECK_INTERVAL_MILLISECONDS)
  document.addEventListener('visibilitychange', () => {
    if (document.visibilityState === 'visible') void checkBuild()
  })
}

async function checkBuild(): Promise<void> {
  if (isReloadOffered) return
  try {
    const [, newest] = BUILD_META.exec(await (await fetch('/login', { cache: 'no-cache' })).text()) ?? []
    if (newest === undefined || newest === OWN_BUILD || isReloadOffered) return
    isReloadOffered = true
    toast(t().app.newBuild, { title: t().app.reload, run: () => void reloadWithNewBuild(), stays: true })
  } catch {
    // Offline: the next check tries again.
  }
}

async function reloadWithNewBuild(): Promise<void> {
  if ('serviceWorker' in navigator) await updateWorker()
  window.location.reload()
}

async function updateWorker(): Promise<void> {
  try {
    const registration = await navigator.serviceWorker.getRegistration()
    await registration?.update()
    const next = registration?.installing ?? registration?.waiting
    if (next === null || next === undefined) return
    await new Promise<void>((resolve) => {
      next.addEventListener('statechange', () => {
        if (next.state === 'activated' || next.state === 'redundant') resolve()
      })
      setTimeout(resolve, UPDATE_TIMEOUT_MILLISECONDS)
    })
  } catch {
    // If the update fails, the old client loads, and offers to reload again.
  }
}
