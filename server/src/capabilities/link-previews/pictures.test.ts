import sharp from 'sharp'
import { describe, expect, it } from 'vitest'
import { signIn } from '../../testing/browser.ts'
import { sendFiles } from '../../testing/files.ts'
import { runJob } from '../../testing/jobs.ts'
import { useTestServer } from '../../testing/server.ts'
import type { Body } from '../../testing/user.ts'
import { deleteSurplusPreviews, deleteUnlinkedPreviews } from './jobs/index.ts'
import { PREVIEW_LIMIT } from './contract.ts'
import {
  contentOf,
  countRows,
  page,
  register,
  previewRows,
  createSceneOn,
  waitForPreviews,
  WAIT_OPTIONS,
  TITLED_PAGE,
  messageUpdates,
  type Answer,
  type Scene,
} from './testing/scene.ts'

const server = useTestServer({ PARLEY_OUTSIDE_ALLOW: 'localhost' })

const createScene = async (answer: Answer, settings?: Body): Promise<Scene> => createSceneOn(server(), answer, settings)

async function png(width: number, height: number): Promise<Buffer> {
  return sharp({ create: { width, height, channels: 3, background: '#0a0' } })
    .png()
    .toBuffer()
}

const picture = (bytes: Buffer, type = 'image/png'): Answer => {
  return (_, response) => response.writeHead(200, { 'content-type': type }).end(bytes)
}

const PAGE_PREVIEWS_OFF = { inline_url_embed_preview: false }

function imageUrlIn(html: unknown): string {
  return /\/external_content\/[\w-]{24}\/[\w.-]+/.exec(String(html))?.[0] ?? ''
}

