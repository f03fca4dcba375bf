import { effect } from '@preact/signals'
import { isPlace, placeKey, type Route } from '../../kernel/route.ts'
import { storeText, loadText } from '../../platform/cache.ts'
import { shownRoute } from '../../platform/router.ts'

/* Usage statistics that rank frequent and recent entries higher. Stored only in this browser. */

interface Usage {
  readonly score: number
  readonly at: number
}

const HALF_LIFE_MILLISECONDS = 7 * 86_400_000
const MAX_STORED_USES = 500
const STORAGE_KEY = 'frecency'

let usesByKey = new Map<string, Usage>()

export function keyOfRoute(route: Route): string {
  if (isPlace(route) && route.view !== 'channel-feed') return placeKey(route)
  return 'channelId' in route ? `channel:${route.channelId}` : route.view
}

export function followUses(): void {
  void loadText(STORAGE_KEY).then((text) => {
    // Safe: stored by this module.
    if (text !== undefined) usesByKey = new Map([...(JSON.parse(text) as [string, Usage][]), ...usesByKey])
  })
  effect(() => {
    const route = shownRoute()
    if (route.view !== 'not-found' && route.view !== 'search') recordUse(keyOfRoute(route))
  })
}

export function recordUse(key: string): void {
  const now = Date.now()
  usesByKey.set(key, { score: scoreAt(key, now) + 1, at: now })
  const kept = [...usesByKey].toSorted(([, one], [, other]) => other.at - one.at).slice(0, MAX_STORED_USES)
  void storeText(STORAGE_KEY, JSON.stringify(kept))
}

function scoreAt(key: string, now: number): number {
  const known = usesByKey.get(key)
  return known === undefined ? 0 : known.score * 0.5 ** ((now - known.at) / HALF_LIFE_MILLISECONDS)
}

/** Returns 1 for unused entries. Grows logarithmically, so that daily use does not outweigh better matches. */
export function frecencyOf(key: string): number {
  if (!usesByKey.has(key)) return 1
  return 1 + Math.log2(1 + scoreAt(key, Date.now()))
}
