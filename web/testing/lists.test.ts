import type { Locator, Page } from 'playwright-core'
import { describe, expect, it } from 'vitest'
import { hasBrowser, pressShortcut, show } from './browser.ts'
import { useTeam } from './shared.ts'
import { say, withChannel, type Team } from './team.ts'

const { team, visit } = useTeam()

const main = (page: Page) => page.getByRole('main')
const sidebar = (page: Page) => page.getByRole('navigation', { name: 'Conversations' })
async function teamWithTopics(topics: readonly string[]): Promise<Team & { readonly channel: string }> {
  const made = await withChannel(await team())
  await made.owner.call('POST', '/mark_all_as_read')
  for (const topic of topics) await say(made.friend, made.channelId, topic, 'Hello')
  return made
}

describe.skipIf(!hasBrowser)('signs in lists', () => {
  it('counts unread messages in every list, with @ for a mention and a dot for a muted topic', async () => {
    const { owner, friend, channel, channelId } = await teamWithTopics(['kale', 'kale', 'leeks', 'leeks'])
    await say(friend, channelId, 'kale', '@**Olivia Owner** look')
    await owner.call('POST', '/user_topics', { stream_id: channelId, topic: 'leeks', visibility_policy: 1 })
    const page = await visit(owner, `/c/${channelId}`)
    const kale = (region: Locator) => region.getByRole('link', { name: /kale.* 3 unread messages, 1 mention/ })
    const leeks = (region: Locator) => region.getByRole('link', { name: /leeks.* 2 unread messages/ })
    await kale(main(page)).getByText('@ 3').waitFor()
    await leeks(main(page)).waitFor()
    expect(await leeks(main(page)).getByText('2', { exact: true }).count()).toBe(0)
    for (const name of [new RegExp(`^${channel}`), /^Inbox/])
      await sidebar(page).getByRole('link', { name }).getByText('@ 3').waitFor()
    await expect.poll(async () => page.title()).toMatch(/^\(3\) /)
    await show(page, '/recent')
    await kale(main(page)).getByText('@ 3').waitFor()
    await show(page, '/inbox')
    await kale(main(page)).getByText('@ 3').waitFor()
    await main(page).getByText('3 unread messages in 1 conversation').waitFor()
    await pressShortcut(page, 'Control+k')
    const option = page.getByRole('option', { name: /^kale/ }).first()
    await option.getByText('@ 3').waitFor()
    await page.keyboard.press('Escape')
  })

  it('shows a bell for a followed topic, and a crossed-out bell for a muted topic, with names', async () => {
    const { owner, channelId } = await teamWithTopics(['mint', 'nettles'])
    for (const [topic, visibility_policy] of [
      ['mint', 3],
      ['nettles', 1],
    ] as const)
      await owner.call('POST', '/user_topics', { stream_id: channelId, topic, visibility_policy })
    const page = await visit(owner, `/c/${channelId}`)
    await main(page)
      .getByRole('link', { name: /mint\s*, followed/ })
      .waitFor()
    await main(page)
      .getByRole('link', { name: /nettles\s*, muted/ })
      .waitFor()
    await show(page, `/c/${channelId}/t/nettles`)
    await page.getByRole('heading', { level: 1, name: /nettles\s*, muted/ }).waitFor()
    await show(page, `/c/${channelId}/t/mint`)
    await page.getByRole('heading', { level: 1, name: /mint\s*, followed/ }).waitFor()
    const follow = page.getByRole('button', { name: 'Unfollow topic' })
    const bell = await follow.locator('path').getAttribute('d')
    expect(await page.getByRole('heading', { level: 1 }).locator('path').last().getAttribute('d')).toBe(bell)
    await follow.click()
    await page.getByRole('button', { name: 'Follow topic', exact: true }).waitFor()
    await page.getByRole('heading', { level: 1, name: /mint$/ }).waitFor()
  })
})