describe('linked images', () => {
  it('shows a thumbnail of a linked image only to signed-in people', async () => {
    const place = await createScene(picture(await png(1_000, 500)), PAGE_PREVIEWS_OFF)
    const { owner, ann, site, at } = place
    const queue = await register(owner)
    const id = await ann.send('news', 'a', `Look: ${at('/my%20cat.png?a=1&b')}`)
    const [told] = await messageUpdates(queue, 1)
    expect(told).toMatchObject({ message_id: id, rendering_only: true })
    const address = imageUrlIn(told?.['rendered_content'])
    const href = at('/my%20cat.png?a=1&amp;b')
    expect(String(told?.['rendered_content']).split('\n')[1]).toBe(
      `<div class="message_inline_image"><a href="${href}" title="my cat.png">` +
        `<img data-original-dimensions="1000x500" data-original-content-type="image/png" src="${address}"></a></div>`,
    )
    expect(address).toMatch(/\/840x560\.webp$/)
    expect(site.received.length).toBe(1)
    const browser = await signIn(owner)
    const fetched = await browser.fetches(address)
    expect(fetched).toMatchObject({
      status: 200,
      headers: { 'content-type': 'image/webp', 'cache-control': 'private, no-cache' },
    })
    expect(fetched.headers['content-security-policy']).toContain("default-src 'none'")
    expect((await browser.fetches(address, {})).status).toBe(401)
    const elsewhere = await server().organization()
    expect((await (await signIn(elsewhere.owner)).fetches(address)).status).toBe(404)
    const narrow = [{ operator: 'has', operand: 'image' }]
    const found = await owner.call('GET', '/messages', { narrow, anchor: 'newest', num_before: 9, num_after: 0 })
    expect(found.messages.map((message) => message.id)).toEqual([id])
  })

  it('serves only fetched images at external content URLs', async () => {
    const place = await createScene(picture(await png(10, 10)), PAGE_PREVIEWS_OFF)
    const queue = await register(place.owner)
    await place.ann.send('news', 'a', place.at('/p.png'))
    const address = imageUrlIn((await messageUpdates(queue, 1))[0]?.['rendered_content'])
    const browser = await signIn(place.owner)
    const target = encodeURIComponent(place.at('/other.png'))
    for (const path of [
      `/external_content/${'a'.repeat(24)}/840x560.webp`,
      `/external_content/${'a'.repeat(24)}/${target}`,
      `/external_content/${target}`,
      `/external_content/${target}/840x560.webp`,
      address.replace('840x560', '../840x560'),
      address.replace('840x560', '840x560-anim'),
      `${address}?url=${target}`.replace('840x560.webp', 'x'),
    ]) {
      expect([path, (await browser.fetches(path)).status]).toEqual([path, 404])
    }
    expect(place.site.received.length).toBe(1)
  })

  it('shows an animated image with a still version', async () => {
    const frames = await Promise.all(
      ['#f00', '#0f0', '#00f'].map(async (background) =>
        sharp({ create: { width: 60, height: 40, channels: 3, background } })
          .png()
          .toBuffer(),
      ),
    )
    const gif = await sharp(frames, { join: { animated: true } })
      .gif()
      .toBuffer()
    const { owner, ann, at } = await createScene(picture(gif, 'image/gif'), PAGE_PREVIEWS_OFF)
    const queue = await register(owner)
    await ann.send('news', 'a', at('/p.gif'))
    const [told] = await messageUpdates(queue, 1)
    const html = String(told?.['rendered_content'])
    expect(html).toContain(
      'data-original-dimensions="60x40" data-original-content-type="image/gif" data-animated="true"',
    )
    const address = imageUrlIn(html)
    expect(address).toMatch(/\/840x560-anim\.webp$/)
    const browser = await signIn(owner)
    for (const one of [address, address.replace('-anim', '')]) expect((await browser.fetches(one)).status).toBe(200)
  })

  it('accepts image uploads while many linked images are being processed', async () => {
    const large = await png(4_000, 4_000)
    const [one, other] = [
      await createScene(picture(large), PAGE_PREVIEWS_OFF),
      await createScene(picture(large), PAGE_PREVIEWS_OFF),
    ]
    for (const place of [one, other]) {
      const people = await Promise.all(['Ben', 'Cas', 'Dan', 'Eva'].map(async (name) => place.user(name)))
      await place.owner.subscribe(['news'], { principals: people.map(({ id }) => id) })
      for (const person of people) await person.send('news', 'a', place.at(`/${person.id}.png`))
    }
    await expect.poll(() => one.site.received.length + other.site.received.length, WAIT_OPTIONS).toBe(8)
    const mine = { name: 'mine.png', content: await png(20, 10), type: 'image/png' }
    expect((await sendFiles(one.ann, '/user_uploads', [mine])).status).toBe(200)
    const done = [...(await previewRows(one)), ...(await previewRows(other))].filter(
      ({ fetched_at }) => fetched_at !== null,
    )
    expect(done.length).toBeLessThan(5)
    for (const place of [one, other]) await waitForPreviews(place, 4)
  }, 60_000)

  it("strips control characters from a linked image's title", async () => {
    const { owner, ann, at } = await createScene(picture(await png(10, 10)), PAGE_PREVIEWS_OFF)
    const queue = await register(owner)
    const first = await ann.send('news', 'a', `[x](${at('/a%00b%0A%E2%80%AE.png')})`)
    const [told] = await messageUpdates(queue, 1)
    expect(told).toMatchObject({ message_id: first, rendering_only: true })
    expect(told?.['rendered_content']).toContain(` title="ab .png"><img `)
    const second = await ann.send('news', 'a', 'nothing')
    await ann.call('PATCH', `/messages/${second}`, { content: `[y](${at('/a%00b%0A%E2%80%AE.png')})` })
    expect(await contentOf(owner, second)).toContain(' title="ab .png"><img ')
  })

  it('detects images by content rather than content type or URL', async () => {
    const bytes = await png(30, 20)
    const place = await createScene((request, response) => {
      if (request.path === '/page.png') page(TITLED_PAGE)(request, response)
      else response.writeHead(200, { 'content-type': 'text/html' }).end(bytes)
    })
    const { owner, ann, at } = place
    const queue = await register(owner)
    await ann.send('news', 'a', `${at('/picture')} ${at('/page.png')}`)
    await messageUpdates(queue, 2)
    const [message] = (
      await owner.call('GET', '/messages', {
        anchor: 'newest',
        num_before: 1,
        num_after: 0,
        apply_markdown: true,
      })
    ).messages
    const [, first = '', second = ''] = String(message?.['content']).split('\n')
    expect(first).toContain('class="message_inline_image"')
    expect(first).toContain('data-original-dimensions="30x20" data-original-content-type="image/png"')
    expect(second).toContain('class="message_embed_title"')
  })

  it('fetches up to ten images per message and none if images are disabled', async () => {
    const off = await createScene(picture(await png(10, 10)), { ...PAGE_PREVIEWS_OFF, inline_image_preview: false })
    await off.ann.send('news', 'a', off.at('/p.png'))
    const place = await createScene(picture(await png(10, 10)), PAGE_PREVIEWS_OFF)
    const queue = await register(place.owner)
    await place.ann.send('news', 'a', place.at('/page'))
    const many = Array.from({ length: 12 }, (_, index) => place.at(`/${index}.png`))
    const id = await place.ann.send('news', 'a', many.join(' '))
    await messageUpdates(queue, 10)
    await waitForPreviews(place, 10)
    expect((await contentOf(place.owner, id)).split('message_inline_image').length - 1).toBe(10)
    expect(place.site.received.map(({ path }) => path).toSorted()).toEqual(
      Array.from({ length: 10 }, (_, index) => `/${index}.png`),
    )
    expect(off.site.received).toEqual([])
  })
})

