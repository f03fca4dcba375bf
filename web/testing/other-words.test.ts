import { describe, expect, it } from 'vitest'
import { useTestServer } from '../../server/src/testing/server.ts'
import { hasBrowser, LOCAL_DOMAIN, openAs, useBrowser } from './browser.ts'

// Makes the server use the API names of existing clients, which differ from those in the web client's build.
const server = useTestServer({ ...LOCAL_DOMAIN, PARLEY_API_NAMES: 'zulip' })
const browser = useBrowser()

describe.skipIf(!hasBrowser)('server for existing clients', () => {
  it('works with a server that uses the API field names of existing clients', async () => {
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
    expect(await page.getByLabel('Sound', { exact: true }).inputValue()).toBe('service')
  })
})
