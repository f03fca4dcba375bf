import { deflateSync } from 'node:zlib'
import { describe, expect, it, onTestFinished } from 'vitest'
import { readAllowedDestinations } from '../../platform/outside/addresses.ts'
import { createOutsideClient } from '../../platform/outside/outside.ts'
import { startNameServer } from '../../testing/name-server.ts'
import { useTestServer } from '../../testing/server.ts'
import type { Body } from '../../testing/user.ts'
import { createSilentService } from '../../testing/web-server.ts'
import { fetchPreview } from './jobs/fetch.ts'
import { CONCURRENCY_LIMITS } from './queries.ts'
import {
  contentOf,
  page,
  register,
  createSceneOn,
  waitForPreviews,
  startSite,
  WAIT_OPTIONS,
  TITLED_PAGE,
  messageUpdates,
  type Answer,
  type Scene,
} from './testing/scene.ts'

const server = useTestServer({ PARLEY_OUTSIDE_ALLOW: 'localhost' })

const createScene = async (answer: Answer, settings?: Body): Promise<Scene> => createSceneOn(server(), answer, settings)

it('previews links to a responding site while many links to another site get no response', async () => {
  const silence = createSilentService()
  const { owner, ann, at } = await createScene((_, response) => silence.answer(response))
  const well = await startSite(page(TITLED_PAGE))
  const queue = await register(owner)
  for (let message = 0; message < 3; message += 1) {
    await ann.send('news', 'a', Array.from({ length: 20 }, (_, link) => at(`/${message}/${link}`)).join(' '))
  }
  await expect.poll(silence.mostAtOnce, WAIT_OPTIONS).toBe(CONCURRENCY_LIMITS.maxUnitsPerPersonAndHost)
  const ids = [
    await owner.send('news', 'b', `http://localhost:${well.port}/owner`),
    await ann.send('news', 'b', `http://localhost:${well.port}/ann`),
  ]
  const told = await messageUpdates(queue, 2)
  expect(told.map(({ message_id }) => Number(message_id)).toSorted((a, b) => a - b)).toEqual(ids)
  expect(silence.mostAtOnce()).toBe(CONCURRENCY_LIMITS.maxUnitsPerPersonAndHost)
})