describe('page images', () => {
  it("shows a page's image, served by this server, next to the page's text", async () => {
    const bytes = await png(1_000, 500)
    const { owner, ann, at } = await createScene(({ path }, response) => {
      if (path.endsWith('.png')) response.writeHead(200, { 'content-type': 'image/png' }).end(bytes)
      else
        response
          .writeHead(200, { 'content-type': 'text/html' })
          .end(`${TITLED_PAGE}<meta property="og:image" content="/of%20page.png">`)
    })
    const queue = await register(owner)
    await ann.send('news', 'a', at('/page'))
    const html = String((await messageUpdates(queue, 1))[0]?.['rendered_content'])
    const address = imageUrlIn(html)
    expect(html).toContain(
      `<div class="message_embed"><a class="message_embed_image" href="${at('/page')}" aria-hidden="true" tabindex="-1" ` +
        `style="background-image: url(&quot;${address}&quot;)"></a><div class="data-container">`,
    )
    expect(html).not.toContain('of%20page')
    expect((await (await signIn(owner)).fetches(address)).status).toBe(200)
  })

  it.each<[string, () => Promise<Buffer> | Buffer, string]>([
    ['an SVG sent as a PNG', () => Buffer.from('<svg xmlns="http://www.w3.org/2000/svg"/>'), 'image/png'],
    ['an SVG', () => Buffer.from('<svg xmlns="http://www.w3.org/2000/svg"/>'), 'image/svg+xml'],
    ['a decompression bomb', async () => png(8_000, 7_000), 'image/png'],
    ['broken', async () => (await png(10, 10)).subarray(0, 40), 'image/png'],
    [
      'too large',
      () => Buffer.concat([Buffer.from('\x89PNG\r\n\x1a\n', 'latin1'), Buffer.alloc(9_000_000)]),
      'image/png',
    ],
  ])('shows no image that is %s', async (_, make, type) => {
    const bytes = await make()
    const place = await createScene(({ path }, response) => {
      if (path === '/p.png') response.writeHead(200, { 'content-type': type }).end(bytes)
      else
        response
          .writeHead(200, { 'content-type': 'text/html' })
          .end(`${TITLED_PAGE}<meta property="og:image" content="/p.png">`)
    })
    const queue = await register(place.owner)
    await place.ann.send('news', 'a', `${place.at('/page')} ${place.at('/p.png')}`)
    const [told] = await messageUpdates(queue, 1)
    await waitForPreviews(place, 2)
    expect(told?.['rendered_content']).toContain('A title')
    expect(told?.['rendered_content']).not.toContain('external_content')
    expect(await queue.events()).toEqual([])
  })

  it("does not fetch a page's image if images are disabled", async () => {
    const place = await createScene(page(`${TITLED_PAGE}<meta property="og:image" content="/p.png">`), {
      inline_image_preview: false,
    })
    const queue = await register(place.owner)
    await place.ann.send('news', 'a', place.at('/page'))
    await messageUpdates(queue, 1)
    expect(place.site.received.map(({ path }) => path)).toEqual(['/page'])
  })
})

