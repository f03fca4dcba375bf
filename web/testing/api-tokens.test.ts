import { describe, expect, it } from 'vitest'
import { useTestServer } from '../../server/src/testing/server.ts'
import { callApi } from '../../server/src/testing/user.ts'
import { accessibilityFaults, hasBrowser, LOCAL_DOMAIN, openAs, useBrowser } from './browser.ts'
import { PASSWORD, createTeamOn } from './team.ts'

const server = useTestServer(LOCAL_DOMAIN)
const browser = useBrowser()

describe.skipIf(!hasBrowser)('API tokens', () => {
  it('creates an API token, shows it once, and revokes it', async () => {
    const { owner } = await createTeamOn(server(), { password: PASSWORD })
    const statusOf = async (token: string): Promise<number> => {
      const headers = { authorization: `Bearer ${token}` }
      return (await callApi(owner.url, owner.host, 'GET', '/users/me', {}, { headers })).status
    }
    const page = await openAs(browser(), owner, '/settings/tokens')
    await page.getByRole('button', { name: 'Create token', exact: true }).click()
    const dialog = page.getByRole('dialog')
    await dialog.getByLabel('Name').fill('Backup')
    await dialog.getByLabel('Access').selectOption('Read and write')
    await dialog.getByLabel('Expiration').selectOption('30 days')
    await dialog.getByLabel('garden', { exact: true }).check()
    await dialog.getByRole('button', { name: 'Create token', exact: true }).click()
    await dialog.getByRole('alert').filter({ hasText: 'Wrong password!' }).waitFor()
    await dialog.getByLabel('Password').fill(PASSWORD)
    expect(await accessibilityFaults(page)).toEqual([])
    await dialog.getByRole('button', { name: 'Create token', exact: true }).click()
    await page.getByRole('heading', { name: 'Token created', exact: true }).waitFor()
    const token = await dialog.getByText(/^parley_\d+_[\w-]{43}$/).innerText()
    expect(await accessibilityFaults(page)).toEqual([])
    expect(await statusOf(token)).toBe(200)
    await dialog.getByRole('button', { name: 'I’ve saved the token', exact: true }).click()
    await page.getByText('Read and write: #garden', { exact: true }).waitFor()
    await page.getByText(/^Never used\. Expires on /).waitFor()
    expect(await page.getByText(token).count()).toBe(0)
    await page.getByRole('button', { name: 'Revoke Backup', exact: true }).click()
    await page.getByRole('dialog').getByRole('button', { name: 'Revoke', exact: true }).click()
    await page.getByText('Token revoked').waitFor()
    await page.getByRole('button', { name: 'Revoke Backup', exact: true }).waitFor({ state: 'detached' })
    expect(await statusOf(token)).toBe(401)
  })
})
