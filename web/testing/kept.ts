import type { Page } from 'playwright-core'
import { expect } from 'vitest'

/** Reads IndexedDB stores as JSON, by default the state and the message windows. */
export async function readStoredJson(page: Page, stores: readonly string[] = ['state', 'windows']): Promise<string> {
  return page.evaluate(
    async (names) =>
      new Promise<string>((resolve, reject) => {
        const opening = indexedDB.open('parley')
        opening.addEventListener('error', () => reject(new Error('it cannot be opened')))
        opening.addEventListener('success', () => {
          const { result: opened } = opening
          const reading = opened.transaction(names)
          const all = names.map((name) => reading.objectStore(name).getAll())
          reading.addEventListener('complete', () => {
            opened.close()
            resolve(JSON.stringify(all.map(({ result }): unknown => result)))
          })
        })
      }),
    [...stores],
  )
}

/** Waits until the service worker serves the page. The window must have been opened with `serviceWorkers: 'allow'`. */
export async function waitForServiceWorker(page: Page): Promise<void> {
  await expect.poll(async () => page.evaluate(() => navigator.serviceWorker.controller !== null)).toBe(true)
}

export async function waitUntilStored(page: Page, text: string): Promise<void> {
  await expect.poll(async () => (await readStoredJson(page)).includes(text)).toBe(true)
}

/** Goes offline once the service worker can serve the client's lazily loaded chunks. */
export async function loseConnection(page: Page): Promise<void> {
  await waitForServiceWorker(page)
  await page.context().setOffline(true)
}