const PREVIEWS_BEYOND_ONE_QUERY = 600

async function addPreviews({ id }: Scene, from: number, count: number, fetchedAt = 4_000_000_000): Promise<void> {
  await server().parley.database.pool.query(
    `insert into link_previews (organization_id, id, url, url_digest, fetched_at)
     select $1, n, 'http://localhost/', sha256(n::text::bytea), $4
     from generate_series($2::int, $2::int + $3::int - 1) n`,
    [id, from, count, fetchedAt],
  )
}

describe('preview cleanup', () => {
  it('deletes a preview and its image a day after the last link to the page is gone', async () => {
    const place = await createScene(picture(await png(10, 10)), PAGE_PREVIEWS_OFF)
    const { owner, ann, at, id } = place
    const queue = await register(owner)
    const kept = await ann.send('news', 'a', at('/kept.png'))
    const gone = await ann.send('news', 'a', at('/gone.png'))
    const told = await messageUpdates(queue, 2)
    const address = (message: number): string =>
      imageUrlIn(told.find(({ message_id }) => message_id === message)?.['rendered_content'])
    await owner.call('DELETE', `/messages/${gone}`)
    await runJob(server().parley, deleteUnlinkedPreviews)
    expect((await previewRows(place)).length).toBe(2)
    await server().parley.database.pool.query(
      'update link_previews set fetched_at = fetched_at - 86401 where organization_id = $1',
      [id],
    )
    await addPreviews(place, 1_000_000, PREVIEWS_BEYOND_ONE_QUERY, 1)
    await runJob(server().parley, deleteUnlinkedPreviews)
    expect((await previewRows(place)).map(({ url }) => url)).toEqual([at('/kept.png')])
    const browser = await signIn(owner)
    expect((await browser.fetches(address(gone))).status).toBe(404)
    expect((await browser.fetches(address(kept))).status).toBe(200)
  })

  it('deletes the oldest previews beyond the limit and removes them from messages', async () => {
    const place = await createScene(picture(await png(10, 10)), PAGE_PREVIEWS_OFF)
    const { owner, ann, at } = place
    const queue = await register(owner)
    const message = await ann.send('news', 'a', at('/old.png'))
    const address = imageUrlIn((await messageUpdates(queue, 1))[0]?.['rendered_content'])
    await addPreviews(place, 1_000_000, PREVIEW_LIMIT.most - 1)
    await runJob(server().parley, deleteSurplusPreviews)
    expect(await countRows(place)).toBe(PREVIEW_LIMIT.most)
    await addPreviews(place, 2_000_000, PREVIEWS_BEYOND_ONE_QUERY)
    await runJob(server().parley, deleteSurplusPreviews)
    expect(await countRows(place)).toBe(PREVIEW_LIMIT.most)
    expect(await messageUpdates(queue, 1)).toMatchObject([{ message_id: message, user_id: null, rendering_only: true }])
    expect(await contentOf(owner, message)).not.toContain('external_content')
    expect((await (await signIn(owner)).fetches(address)).status).toBe(404)
  })
})
