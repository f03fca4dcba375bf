import type { Page } from 'playwright-core'
import { describe, expect, it } from 'vitest'
import { accessibilityFaults, hasBrowser } from './browser.ts'
import { useTeam } from './shared.ts'
import {
  composer,
  createChannel,
  fetchContents,
  fetchTopicContents,
  hasComposerFocus,
  list,
  say,
  withChannel,
  type Team,
} from './team.ts'

const { team, visit } = useTeam()
const teamWithChannel = async (): Promise<Team & { readonly channel: string }> => withChannel(await team())

const rowOf = (page: Page, text: string) => list(page).getByRole('article').filter({ hasText: text })
const quote = (page: Page) => page.getByRole('group', { name: 'Replying to Fred Friend' })

async function select(page: Page, text: string): Promise<void> {
  await list(page)
    .getByText(text, { exact: true })
    .evaluate((element) => document.getSelection()?.selectAllChildren(element))
}

describe.skipIf(!hasBrowser)('reply to a message', () => {
  it('shows a quoted message above the composer, keeps it in the draft, and sends it with a link', async () => {
    const { owner, friend, channelId } = await teamWithChannel()
    const id = await say(friend, channelId, 'beans', 'Water the **beans**\n\nat noon')
    const page = await visit(owner, `/c/${channelId}/t/beans`)
    await rowOf(page, 'Water the').hover()
    await rowOf(page, 'Water the').getByRole('button', { name: 'Reply', exact: true }).click()
    await quote(page).getByText('Water the beans').waitFor()
    await expect.poll(() => hasComposerFocus(page)).toBe(true)
    expect(await composer(page).inputValue()).toBe('')
    expect(await accessibilityFaults(page)).toEqual([])
    await page.keyboard.type('Done')
    await page.waitForResponse('**/drafts')
    await page.reload()
    await quote(page).getByText('Water the beans').waitFor()
    expect(await composer(page).inputValue()).toBe('Done')
    await composer(page).press('Control+Enter')
    await expect.poll(async () => (await fetchTopicContents(friend, channelId, 'beans')).length).toBe(2)
    const sent = (await fetchTopicContents(friend, channelId, 'beans')).at(-1)
    expect(sent).toMatch(
      /wrote<\/a>:<\/p>\n<blockquote>\n<p>Water the <strong>beans<\/strong><\/p>\n<p>at noon<\/p>\n<\/blockquote>\n<p>Done/,
    )
    await expect.poll(() => quote(page).count()).toBe(0)
    await list(page).getByRole('link', { name: 'wrote' }).click()
    await expect.poll(() => page.url()).toContain(`near=${id}`)
  })

  it('removes a quote with its button, and puts a second quote below the answer to the first quote', async () => {
    const { owner, friend, channelId } = await teamWithChannel()
    await say(friend, channelId, 'beans', 'First bean')
    await say(friend, channelId, 'beans', 'Second bean')
    const page = await visit(owner, `/c/${channelId}/t/beans`)
    await rowOf(page, 'First bean').focus()
    await page.keyboard.press('>')
    await quote(page).getByText('First bean').waitFor()
    await page.getByRole('button', { name: 'Remove quote' }).click()
    await expect.poll(() => quote(page).count()).toBe(0)
    await rowOf(page, 'First bean').focus()
    await page.keyboard.press('>')
    await quote(page).getByText('First bean').waitFor()
    await page.keyboard.type('One')
    await rowOf(page, 'Second bean').focus()
    await page.keyboard.press('>')
    await expect
      .poll(() => composer(page).inputValue())
      .toMatch(/^One\n\n@_\*\*Fred Friend\|\d+\*\* .*\n```quote\nSecond/)
    await quote(page).getByText('First bean').waitFor()
    await composer(page).fill('')
    await page.getByRole('button', { name: 'Remove quote' }).click()
  })

  it('quotes only the selected part of a message with a button that appears beside it', async () => {
    const { owner, friend, channelId } = await teamWithChannel()
    await say(friend, channelId, 'beans', 'Tall beans\n\n* and `peas`\n* and **leeks**')
    const page = await visit(owner, `/c/${channelId}/t/beans`)
    const offer = page.getByRole('button', { name: 'Quote', exact: true })
    await rowOf(page, 'Tall beans').focus()
    await select(page, 'Tall beans')
    await offer.waitFor()
    await page.keyboard.press('Escape')
    await expect.poll(() => offer.count()).toBe(0)
    await select(page, 'leeks')
    await offer.click()
    await quote(page).getByText('leeks', { exact: true }).waitFor()
    await page.keyboard.type('Fine')
    await page.keyboard.press('Control+Enter')
    const contents = async () => (await fetchTopicContents(friend, channelId, 'beans')).at(-1)
    await expect.poll(contents).toContain('<blockquote>\n<p><strong>leeks</strong></p>\n</blockquote>\n<p>Fine')
    await rowOf(page, 'Tall beans').first().focus()
    await select(page, 'peas')
    await page.keyboard.press('>')
    await quote(page).getByText('peas', { exact: true }).waitFor()
    await page.getByRole('button', { name: 'Remove quote' }).click()
  })
})

describe.skipIf(!hasBrowser)('forwarding', () => {
  it('forwards a message from a private channel, with a comment, without naming the channel', async () => {
    const made = await team()
    const { owner, friend } = made
    const channelId = await createChannel(owner, 'secret plans', [friend], { invite_only: true })
    const id = await say(friend, channelId, 'hidden topic', 'Buy **beans**')
    const page = await visit(owner, `/c/${channelId}/t/hidden%20topic`)
    await rowOf(page, 'Buy').focus()
    await page.keyboard.press('<')
    const dialog = page.getByRole('dialog', { name: 'Forward message' })
    await dialog.getByRole('group', { name: 'Original message' }).getByText('Buy beans').waitFor()
    await page.keyboard.type('Fred')
    await page.getByRole('option', { name: /Fred Friend/ }).click()
    await dialog.getByText('The original is in a private channel.').waitFor()
    expect(await accessibilityFaults(page)).toEqual([])
    await dialog.getByRole('textbox', { name: 'Comment' }).fill('As agreed')
    await page.keyboard.press('Escape')
    await page.getByText('Forwarding canceled').waitFor()
    await page.keyboard.press('Control+z')
    expect(await dialog.getByRole('textbox', { name: 'Comment' }).inputValue()).toBe('As agreed')
    await dialog.getByRole('button', { name: 'Forward', exact: true }).click()
    await page.getByText('Sent to Fred Friend').waitFor()
    const last = async () => (await fetchContents(friend)).at(-1)
    await expect.poll(last).toContain('<p>As agreed</p>')
    expect(await last()).toContain('<blockquote>\n<p>Buy <strong>beans</strong></p>\n</blockquote>')
    expect(await last()).toContain(`/c/${channelId}/feed?near=${id}`)
    expect(await last()).not.toMatch(/secret|hidden/)
  })

  it('finds people, channels, and topics to forward to in one field, and says if nothing matches', async () => {
    const { owner, friend, channelId, channel } = await teamWithChannel()
    await say(friend, channelId, 'tall beans', 'Buy beans')
    const page = await visit(owner, `/c/${channelId}/t/tall%20beans`)
    await rowOf(page, 'Buy').focus()
    await page.keyboard.press('<')
    const dialog = page.getByRole('dialog', { name: 'Forward message' })
    const to = dialog.getByRole('combobox', { name: 'To', exact: true })
    await expect.poll(() => to.evaluate((field) => field === document.activeElement)).toBe(true)
    await page.keyboard.type('nobody at all')
    await dialog.getByText('No matches').waitFor()
    await dialog.getByRole('textbox', { name: 'Comment' }).click()
    expect(await to.inputValue()).toBe('nobody at all')
    await to.fill('tall')
    await page.getByRole('option', { name: `tall beans ${channel}` }).click()
    await dialog.getByRole('button', { name: `Remove ${channel}` }).click()
    await page.keyboard.type(channel)
    await page.getByRole('option', { name: channel, exact: true }).click()
    const topic = dialog.getByRole('combobox', { name: 'Topic', exact: true })
    const comment = dialog.getByRole('textbox', { name: 'Comment' })
    await topic.and(page.locator(':focus')).waitFor()
    await page.keyboard.type('peez')
    await page.keyboard.press('Enter')
    await comment.and(page.locator(':focus')).waitFor()
    await topic.fill('peas')
    await page.keyboard.press('Enter')
    await page.keyboard.type('Here')
    await page.keyboard.press('Control+Enter')
    await expect.poll(async () => (await fetchTopicContents(friend, channelId, 'peas')).at(-1)).toContain('<p>Here</p>')
  })
})
