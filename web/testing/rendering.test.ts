import type { Page } from 'playwright-core'
import sharp from 'sharp'
import { describe, expect, it } from 'vitest'
import { hasBrowser, openAs } from './browser.ts'
import { waitUntilStored, loseConnection } from './kept.ts'
import { useTeam } from './shared.ts'
import { composer, list, say, createTeamOn } from './team.ts'

const { server, browser, makeTeam, openPage } = useTeam()

const preview = (page: Page) => page.getByRole('region', { name: 'Preview' })

async function renderedHtml(page: Page, of: 'preview' | 'newest message'): Promise<string> {
  const place = of === 'preview' ? preview(page) : list(page).getByRole('article').last()
  return place.locator('.content').evaluate((element) => element.innerHTML)
}

async function sendMessage(page: Page): Promise<void> {
  await composer(page).press('Control+Enter')
}

describe.skipIf(!hasBrowser)('message preview', () => {
  it('previews a message exactly as sent, without asking the server', async () => {
    const { owner, friend, channelId } = await makeTeam()
    await owner.call('POST', '/realm/filters', { pattern: '#(?P<id>[0-9]+)', url_template: 'https://x.example/{id}' })
    await owner.call('POST', '/user_groups/create', { name: 'Growers', description: '', members: [friend.id] })
    const page = await openPage(owner, `/c/${channelId}/t/beans`)
    const asked: string[] = []
    page.on('request', (request) => asked.push(new URL(request.url()).pathname))
    const text =
      '**Hello** @**Fred Friend** @_*growers* #12 :tada: 🎉 #**garden>beans** @**Nobody** $$x^2$$\n\n' +
      '* <time:2026-01-02T03:04:05Z>\n* [x] Water **roses**\n  * [ ] Dig\n\n> quoted\n\n| a | b |\n|---|:-:|\n| 1 | 2 |\n\n```spoiler more\nhidden\n```'
    await composer(page).fill(text)
    await page.getByRole('button', { name: 'Preview' }).click()
    await preview(page).getByRole('strong').first().waitFor()
    const seen = await renderedHtml(page, 'preview')
    expect(asked).not.toContain('/api/v1/messages/render')
    await sendMessage(page)
    await expect.poll(async () => list(page).getByText('Sending').count()).toBe(0)
    await list(page).getByText('quoted').waitFor()
    expect(await renderedHtml(page, 'newest message')).toBe(seen)
    expect(seen).toContain('href="https://x.example/12"')
    expect(seen).toContain('katex')
    expect(seen).toContain('user-group-mention silent')
    const box = (name: string, checked: boolean) => list(page).getByRole('checkbox', { name, checked, exact: true })
    await box('Water roses', true).waitFor()
    await box('Dig', false).waitFor()
  })

  it('does not reveal private channels in a message preview', async () => {
    const { owner, friend, channelId } = await makeTeam()
    await owner.subscribe(['secret'], { invite_only: true })
    const text = '#**secret** #**secret>plans** #**absent>plans** and *more*'
    for (const [person, isKnown] of [
      [owner, true],
      [friend, false],
    ] as const) {
      const page = await openPage(person, `/c/${channelId}/t/beans`)
      await composer(page).fill(text)
      await page.getByRole('button', { name: 'Preview' }).click()
      await preview(page).getByRole('emphasis').waitFor()
      const { rendered } = await person.call('POST', '/messages/render', { content: text })
      expect(await renderedHtml(page, 'preview')).toBe(rendered)
      expect(rendered.includes('<a ')).toBe(isKnown)
    }
  })

  it('previews images as in the sent message, with a single request', async () => {
    const { owner, channelId } = await makeTeam()
    const page = await openPage(owner, `/c/${channelId}/t/beans`)
    const asked: string[] = []
    page.on('request', (request) => asked.push(new URL(request.url()).pathname))
    const chooser = page.waitForEvent('filechooser')
    await page.getByRole('button', { name: 'Attach file' }).click()
    const picture = sharp({ create: { width: 640, height: 480, channels: 3, background: 'green' } })
    const buffer = await picture.png().toBuffer()
    await (await chooser).setFiles({ name: 'photo (1).png', mimeType: 'image/png', buffer })
    await expect.poll(() => composer(page).inputValue()).toContain('/user_uploads/')
    await page.getByRole('button', { name: 'Preview' }).click()
    await composer(page).press('Control+End')
    await composer(page).pressSequentially('It is *green*')
    await preview(page).getByText('green').waitFor()
    await preview(page).getByRole('img').waitFor()
    const seen = await renderedHtml(page, 'preview')
    expect(seen).toContain('/user_uploads/thumbnail/')
    expect(asked.filter((path) => path === '/api/v1/messages/render')).toHaveLength(1)
    await sendMessage(page)
    await list(page).getByText('green').waitFor()
    await expect.poll(async () => list(page).getByText('Sending').count()).toBe(0)
    expect(await renderedHtml(page, 'newest message')).toBe(seen)
  })
})

