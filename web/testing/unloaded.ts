import type { Browser, Page } from 'playwright-core'
import type { TestUser } from '../../server/src/testing/user.ts'
import { addressOf, openAs } from './browser.ts'

/** Opens the inbox with only the first scripts. @returns the page, and a function that releases all other scripts */
export async function openUnloaded(browser: Browser, user: TestUser): Promise<[Page, () => void]> {
  const page = await openAs(browser, user)
  const first = await page.evaluate(async () => (await fetch('/login')).text())
  let release = (): void => undefined
  const isReleased = new Promise<void>((resolve) => {
    release = resolve
  })
  await page.route('**/assets/*.js', async (route) => {
    if (!first.includes(new URL(route.request().url()).pathname)) await isReleased
    await route.continue()
  })
  await page.goto(addressOf(user, '/inbox'))
  await page.getByRole('heading', { name: 'Inbox' }).waitFor()
  return [page, release]
}
