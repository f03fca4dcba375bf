import type { Page } from 'playwright-core'
import { describe, expect, it } from 'vitest'
import type { TestUser } from '../../server/src/testing/user.ts'
import { accessibilityFaults, hasBrowser, openAs, show } from './browser.ts'
import { useTeam } from './shared.ts'
import { createTeamOn } from './team.ts'

const { server, browser, team, visit } = useTeam()

const dialog = (page: Page, name: string) => page.getByRole('dialog', { name, exact: true })
const sections = (page: Page) => page.getByRole('navigation', { name: 'Settings sections' })

async function fetchExports(user: TestUser): Promise<Record<string, unknown>[]> {
  return (await user.call('GET', '/export/realm'))['exports']
}

describe.skipIf(!hasBrowser)('data exports', () => {
  it('starts an export, and downloads and deletes it', async () => {
    const { owner } = await team()
    const page = await visit(owner, '/settings/exports')
    await page.getByText('No exports yet').waitFor()
    await page.getByRole('radio', { name: /^Public data, and private data/ }).check()
    await page.getByRole('button', { name: 'Start export' }).click()
    const archives = page.getByRole('list', { name: 'Exports' })
    const link = archives.getByRole('link', { name: /^Download export from/ })
    await link.waitFor()
    expect(await fetchExports(owner)).toMatchObject([{ export_type: 2, pending: false }])
    expect(await accessibilityFaults(page)).toEqual([])
    const [download] = await Promise.all([page.waitForEvent('download'), link.click()])
    expect(download.suggestedFilename()).toMatch(/\.tar\.gz$/)
    await archives.getByRole('button', { name: /^Delete export from/ }).click()
    await dialog(page, 'Delete export').getByRole('button', { name: 'Delete export' }).click()
    await archives.getByText('deleted', { exact: true }).waitFor()
    expect(await link.count()).toBe(0)
    expect(await fetchExports(owner)).toMatchObject([{ export_url: null }])
  })

  it('lists the people consenting to private exports, and lets each person choose whether to consent', async () => {
    const { owner, friend } = await team()
    const page = await visit(owner, '/settings/exports')
    await page.getByText('0 of 2 people consent').waitFor()
    const other = await visit(friend, '/settings/profile')
    await other.getByRole('switch', { name: 'Allow admins to export your private data' }).check()
    await page.getByText('1 of 2 people consent').click()
    await page.getByRole('list', { name: 'Consent' }).getByText('Fred Friend').waitFor()
    await show(other, '/settings/exports')
    await other.getByText('Page not found').first().waitFor()
    expect(await sections(other).getByRole('link', { name: 'Data exports' }).count()).toBe(0)
  })

  it('shows inline why an export cannot start', async () => {
    const { owner } = await team()
    const before = await fetchExports(owner)
    const page = await visit(owner, '/settings/exports')
    await page.route('**/api/v1/export/realm', async (route) =>
      route.request().method() === 'POST'
        ? route.fulfill({ status: 400, json: { result: 'error', code: 'BAD_REQUEST', msg: 'Not this week.' } })
        : route.continue(),
    )
    await page.getByRole('button', { name: 'Start export' }).click()
    await page.getByRole('alert').getByText('Not this week.').waitFor()
    expect(await fetchExports(owner)).toEqual(before)
  })
})

describe.skipIf(!hasBrowser)('organization deactivation', () => {
  it('lets only owners deactivate the organization, and only after they type its name', async () => {
    const { owner, friend, user } = await createTeamOn(server())
    const admin = await user('Ada Admin', { role: 200 })
    const theirs = await openAs(browser(), admin, '/settings/organization')
    await sections(theirs).getByRole('link', { name: 'Profile', exact: true }).first().waitFor()
    expect(await sections(theirs).getByRole('link', { name: 'Deactivation' }).count()).toBe(0)
    const other = await openAs(browser(), friend)
    const page = await openAs(browser(), owner, '/settings/deactivation')
    await page.getByRole('button', { name: 'Deactivate organization' }).click()
    const asking = dialog(page, 'Deactivate organization')
    const button = asking.getByRole('button', { name: 'Deactivate organization' })
    expect(await button.isDisabled()).toBe(true)
    const name = asking.getByLabel('Organization name')
    await name.fill('Hill and Valley')
    expect(await button.isDisabled()).toBe(true)
    await name.press('Enter')
    expect((await friend.call('GET', '/users/me'))['user_id']).toBe(friend.id)
    expect(await accessibilityFaults(page)).toEqual([])
    await name.fill('Hill & Valley')
    await button.click()
    for (const window of [page, other]) await window.getByText('This organization is deactivated.').waitFor()
    expect((await friend.try('GET', '/users/me')).body['code']).toBe('REALM_DEACTIVATED')
  })
})
