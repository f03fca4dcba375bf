import { randomBytes } from 'node:crypto'
import sharp, { type Sharp } from 'sharp'
import { beforeAll, describe, expect, it } from 'vitest'
import { fetchAs, fetchUnauthenticated, upload } from '../../testing/files.ts'
import { useTestServer } from '../../testing/server.ts'
import type { TestUser } from '../../testing/user.ts'
import { THUMBNAIL_FORMATS } from './contract.ts'

const server = useTestServer()

const [STILL, MOVING]: string[] = THUMBNAIL_FORMATS.map(({ name }) => name)

const redImage = (width: number, height: number): Sharp =>
  sharp({ create: { width, height, channels: 3, background: 'red' } })

async function movingPicture(frames: number, side: number): Promise<Sharp> {
  const colors = ['red', 'blue', 'green', 'white']
  const all = await Promise.all(
    Array.from({ length: frames }, async (_, index) =>
      sharp({ create: { width: side, height: side, channels: 3, background: colors[index % colors.length] ?? '' } })
        .png()
        .toBuffer(),
    ),
  )
  return sharp(all, { join: { animated: true } })
}

function thumbnailOf(url: string, format = STILL): string {
  return `${url.replace('/user_uploads/', '/user_uploads/thumbnail/')}/${format}`
}

async function sentHtml(user: TestUser, content: string): Promise<string> {
  const id = await user.sendTo([user.id], content)
  const { message } = await user.call('GET', `/messages/${id}`, { apply_markdown: true })
  return message.content
}

function previewHtml(url: string, attributes: string): string {
  return `<div class="message_inline_image"><a href="${url}" title="p"><img ${attributes}></a></div>`
}

it.each([
  ['photo.png', async () => redImage(1_680, 1_120).png().toBuffer(), '1680x1120', 'image/png', [840, 560]],
  ['photo.jpg', async () => redImage(400, 3_000).jpeg().toBuffer(), '400x3000', 'image/jpeg', [75, 560]],
  // The EXIF orientation rotates this image.
  [
    'turned.jpg',
    async () => redImage(1_200, 800).withMetadata({ orientation: 6 }).jpeg().toBuffer(),
    '800x1200',
    'image/jpeg',
    [373, 560],
  ],
  ['photo.webp', async () => redImage(2_000, 100).webp().toBuffer(), '2000x100', 'image/webp', [840, 42]],
  ['photo.avif', async () => redImage(900, 900).avif({ effort: 0 }).toBuffer(), '900x900', 'image/avif', [560, 560]],
  ['small.gif', async () => redImage(30, 20).gif().toBuffer(), '30x20', 'image/gif', [30, 20]],
  ['wrongly-named.png', async () => redImage(30, 20).jpeg().toBuffer(), '30x20', 'image/png', [30, 20]],
] as const)('shows an upright thumbnail of %s without enlarging it', async (name, make, dimensions, type, size) => {
  const { owner } = await server().organization()
  const url = await upload(owner, name, await make())
  const html = await sentHtml(owner, `[p](${url})`)
  const src = thumbnailOf(url)
  expect(html).toContain(
    previewHtml(url, `data-original-dimensions="${dimensions}" data-original-content-type="${type}" src="${src}"`),
  )
  const { status, headers, bytes } = await fetchAs(owner, src)
  expect(status).toBe(200)
  expect(headers).toMatchObject({
    'content-type': 'image/webp',
    'cache-control': 'private, no-cache',
    'x-content-type-options': 'nosniff',
    'content-disposition': `inline; filename="${name.replace(/\.\w+$/, '.webp')}"`,
  })
  expect(headers['content-security-policy']).toMatch(/^sandbox; default-src 'none'/)
  const { width, height, format, exif } = await sharp(bytes).metadata()
  expect([width, height, format, exif]).toEqual([...size, 'webp', undefined])
  const etag = String(headers['etag'])
  expect((await fetchAs(owner, src, { 'if-none-match': etag })).status).toBe(304)
  expect((await fetchAs(owner, thumbnailOf(url, MOVING))).status).toBe(404)
})

describe('animated images', () => {
  let moving: Sharp
  beforeAll(async () => {
    moving = await movingPicture(3, 900)
  })

  it.each([
    ['gif', async () => moving.clone().gif().toBuffer()],
    ['webp', async () => moving.clone().webp().toBuffer()],
  ])('shows an animated and a still thumbnail: %s', async (ending, make) => {
    const { owner } = await server().organization()
    const url = await upload(owner, `film.${ending}`, await make())
    expect(await sentHtml(owner, `[p](${url})`)).toContain(
      previewHtml(
        url,
        `data-original-dimensions="900x900" data-original-content-type="image/${ending}" data-animated="true" ` +
          `src="${thumbnailOf(url, MOVING)}"`,
      ),
    )
    const [still, film] = await Promise.all(
      [STILL, MOVING].map(async (format) => sharp((await fetchAs(owner, thumbnailOf(url, format))).bytes).metadata()),
    )
    expect(film).toMatchObject({ width: 560, height: 560, pages: 3, format: 'webp' })
    expect(still).toMatchObject({ width: 560, height: 560, format: 'webp' })
    expect(still?.pages).toBe(undefined)
  })

  it('shows a still thumbnail of an animation with too many frames', async () => {
    const { owner } = await server().organization()
    const url = await upload(owner, 'long.gif', await (await movingPicture(201, 8)).gif().toBuffer())
    expect(await sentHtml(owner, `[p](${url})`)).toContain(
      previewHtml(
        url,
        `data-original-dimensions="8x8" data-original-content-type="image/gif" src="${thumbnailOf(url)}"`,
      ),
    )
    expect((await fetchAs(owner, thumbnailOf(url, MOVING))).status).toBe(404)
  })
})

