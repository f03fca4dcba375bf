import type { Page } from 'playwright-core'
import { describe, expect, it } from 'vitest'
import { countMessagePage } from '../../server/src/capabilities/statistics/actions.ts'
import { upload } from '../../server/src/testing/files.ts'
import { accessibilityFaults, hasBrowser, show } from './browser.ts'
import { useTeam } from './shared.ts'
import { composer, list, say } from './team.ts'
import { showView } from './views.ts'

const { server, team, visit, makeTeam, openPage } = useTeam()

const chart = (page: Page, name: string) => page.getByRole('img', { name: new RegExp(`^${name} `) })

describe.skipIf(!hasBrowser)('statistics', () => {
  it('draws statistics, and shows them as text and tables', async () => {
    const { id, owner, friend, channelId } = await team()
    for (const text of ['One', 'Two', 'Three']) await say(friend, channelId, 'beans', text)
    await friend.sendTo([owner.id], 'Psst')
    const log = await server().parley.logs.of(id)
    while (await log.write(countMessagePage));
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

  it('shows statistics and server health to admins only', async () => {
    const { friend } = await team()
    const page = await visit(friend, '/settings/profile')
    for (const path of ['/settings/statistics', '/settings/health']) {
      await showView(page, path)
      await page.getByText('Page not found').first().waitFor()
      expect(await page.getByRole('navigation', { name: 'Settings sections' }).getByText('Server').count()).toBe(0)
    }
  })
})

describe.skipIf(!hasBrowser)('server health', () => {
  it('shows the server version, the database, and the email status', async () => {
    const { owner } = await team()
    const { version } = await owner.call('GET', '/server_health')
    const page = await visit(owner, '/settings/health')
    await page.getByText(version, { exact: true }).waitFor()
    await page.getByText(/^PostgreSQL .*, answered in \d+ ms$/).waitFor()
    await page.getByText('off: PARLEY_SMTP_URL isn’t set').waitFor()
    await page.getByRole('button', { name: 'Check again' }).click()
    await page.getByText(/^PostgreSQL .*, answered in \d+ ms$/).waitFor()
    expect(await accessibilityFaults(page)).toEqual([])
  })

  it('shows new server problems after the admin checks again', async () => {
    const { owner } = await team()
    const address = await upload(owner, 'words.txt', 'words')
    // Stays in the file store: if all files were missing, the page would report a wrong file store instead.
    await upload(owner, 'more.txt', 'more words')
    const page = await visit(owner, '/settings/health')
    await page.getByText(/^PostgreSQL .*, answered in \d+ ms$/).waitFor()
    const said = page.getByText('1 recently uploaded file is missing.', { exact: true })
    expect(await said.count()).toBe(0)
    await server().parley.facts.files.remove(`uploads/${address.split('/').slice(2, 5).join('/')}`)
    await page.getByRole('button', { name: 'Check again' }).click()
    await page.getByRole('alert').getByText('1 recently uploaded file is missing.', { exact: true }).waitFor()
    await page.getByText('“parley doctor”').waitFor()
    expect(await page.getByText('No problems found', { exact: true }).count()).toBe(0)
    expect(await accessibilityFaults(page)).toEqual([])
  })
})

describe.skipIf(!hasBrowser)('tab speed', () => {
  it('measures the speed of a tab, and copies the measurements', async () => {
    const { owner, friend, channelId } = await makeTeam()
    await say(friend, channelId, 'beans', 'They sprout')
    const page = await openPage(owner, `/c/${channelId}/t/beans`, {
      permissions: ['clipboard-read', 'clipboard-write'],
    })
    await list(page).getByText('They sprout').waitFor()
    await show(page, '/settings/speed')
    const numbers = page.getByRole('table')
    const valueOf = (name: RegExp) => numbers.getByRole('row', { name }).getByRole('cell').first()
    await expect.poll(() => valueOf(/Delivering a message/).innerText()).toBe('not measured yet')
    await show(page, `/c/${channelId}/t/beans`)
    await composer(page).fill('So they do')
    await page.keyboard.press('Control+Enter')
    await list(page).getByText('So they do').waitFor()
    await show(page, '/settings/speed')
    await numbers.getByRole('row', { name: /Delivering a message.*median of 1 / }).waitFor()
    for (const name of [/Delivering a message/, /Opening the page/, /Server response time/])
      expect(await valueOf(name).innerText()).toMatch(/^\d[\d,]*\sms/)
    await numbers.getByRole('row', { name: /with 2 people and 2 messages/ }).waitFor()
    await page.getByRole('button', { name: 'Copy measurements' }).click()
    await page.getByText('Measurements copied').first().waitFor()
    const copied = await page.evaluate(() => navigator.clipboard.readText())
    expect(copied).toMatch(/^- Opening the page: \d[\d,]*\sms \(≤/)
  })
})
