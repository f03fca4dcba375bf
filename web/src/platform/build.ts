import { t } from '../kernel/strings.ts'
import { toast } from './overlay/toasts.tsx'

/** How often a tab that stays open asks whether it is still the newest. */
const BETWEEN_MILLISECONDS = 15 * 60_000

const BUILD = /<meta name="parley-build" content="(\w+)"/

const own = document.querySelector<HTMLMetaElement>('meta[name="parley-build"]')?.content
let isSaid = false

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
    if (newest === undefined || newest === own || isSaid) return
    isSaid = true
    toast(t().app.newBuild, { title: t().app.reload, run: () => window.location.reload(), stays: true })
  } catch {
    // There is no connection; it asks again.
  }
}