describe.skipIf(!hasBrowser)('pending messages', () => {
  it('keeps the position and look of a pending message once the server has it', async () => {
    const { owner, friend, channelId } = await makeTeam()
    await say(friend, channelId, 'beans', 'Before')
    const page = await openPage(owner, `/c/${channelId}/t/beans`)
    await list(page).getByText('Before').waitFor()
    for (const text of ['**First** of two\n\n* one\n* two', 'and _on_ :tada:']) {
      let arrive = (): void => undefined
      const held = new Promise<void>((resolve) => {
        arrive = resolve
      })
      await page.route('**/api/v1/messages', async (route) => {
        await held
        await route.continue()
      })
      await composer(page).fill(text)
      await sendMessage(page)
      const row = list(page).getByRole('article').last()
      await row.getByText(text.includes('First') ? 'two' : 'on', { exact: true }).waitFor()
      expect(await row.getByText('Sending').count()).toBe(1)
      const before = { html: await renderedHtml(page, 'newest message'), box: await row.boundingBox() }
      arrive()
      await expect.poll(async () => list(page).getByText('Sending').count()).toBe(0)
      expect(await renderedHtml(page, 'newest message')).toBe(before.html)
      const box = await row.boundingBox()
      for (const side of ['y', 'height'] as const)
        expect(Math.abs((box?.[side] ?? 0) - (before.box?.[side] ?? Infinity))).toBeLessThanOrEqual(1)
      await page.unroute('**/api/v1/messages')
    }
  })

  it('renders messages offline, even after a reload', async () => {
    const { owner, friend, channelId } = await createTeamOn(server())
    await say(friend, channelId, 'beans', 'They are sprouting')
    const page = await openAs(browser(), owner, `/c/${channelId}/t/beans`, { serviceWorkers: 'allow' })
    await list(page).getByText('sprouting').waitFor()
    await waitUntilStored(page, 'sprouting')
    await loseConnection(page)
    await composer(page).fill('**offline** :tada: @**Fred Friend** $$x$$')
    await page.getByRole('button', { name: 'Preview' }).click()
    await preview(page).getByRole('strong').waitFor()
    const seen = await renderedHtml(page, 'preview')
    await sendMessage(page)
    await list(page).getByText('Waiting for a connection').waitFor()
    expect(await renderedHtml(page, 'newest message')).toBe(seen)
    await page.reload()
    await list(page).getByText('Waiting for a connection').waitFor()
    await expect.poll(async () => renderedHtml(page, 'newest message')).toBe(seen)
    await page.context().setOffline(false)
    await expect.poll(async () => list(page).getByText('Waiting for a connection').count()).toBe(0)
    expect(await renderedHtml(page, 'newest message')).toBe(seen)
    expect(seen).toContain('1f389')
    expect(seen).toContain('katex')
  })

  it('shows plain text if the renderer hangs, and still sends the message', async () => {
    const { owner, channelId } = await makeTeam()
    const page = await openPage(owner, `/c/${channelId}/t/beans`)
    await page.route('**/assets/renderer-*', async (route) => {
      await route.fulfill({ contentType: 'text/javascript', body: 'for (;;);' })
    })
    await composer(page).fill('**tall** beans')
    await page.getByRole('button', { name: 'Preview' }).click()
    await preview(page).getByText('**tall** beans').waitFor()
    await sendMessage(page)
    await list(page).getByText('tall beans').waitFor()
    expect(await renderedHtml(page, 'newest message')).toBe('<p><strong>tall</strong> beans</p>')
  })
})
