import type { Page } from 'playwright-core'
import { describe, expect, it } from 'vitest'
import { hasBrowser, pressShortcut, show } from './browser.ts'
import { useTeam } from './shared.ts'
import { composer, fetchTopicContents, list, say, withChannel } from './team.ts'

const { team, visit } = useTeam()

const main = (page: Page) => page.getByRole('main')
const topicField = (page: Page) => page.getByRole('combobox', { name: 'Topic' })
const focusedLabel = async (page: Page): Promise<string | null> =>
  page.evaluate(() => document.activeElement?.getAttribute('aria-label') ?? null)

async function fillTopic(page: Page, topic: string): Promise<void> {
  await topicField(page).fill(topic)
  await page.keyboard.press('Enter')
}

async function expectOpenTopic(page: Page, topic: string, text: string): Promise<void> {
  await list(page).getByRole('article').getByText(text).waitFor()
  expect(decodeURIComponent(new URL(page.url()).pathname)).toMatch(new RegExp(`/t/${topic}$`))
  expect(await page.getByText('Sent to').count()).toBe(0)
}

describe.skipIf(!hasBrowser)('first message in a topic', () => {
  it('opens the topic of a message sent from the topic list, with the caret in the composer', async () => {
    const { owner, friend, channelId, channel } = await withChannel(await team())
    await say(friend, channelId, 'beans', 'Runner beans')
    const page = await visit(owner, `/c/${channelId}`)
    for (const [topic, text] of [
      ['lunch', 'Soup at noon'],
      ['beans', 'They climb'],
    ] as const) {
      await show(page, `/c/${channelId}`)
      await page.getByRole('textbox', { name: `Message to ${channel}` }).fill(text)
      await fillTopic(page, topic)
      await page.keyboard.press('Control+Enter')
      await expectOpenTopic(page, topic, text)
      await expect.poll(() => focusedLabel(page)).toBe(`Message to ${topic} in ${channel}`)
      await page.keyboard.type('And more')
      expect(await composer(page).inputValue()).toBe('And more')
      await composer(page).fill('')
      expect((await fetchTopicContents(friend, channelId, topic)).at(-1)).toBe(`<p>${text}</p>`)
    }
    await page.goBack()
    await main(page)
      .getByRole('link', { name: /^lunch/ })
      .waitFor()
  })

  it.each(['/feed', '/inbox', '/t/peas'])('opens a topic that was started with a shortcut from %s', async (from) => {
    const { owner, friend, channelId, channel } = await withChannel(await team())
    await say(friend, channelId, 'peas', 'Sweet peas')
    const isInChannel = from !== '/inbox'
    const page = await visit(owner, isInChannel ? `/c/${channelId}${from}` : from)
    await main(page).getByText('Sweet peas').first().waitFor()
    await pressShortcut(page, 'Escape')
    await pressShortcut(page, 'c')
    if (!isInChannel) {
      await page.getByRole('combobox', { name: 'Channel' }).and(page.locator(':focus')).waitFor()
      await page.keyboard.type(channel)
      await page.getByRole('option', { name: channel }).waitFor()
      await page.keyboard.press('Enter')
    }
    await expect.poll(() => focusedLabel(page)).toBe('Topic')
    await page.keyboard.type('roses')
    await page.keyboard.press('Enter')
    await page.keyboard.type('Red ones')
    await page.keyboard.press('Control+Enter')
    await expectOpenTopic(page, 'roses', 'Red ones')
    await expect.poll(() => focusedLabel(page)).toBe(`Message to roses in ${channel}`)
  })

  it('opens the topic of a message sent offline, and delivers the message once reconnected', async () => {
    const { owner, friend, channelId } = await withChannel(await team())
    const page = await visit(owner, `/c/${channelId}`)
    await composer(page).fill('Under water')
    await fillTopic(page, 'reef')
    await page.context().setOffline(true)
    await composer(page).press('Control+Enter')
    await expectOpenTopic(page, 'reef', 'Under water')
    await page.context().setOffline(false)
    await expect.poll(() => fetchTopicContents(friend, channelId, 'reef')).toEqual(['<p>Under water</p>'])
  })

  it('stays in the view that the person opens while a message waits for its upload', async () => {
    const { owner, friend, channelId, channel } = await withChannel(await team())
    await say(friend, channelId, 'peas', 'Sweet peas')
    const page = await visit(owner, `/c/${channelId}`)
    for (const [topic, leave] of [
      ['far', async () => show(page, `/c/${channelId}/t/peas`)],
      ['near', async () => page.getByRole('searchbox', { name: 'Find or start a topic' }).fill('pe')],
    ] as const) {
      await show(page, `/c/${channelId}`)
      let finish = (): void => undefined
      const finished = new Promise<void>((resolve) => {
        finish = resolve
      })
      await page.route('**/api/v1/user_uploads', async (route) => finished.then(async () => route.continue()))
      await composer(page).fill('See')
      await fillTopic(page, topic)
      const chooser = page.waitForEvent('filechooser')
      await page.getByRole('button', { name: 'Attach file' }).click()
      await (await chooser).setFiles({ name: 'plan.txt', mimeType: 'text/plain', buffer: Buffer.from('x') })
      await page.getByRole('progressbar', { name: 'plan.txt' }).waitFor()
      await composer(page).press('Control+Enter')
      await page.getByRole('form').getByText('Sends when the upload finishes').waitFor()
      await leave()
      const at = page.url()
      finish()
      await page.getByText(`Sent to ${topic} in ${channel}`).waitFor()
      expect(page.url()).toBe(at)
      expect(await focusedLabel(page)).not.toBe(`Message to ${topic} in ${channel}`)
      await page.unrouteAll()
    }
  })

  it('opens the topic of a message sent on a touch screen, without the on-screen keyboard', async () => {
    const { owner, channelId } = await withChannel(await team())
    const phone = { viewport: { width: 360, height: 700 }, hasTouch: true, isMobile: true }
    const page = await visit(owner, `/c/${channelId}`, phone)
    await composer(page).fill('From my phone')
    const send = page.getByRole('button', { name: 'Send', exact: true })
    await send.tap()
    const note = page.getByRole('form').getByRole('alert').getByText('Choose where to send the message')
    await note.waitFor()
    expect(await page.getByRole('main').getByRole('status').getByText('Choose where').count()).toBe(0)
    await fillTopic(page, 'lunch')
    await note.waitFor({ state: 'hidden' })
    await send.tap()
    await expectOpenTopic(page, 'lunch', 'From my phone')
    expect(await composer(page).evaluate((field) => field === document.activeElement)).toBe(false)
  })
})

