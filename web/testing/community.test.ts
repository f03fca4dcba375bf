import type { Page } from 'playwright-core'
import { describe, expect, it } from 'vitest'
import { accessibilityFaults, hasBrowser, openMenuWith } from './browser.ts'
import { useTeam } from './shared.ts'
import { composer, withChannel } from './team.ts'
import { isTooWide } from './views.ts'

const { openPage, team, visit } = useTeam()

const PHONE = { viewport: { width: 320, height: 640 } }

const warnings = (page: Page) => page.getByRole('list', { name: 'Before you send' })

describe.skipIf(!hasBrowser)('open communities', () => {
  it('sets slow mode, counts down in the composer, and keeps the text meanwhile', async () => {
    const { friend, owner, channelId } = await withChannel(await team())
    const page = await visit(owner, `/c/${channelId}/t/beans`)
    const slowMode = await openMenuWith(page.getByRole('menuitem', { name: 'Set slow mode' }), async () =>
      page.getByRole('main').getByRole('button', { name: 'More', exact: true }).click(),
    )
    await slowMode.click()
    const dialog = page.getByRole('dialog', { name: 'Slow mode' })
    await dialog.getByRole('combobox').selectOption('1 hour')
    expect(await accessibilityFaults(page)).toEqual([])
    await dialog.getByRole('button', { name: 'Save' }).click()
    await page.getByText('Slow mode: 1 hour').waitFor()
    await owner.send(channelId, 'beans', 'Moderators need not wait')
    await owner.send(channelId, 'beans', 'at all')

    const other = await visit(friend, `/c/${channelId}/t/beans`)
    await composer(other).fill('First')
    await warnings(other).getByText('Slow mode: wait 1 hour between messages.').waitFor()
    await composer(other).press('Control+Enter')
    await warnings(other)
      .getByText(/^Slow mode: you can send your next message in (1:00:00|59:\d\d)\.$/)
      .waitFor()
    await composer(other).fill('Second')
    await composer(other).press('Control+Enter')
    expect(await composer(other).inputValue()).toBe('Second')
    await page.getByRole('button', { name: 'Undo' }).click()
    await expect.poll(async () => warnings(other).count()).toBe(0)
    await composer(other).press('Control+Enter')
    await expect.poll(async () => composer(other).inputValue()).toBe('')
  })

  it('locks the organization down from settings, shows everyone a banner, and ends by hand', async () => {
    const { friend, owner, channelId } = await withChannel(await team())
    await owner.call('PATCH', '/realm', { newcomer_messages: 50 })
    const other = await openPage(friend, `/c/${channelId}/t/beans`, PHONE)
    await composer(other).fill('See https://example.com')
    await warnings(other).getByText('New members can’t post links yet.').waitFor()
    const page = await visit(owner, '/settings/community')
    await page.getByRole('combobox', { name: 'Days after which members are no longer new' }).selectOption('7 days')
    await expect.poll(async () => owner.call('GET', '/realm/newcomer_limits')).toMatchObject({ newcomer_days: 7 })
    await page.getByRole('main').getByRole('button', { name: 'Lock down for an hour' }).click()
    await page.getByRole('dialog').getByRole('button', { name: 'Lock down for an hour' }).click()
    const banner = other.getByText(/^Locked down until/)
    await banner.waitFor()
    await warnings(other)
      .getByText(/^The organization is locked down\./)
      .waitFor()
    expect(await isTooWide(other)).toBe(false)
    expect(await accessibilityFaults(other)).toEqual([])
    await page.getByRole('main').getByRole('button', { name: 'End lock-down' }).first().click()
    await banner.waitFor({ state: 'detached' })
  })
})
