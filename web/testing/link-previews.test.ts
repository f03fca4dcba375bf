import sharp from 'sharp'
import { describe, expect, it, onTestFinished } from 'vitest'
import { startWebServer, type WebServer } from '../../server/src/testing/web-server.ts'
import { hasBrowser, openAs } from './browser.ts'
import { useTeam } from './shared.ts'
import { list, say, createTeamOn, withChannel } from './team.ts'

const { server, browser, team, visit } = useTeam({ PARLEY_OUTSIDE_ALLOW: 'localhost' })

async function startWebsite(): Promise<WebServer> {
  const picture = await sharp({ create: { width: 1_000, height: 500, channels: 3, background: '#0a0' } })
    .png()
    .toBuffer()
  const html =
    '<title>How beans grow</title><meta name=description content="In rows."><meta property="og:image" content="/p.png">'
  const started = await startWebServer(({ path }, response) => {
    if (path.endsWith('.png')) response.writeHead(200, { 'content-type': 'image/png' }).end(picture)
    else response.writeHead(200, { 'content-type': 'text/html' }).end(html)
  })
  onTestFinished(async () => started.close())
  return started
}

describe.skipIf(!hasBrowser)('link previews', () => {
  it('shows a link preview with its image live, without requests to other hosts', async () => {
    const { owner, friend, channelId } = await withChannel(await team())
    await owner.call('PATCH', '/realm', { inline_url_embed_preview: true })
    const { port, received } = await startWebsite()
    const page = await visit(owner, `/c/${channelId}/t/beans`)
    const asked: string[] = []
    page.on('request', (request) => asked.push(new URL(request.url()).host))
    await say(friend, channelId, 'beans', `Read http://localhost:${port}/beans`)
    const title = list(page).getByRole('link', { name: 'How beans grow', exact: true })
    await title.waitFor()
    expect(await title.getAttribute('href')).toBe(`http://localhost:${port}/beans`)
    expect(await title.getAttribute('target')).toBe('_blank')
    await list(page).getByText('In rows.', { exact: true }).waitFor()
    const picture = page.waitForResponse((response) => response.url().includes('/external_content/'))
    await page.reload()
    // 304 if the browser revalidates an image in its cache.
    expect([200, 304]).toContain((await picture).status())
    // A preview does not count as an edit.
    await title.waitFor()
    expect(await list(page).getByText('Edited').count()).toBe(0)
    expect(received.map(({ path }) => path)).toEqual(['/beans', '/p.png'])
    expect([...new Set(asked)]).toEqual([new URL(page.url()).host])
  })

  it('shows a linked image at its final size immediately, and opens it enlarged', async () => {
    const { owner, friend, channelId } = await withChannel(await team())
    await owner.call('PATCH', '/realm', { inline_url_embed_preview: false })
    const { port } = await startWebsite()
    const page = await visit(owner, `/c/${channelId}/t/beans`)
    const asked: string[] = []
    page.on('request', (request) => asked.push(new URL(request.url()).host))
    await say(friend, channelId, 'beans', `See http://localhost:${port}/garden.png`)
    const link = list(page).getByRole('link', { name: 'Open image garden.png', exact: true })
    await link.waitFor()
    const image = link.locator('img')
    expect(await image.evaluate((one: HTMLImageElement) => [one.width, one.height])).toEqual([420, 210])
    await expect.poll(() => image.evaluate((one: HTMLImageElement) => one.naturalWidth)).toBe(840)
    await link.click()
    const large = page.getByRole('dialog', { name: 'Image', exact: true })
    await expect
      .poll(() => large.locator('.viewer-stage img').evaluate((one: HTMLImageElement) => one.naturalWidth))
      .toBe(840)
    expect([...new Set(asked)]).toEqual([new URL(page.url()).host])
  })

  it('hides link previews from a person who turned them off', async () => {
    const { owner, friend, channelId } = await createTeamOn(server())
    await owner.call('PATCH', '/realm', { inline_url_embed_preview: true })
    const { port } = await startWebsite()
    const page = await openAs(browser(), owner, `/c/${channelId}/t/beans`)
    await say(friend, channelId, 'beans', `See http://localhost:${port}/beans and http://localhost:${port}/garden.png`)
    const title = list(page).getByRole('link', { name: 'How beans grow', exact: true })
    const picture = list(page).getByRole('link', { name: 'Open image garden.png', exact: true })
    await title.waitFor()
    await picture.waitFor()
    await page.goto(new URL('/settings/reading', page.url()).href)
    const wish = page.getByRole('switch', { name: 'Show link previews', exact: true })
    await wish.click()
    await expect.poll(() => page.evaluate(() => document.documentElement.dataset['previews'])).toBe('hidden')
    await page.goto(new URL(`/c/${channelId}/t/beans`, page.url()).href)
    await list(page).getByText('See http').first().waitFor()
    await expect.poll(() => title.or(picture).count()).toBe(0)
  })
})