describe.skipIf(!hasBrowser)('first direct message', () => {
  it('opens a direct message with the chosen person, and offers notes to yourself last', async () => {
    const { owner, friend, channelId, user } = await withChannel(await team())
    await user('Gus Visitor', { role: 600 })
    await user('Water Helper', { bot: { ownerId: friend.id } })
    await say(friend, channelId, 'beans', 'Not for Fred')
    const page = await visit(owner, `/c/${channelId}/t/beans`)
    await list(page).getByText('Not for Fred').waitFor()
    await page.getByRole('button', { name: 'New direct message' }).click()
    await page.getByRole('heading', { name: 'New direct message', level: 1 }).waitFor()
    expect(await page.getByText('Not for Fred').count()).toBe(0)
    await page.getByRole('option').last().filter({ hasText: 'Notes to yourself' }).waitFor()
    await page.getByRole('option', { name: /Gus Visitor Guest/ }).waitFor()
    await page.getByRole('option', { name: /Water Helper Bot/ }).waitFor()
    await page.getByRole('option', { name: /Fred Friend/ }).click()
    await page.keyboard.press('Tab')
    await page.keyboard.type('For Fred')
    await page.getByRole('heading', { name: 'Fred Friend', level: 1 }).waitFor()
    expect(await focusedLabel(page)).toBe('Message to Fred Friend')
    expect(await composer(page).inputValue()).toBe('For Fred')
    await composer(page).fill('')
    await page.goBack()
    await list(page).getByText('Not for Fred').waitFor()
  })
})