describe('hostile pages', () => {
  it("escapes a preview's title and description", async () => {
    const title = '</a></div><script>alert(1)</script><img src=x onerror=alert(1)>" onclick="x'
    const escaped = title.replaceAll('&', '&amp;').replaceAll('<', '&lt;').replaceAll('"', '&quot;')
    const { owner, ann, at } = await createScene(
      page(`<meta property="og:title" content="${escaped}"><meta name=description content="a\u202eb">`),
    )
    const queue = await register(owner)
    await ann.send('news', 'a', at('/'))
    const html = String((await messageUpdates(queue, 1))[0]?.['rendered_content'])
    expect(html).not.toMatch(/<script|<img|onerror=alert\(1\)>|" onclick/)
    expect(html).toContain('&lt;script&gt;')
    expect(html).toContain('<div class="message_embed_description">ab</div>')
  })

  it('keeps message text that imitates a preview', async () => {
    const { owner, ann, at } = await createScene(page(TITLED_PAGE))
    const queue = await register(owner)
    const forged = '<div class="message_embed">\n<div class="message_inline_image"><a href="https://x.example/">'
    const id = await ann.send('news', 'a', `${forged}\n${at('/x')}\nend`)
    await messageUpdates(queue, 1)
    const html = await contentOf(owner, id)
    expect(html).toContain('&lt;div class="message_embed"&gt;'.replaceAll('"', '&quot;'))
    expect(html).toContain('end</p>\n<div class="message_embed">')
  })

  it.each<[string, Answer]>([
    ['is not HTML', page('{"title": 1}', 'application/json')],
    ['has no title', page('<p>Hello')],
    ['answers 404', (_, response) => response.writeHead(404, { 'content-type': 'text/html' }).end(TITLED_PAGE)],
    [
      'is compressed',
      (_, response) =>
        response
          .writeHead(200, { 'content-type': 'text/html', 'content-encoding': 'gzip' })
          .end(deflateSync(TITLED_PAGE)),
    ],
    ['redirects forever', ({ path }, response) => response.writeHead(302, { location: `${path}a` }).end()],
    ['redirects to another scheme', (_, response) => response.writeHead(302, { location: 'file:///etc/passwd' }).end()],
  ])('shows no preview of a page that %s', async (_, answer) => {
    const place = await createScene(answer)
    const queue = await register(place.owner)
    const id = await place.ann.send('news', 'a', place.at('/x'))
    await waitForPreviews(place, 1)
    expect(await contentOf(place.owner, id)).not.toContain('message_embed')
    expect(await queue.events()).toEqual([])
  })

  it.each<[string, Answer]>([
    ['huge', page(TITLED_PAGE + ' '.repeat(3_000_000))],
    [
      'endless',
      (_, response) => {
        response.writeHead(200, { 'content-type': 'text/html' })
        response.write(TITLED_PAGE)
        const more = (): void => {
          while (response.writable && response.write(Buffer.alloc(65_536, 'a')));
        }
        response.on('drain', more).on('error', () => undefined)
        more()
      },
    ],
    [
      'declared as huge',
      (_, response) => {
        response.writeHead(200, { 'content-type': 'text/html', 'content-length': '1000000000000' })
        response.write(TITLED_PAGE + ' '.repeat(600_000))
      },
    ],
  ])('reads the beginning of a page that is %s', async (_, answer) => {
    const place = await createScene(answer)
    const queue = await register(place.owner)
    await place.ann.send('news', 'a', place.at('/x'))
    expect((await messageUpdates(queue, 1))[0]?.['rendered_content']).toContain('A title')
  })
})

describe('private destinations', () => {
  it.each([
    ['an IPv4 address', '127.0.0.1'],
    ['a decimal number', '2130706433'],
    ['an IPv6 address', '[::1]'],
    ['an IPv4-mapped IPv6 address', '[::ffff:127.0.0.1]'],
    ['a hexadecimal address', '0x7f.1'],
    ['an octal address', '0177.0.0.1'],
  ])('does not fetch a private host given as %s', async (_, host) => {
    const place = await createScene(page(TITLED_PAGE))
    const { ann, owner, site, at } = place
    const queue = await register(owner)
    const id = await ann.send('news', 'a', `[x](${at('/secret', host)}) [y](${at('/secret.png', host)})`)
    await waitForPreviews(place, 2)
    expect(await contentOf(owner, id)).not.toMatch(/message_embed|message_inline_image/)
    expect(await queue.events()).toEqual([])
    expect(site.received).toEqual([])
  })

  it('does not fetch from a private host through a redirect or for a preview image', async () => {
    const inner = await startSite(page(TITLED_PAGE))
    const secret = `http://127.0.0.1:${inner.port}/`
    const place = await createScene(({ path }, response) => {
      if (path === '/led') response.writeHead(302, { location: secret }).end()
      else
        response
          .writeHead(200, { 'content-type': 'text/html' })
          .end(`${TITLED_PAGE}<meta property="og:image" content="${secret}p.png">`)
    })
    const queue = await register(place.owner)
    await place.ann.send('news', 'a', `${place.at('/led')} ${place.at('/page')}`)
    const [told] = await messageUpdates(queue, 1)
    await waitForPreviews(place, 2)
    expect(told?.['rendered_content']).not.toContain('external_content')
    expect(inner.received).toEqual([])
  })

  it('does not fetch from a host that resolves to a private address, even by DNS rebinding', async () => {
    const names = await startNameServer({
      'inner.test': [['127.0.0.1']],
      'six.test': [['::1']],
      'both.test': [['93.184.216.34', '127.0.0.1']],
      // A second lookup, for the connection, would return the test site's address.
      'turning.test': [['10.255.255.1'], ['127.0.0.1']],
    })
    onTestFinished(() => names.close())
    const { facts, logs, database } = server().parley
    const allowed = readAllowedDestinations('localhost')
    const outside = createOutsideClient({ allowed, userAgent: 'Parley/test', nameServers: [names.address] })
    onTestFinished(() => outside.close())
    const place = await createScene(page(TITLED_PAGE))
    const context = {
      log: await logs.of(place.id),
      reads: database.reads,
      server: { ...facts, outside },
      closing: new AbortController().signal,
    }
    const follow = async (url: string): Promise<unknown> =>
      fetchPreview(context, { id: 1, url, attempts: 1, picture: null, linkedBy: 0 })
    expect(await follow(place.at('/'))).toMatchObject({ title: 'A title' })
    const hosts = ['inner.test', 'six.test', 'both.test', 'turning.test']
    for (const host of hosts) {
      expect([host, await follow(place.at('/secret', host))]).toEqual([
        host,
        { title: '', description: '', picture: undefined },
      ])
    }
    expect(place.site.received.map(({ path }) => path)).toEqual(['/'])
    for (const host of hosts) expect(names.asked(host)).toBe(1)
  })
})
