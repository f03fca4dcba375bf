import type { Page } from 'playwright-core'
import { describe, expect, it } from 'vitest'
import { countPage } from '../../server/src/capabilities/statistics/actions.ts'
import { upload } from '../../server/src/testing/files.ts'
import { useTestServer } from '../../server/src/testing/server.ts'
import { accessibilityFaults, hasBrowser, LOCAL_DOMAIN, useBrowser } from './browser.ts'
import { useOneTeam } from './one-team.ts'
import { say } from './team.ts'
import { showView } from './views.ts'

const server = useTestServer(LOCAL_DOMAIN)
const { team, visit } = useOneTeam(server, useBrowser())

const chart = (page: Page, name: string) => page.getByRole('img', { name: new RegExp(`^${name} `) })

describe.skipIf(!hasBrowser)('the statistics', () => {
  it('are drawn, said, and read as tables', async () => {
    const { id, owner, friend, channelId } = await team()
    for (const text of ['One', 'Two', 'Three']) await say(friend, channelId, 'beans', text)
    await friend.sendTo([owner.id], 'Psst')
    const log = await server().parley.logs.of(id)
    while (await log.write(countPage));
    const page = await visit(owner, '/settings/statistics')
    await page.getByText(/Messages in channels: \d+\. Direct messages: 1\. Active people: 1\./).waitFor()
    await chart(page, 'Messages').waitFor()
    await chart(page, 'Active people').waitFor()
    const channels = page.getByRole('table', { name: 'Most active channels' })
    await channels.getByRole('row', { name: /garden/ }).waitFor()
    await page.getByText('Show as table').first().click()
    const table = page.getByRole('group', { name: 'Messages' }).getByRole('table')
    expect(await table.getByRole('row').count()).toBe(31)
    expect(await accessibilityFaults(page)).toEqual([])
    await page.getByRole('combobox', { name: 'Period' }).selectOption('Last 14 days')
    await expect.poll(() => table.getByRole('row').count()).toBe(15)
  })

  it('are for administrators alone, as the health of the server', async () => {
    const { friend } = await team()
    const page = await visit(friend, '/settings/profile')
    for (const path of ['/settings/statistics', '/settings/health']) {
      await showView(page, path)
      await page.getByText('Page not found').first().waitFor()
      expect(await page.getByRole('navigation', { name: 'Settings sections' }).getByText('Server').count()).toBe(0)
    }
  })
})

describe.skipIf(!hasBrowser)('the health of the server', () => {
  it('is shown with what waits', async () => {
    const { owner } = await team()
    const { version } = await owner.call('GET', '/server_health')
    const page = await visit(owner, '/settings/health')
    await page.getByText(String(version), { exact: true }).waitFor()
    await page.getByText(/^PostgreSQL .*, answered in \d+ ms$/).waitFor()
    await page.getByText('off: PARLEY_SMTP_URL isn’t set').waitFor()
    await page.getByRole('button', { name: 'Check again' }).click()
    await page.getByText(/^PostgreSQL .*, answered in \d+ ms$/).waitFor()
    expect(await accessibilityFaults(page)).toEqual([])
  })

  it('is shown with what is wrong, once somebody looks again', async () => {
    const { owner } = await team()
    const address = await upload(owner, 'words.txt', 'words')
    // If all files were missing, the page would say that they are at another place.
    await upload(owner, 'more.txt', 'more words')
    const page = await visit(owner, '/settings/health')
    await page.getByText(/^PostgreSQL .*, answered in \d+ ms$/).waitFor()
    const said = page.getByText('1 recently uploaded files are missing.', { exact: true })
    expect(await said.count()).toBe(0)
    await server().parley.facts.files.remove(`uploads/${address.split('/').slice(2, 5).join('/')}`)
    await page.getByRole('button', { name: 'Check again' }).click()
    await page.getByRole('alert').getByText('1 recently uploaded files are missing.', { exact: true }).waitFor()
    await page.getByText('“parley doctor”').waitFor()
    expect(await page.getByText('No problems found', { exact: true }).count()).toBe(0)
    expect(await accessibilityFaults(page)).toEqual([])
  })
})