it.each([
  ['a text', 'words.png', async () => Promise.resolve(Buffer.from('<script>alert(1)</script>'))],
  ['an SVG', 'drawing.png', async () => Promise.resolve(Buffer.from('<svg xmlns="http://www.w3.org/2000/svg"/>'))],
  [
    'an image with too many pixels',
    'bomb.png',
    async () => redImage(9_000, 9_000).png({ compressionLevel: 9 }).toBuffer(),
  ],
  ['the beginning of an image', 'cut.webp', async () => (await redImage(900, 900).webp().toBuffer()).subarray(0, 40)],
])('shows no preview of %s in a file named like an image', async (_what, name, make) => {
  const { owner } = await server().organization()
  const content = await make()
  const url = await upload(owner, name, content)
  expect(await sentHtml(owner, `[p](${url})`)).toBe(`<p><a href="${url}">p</a></p>`)
  expect((await fetchAs(owner, thumbnailOf(url))).status).toBe(404)
  expect((await fetchAs(owner, url)).bytes.equals(content)).toBe(true)
})

it('shows the readable part of a truncated image', async () => {
  const { owner } = await server().organization()
  const noise = await sharp(randomBytes(900 * 900 * 3), { raw: { width: 900, height: 900, channels: 3 } })
    .jpeg()
    .toBuffer()
  const url = await upload(owner, 'cut.jpg', noise.subarray(0, noise.length / 2))
  expect(await sentHtml(owner, `[p](${url})`)).toContain('data-original-dimensions="900x900"')
  expect((await fetchAs(owner, thumbnailOf(url))).status).toBe(200)
})

it('shows a thumbnail to people only while they can fetch the file', async () => {
  const { id: organizationId, owner, user } = await server().organization()
  const [ann, ben] = [await user('Ann'), await user('Ben')]
  const { owner: stranger } = await server().organization()
  const url = await upload(owner, 'größe.png', await redImage(30, 20).png().toBuffer())
  const absent = url.replace(/\/[\w-]{22}\//, '/aaaaaaaaaaaaaaaaaaaaaa/')
  const statusFor = async (who: TestUser): Promise<number> => (await fetchAs(who, thumbnailOf(url))).status
  expect(await Promise.all([owner, ann, ben, stranger].map(statusFor))).toEqual([200, 404, 404, 404])
  // Users without access to the file do not learn its size.
  expect(await sentHtml(ben, `[p](${url})`)).not.toContain('data-original')
  const id = await owner.sendTo([ann.id], `[p](${url})`)
  expect(await Promise.all([owner, ann, ben].map(statusFor))).toEqual([200, 200, 404])
  const [hidden, missing] = [await fetchAs(ben, thumbnailOf(url)), await fetchAs(ben, thumbnailOf(absent))]
  expect([hidden.status, hidden.bytes.toString()]).toEqual([missing.status, missing.bytes.toString()])
  expect((await fetchUnauthenticated(owner, thumbnailOf(url))).status).toBe(401)
  expect((await fetchUnauthenticated(owner, thumbnailOf(absent))).status).toBe(401)
  for (const other of ['', 'x.webp', '841x560.webp', '..', '%00']) {
    expect([other, (await fetchAs(owner, thumbnailOf(url, other))).status]).toEqual([other, 404])
  }
  expect((await fetchAs(owner, `/user_uploads/thumbnail/${organizationId}`)).status).toBe(404)
  await owner.call('DELETE', `/messages/${id}`)
  expect(await Promise.all([owner, ann].map(statusFor))).toEqual([200, 404])
})

it("deletes a file's thumbnails with the file", async () => {
  const { id: organizationId, owner } = await server().organization()
  const url = await upload(owner, 'film.gif', await (await movingPicture(2, 20)).gif().toBuffer())
  const countThumbnails = async (): Promise<number> => {
    let count = 0
    for await (const { key } of server().parley.facts.files.list())
      if (new RegExp(`^(?:uploads|thumbnails)/${organizationId}/`).test(key)) count += 1
    return count
  }
  expect(await countThumbnails()).toBe(3)
  const { attachments } = await owner.call('GET', '/attachments')
  const [{ id } = { id: 0 }] = attachments
  await owner.call('DELETE', `/attachments/${id}`)
  expect(await countThumbnails()).toBe(0)
  expect((await fetchAs(owner, thumbnailOf(url))).status).toBe(404)
})

it('reports the thumbnail formats, and renders image previews in unsent messages', async () => {
  const { owner } = await server().organization()
  const { state } = await owner.register({ event_types: ['realm'] })
  expect(state['server_thumbnail_formats']).toEqual(THUMBNAIL_FORMATS)
  const url = await upload(owner, 'p.png', await redImage(30, 20).png().toBuffer())
  const { rendered } = await owner.call('POST', '/messages/render', { content: `[p](${url})` })
  expect(rendered).toContain('data-original-dimensions="30x20"')
})
