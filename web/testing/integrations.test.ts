import type { Page } from 'playwright-core'
import { describe, expect, it } from 'vitest'
import { INTEGRATIONS } from '../../server/src/capabilities/integrations/contract/catalog.ts'
import { accessibilityFaults, hasBrowser, show } from './browser.ts'
import { useTeam } from './shared.ts'

const { team, visit } = useTeam()

const dialog = (page: Page) => page.getByRole('dialog')

describe.skipIf(!hasBrowser)('integrations', () => {
  it('sets up an integration with a new bot, and sends a test message', async () => {
    const { friend, owner, channelId } = await team()
    const page = await visit(friend, '/settings/integrations')
    await page.getByRole('button', { name: 'Set up GitHub', exact: true }).click()
    const open = dialog(page)
    await open.getByRole('button', { name: 'Create bot' }).click()
    await open.getByRole('button', { name: 'Show URL' }).click()
    const address = open.getByRole('group', { name: 'URL', exact: true })
    await expect.poll(() => address.evaluate((element) => element === document.activeElement)).toBe(true)
    const [bot] = (await friend.call('GET', '/bots')).bots
    await open.getByLabel('Channel').selectOption('#garden')
    await open.getByLabel('Topic').fill('builds')
    await open.getByRole('textbox', { name: /^Webhook secret/ }).fill('between us')
    await open.getByText('All events').click()
    await open.getByLabel('push', { exact: true }).check()
    await open.getByText('1 kind of event').waitFor()
    const url = new URL(String(await address.textContent()))
    expect(url.pathname).toBe('/api/v1/external/github')
    expect(Object.fromEntries(url.searchParams)).toEqual({
      api_key: bot?.api_key,
      stream: String(channelId),
      topic: 'builds',
      only_events: '["push"]',
      secret: 'between us',
    })
    expect(await accessibilityFaults(page)).toEqual([])
    await open.getByRole('button', { name: 'Send test' }).click()
    const came = open.getByRole('region', { name: 'Posted message' })
    await came.getByText('This is a test: nothing was pushed').waitFor()
    await came.getByRole('link', { name: /builds/ }).waitFor()
    const { messages } = await owner.call('GET', '/messages', {
      anchor: 'newest',
      num_before: 5,
      num_after: 0,
      narrow: [{ operator: 'channel', operand: channelId }],
    })
    expect(messages).toMatchObject([{ sender_id: bot?.user_id, subject: 'builds' }])
    expect(await accessibilityFaults(page)).toEqual([])
  })

  it('shows inline why a test message is refused', async () => {
    const { friend, owner, channelId } = await team()
    const { user_groups } = await owner.call('GET', '/user_groups')
    const nobody = user_groups.find(({ name }) => name === 'role:nobody')?.id
    await owner.call('PATCH', `/streams/${channelId}`, { can_send_message_group: { new: nobody } })
    const inGarden = async (): Promise<unknown> => {
      const narrow = [{ operator: 'channel', operand: channelId }]
      return (await owner.call('GET', '/messages', { anchor: 'newest', num_before: 5, num_after: 0, narrow }))[
        'messages'
      ]
    }
    const before = await inGarden()
    const page = await visit(friend, '/settings/integrations')
    await page.getByRole('button', { name: 'Set up Jenkins', exact: true }).click()
    const open = dialog(page)
    await open.getByRole('button', { name: 'Create bot' }).click()
    await open.getByLabel('Channel').selectOption('#garden')
    await open.getByRole('button', { name: 'Show URL' }).click()
    await open.getByRole('button', { name: 'Send test' }).click()
    await open.getByRole('alert').waitFor()
    expect(await inGarden()).toEqual(before)
    await open.getByLabel('Channel').selectOption('Direct message to the bot’s owner')
    await open.getByRole('button', { name: 'Send test' }).click()
    await open
      .getByRole('region', { name: 'Posted message' })
      .getByText(/A test of the connection/)
      .first()
      .waitFor()
    expect(await open.getByRole('alert').count()).toBe(0)
  })

  it('lists all integrations, and opens one from the palette', async () => {
    const { friend } = await team()
    const page = await visit(friend, '/settings/integrations')
    for (const { displayName, texts } of INTEGRATIONS) {
      await page.getByRole('button', { name: `Set up ${texts.en.title ?? displayName}`, exact: true }).waitFor()
    }
    await show(page, '/inbox')
    await page.getByRole('heading', { name: 'Inbox' }).waitFor()
    await page.keyboard.press('Control+k')
    await page.getByRole('combobox').fill('uptime kuma')
    await page.getByRole('option', { name: /Uptime Kuma/ }).waitFor()
    await page.keyboard.press('Enter')
    const button = page.getByRole('button', { name: 'Set up Uptime Kuma', exact: true })
    await expect.poll(() => button.evaluate((element) => element === document.activeElement)).toBe(true)
  })
})
