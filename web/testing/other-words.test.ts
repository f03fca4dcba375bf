import { describe, expect, it } from 'vitest'
import { useTestServer } from '../../server/src/testing/server.ts'
import { hasBrowser, LOCAL_DOMAIN, openAs, useBrowser } from './browser.ts'

// For existing clients, it has other names than the web client was made with.
const server = useTestServer({ ...LOCAL_DOMAIN, PARLEY_API_NAMES: 'zulip' })
const browser = useBrowser()

describe.skipIf(!hasBrowser)('at a server for existing clients', () => {
  it('the web client shows what it has in its own words', async () => {
    const { owner } = await server().organization('Hill & Valley', { password: 'correct horse battery' })
    const page = await openAs(browser(), owner, '/settings/playgrounds')
    await page.getByLabel('Name').fill('Runner')
    await page.getByLabel('Language').fill('Haskell')
    await page.getByLabel('URL').fill('https://run.example.com/{code}')
    await page.keyboard.press('Enter')
    await page.getByText('Haskell', { exact: true }).waitFor()
    await page.reload()
    await page.getByText('Haskell', { exact: true }).waitFor()
    await page.goto(new URL('/settings/notifications', page.url()).href)
    expect(await page.getByLabel('Sound').inputValue()).toBe('service')
  })
})
