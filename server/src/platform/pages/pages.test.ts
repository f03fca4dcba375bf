import { createHash } from 'node:crypto'
import { request } from 'node:http'
import { brotliDecompressSync, gunzipSync } from 'node:zlib'
import sharp from 'sharp'
import { describe, expect, it } from 'vitest'
import * as z from 'zod/mini'
import { capabilities } from '../../capabilities.ts'
import { parseObject } from '../../testing/json.ts'
import { useTestServer } from '../../testing/server.ts'
import { ICON_SVG, MASKABLE_ICON_SVG, SQUARE_ICON_SVG } from './icon.ts'

const server = useTestServer({ PARLEY_RATE_LIMITS: 'on' })

interface Answer {
  readonly status: number
  readonly headers: Readonly<Record<string, string | string[] | undefined>>
  readonly bytes: Buffer
  readonly text: string
}

/** Sets the Host header, which `fetch` does not allow. */
async function get(path: string, host: string, headers: Record<string, string> = {}, method = 'GET'): Promise<Answer> {
  return new Promise((resolve, reject) => {
    const sent = request(server().parley.url + path, { method, headers: { host, ...headers } }, (response) => {
      const chunks: Buffer[] = []
      response.on('data', (chunk: Buffer) => chunks.push(chunk))
      response.on('error', reject)
      response.on('end', () => {
        const bytes = Buffer.concat(chunks)
        resolve({ status: response.statusCode ?? 0, headers: response.headers, bytes, text: bytes.toString('utf8') })
      })
    })
    sent.on('error', reject)
    sent.end()
  })
}

const ICONS = z.array(
  z.strictObject({ src: z.string(), type: z.string(), sizes: z.string(), purpose: z.optional(z.string()) }),
)
const MANIFEST = z.looseObject({ icons: ICONS, shortcuts: z.array(z.looseObject({ url: z.string(), icons: ICONS })) })
const EMOJI_DATA = z.looseObject({ code_to_names: z.record(z.string(), z.array(z.string())) })

const UNUSED_HOST = 'nobody.parley.test'
const FILES = [
  '/static/pages.css',
  '/static/icon.svg',
  '/static/icon-maskable.svg',
  '/static/icon-192.png',
  '/static/icon-512.png',
  '/static/icon-maskable-512.png',
  '/static/apple-touch-icon.png',
  '/static/emoji.json',
  '/favicon.ico',
  '/manifest.webmanifest',
]

describe('web client pages', () => {
  const ROUTES = [
    '/',
    '/login',
    '/inbox',
    '/feed',
    '/c/5-garden/t/beans?near=7',
    '/dm/5,9',
    '/search?q=x',
    '/settings/keys',
  ]

  it('serves the same page at every path, and lets browsers cache its assets forever', async () => {
    const { host } = await server().organization()
    const first = await get('/', host)
    expect(first.headers['content-type']).toBe('text/html; charset=utf-8')
    expect(first.headers['cache-control']).toBe('no-cache')
    for (const path of ROUTES) expect([path, (await get(path, host)).text]).toEqual([path, first.text])
    const { status, headers } = await get('/login/?next=x', host)
    expect([status, headers['location']]).toEqual([308, '/login?next=x'])
    const files = [...first.text.matchAll(/(?:src|href)="(\/assets\/[^"]+)"/g)].map(([, path = '']) => path)
    const names = new Set(files.map((path) => path.replace(/-\w+\./, '.')))
    expect(names).toEqual(new Set(['/assets/app.css', '/assets/chunk.js', '/assets/app.js']))
    for (const path of files) {
      const plain = await get(path, host)
      expect(plain.headers['content-type']).toMatch(/^text\/(css|javascript); charset=utf-8$/)
      expect(plain.headers['cache-control']).toBe('public, max-age=31536000, immutable')
      // Compression saves nothing below the size of a packet.
      if (plain.bytes.length < 1_000) continue
      const brotli = await get(path, host, { 'accept-encoding': 'gzip, br' })
      expect([brotli.headers['content-encoding'], brotliDecompressSync(brotli.bytes)]).toEqual(['br', plain.bytes])
      const gzip = await get(path, host, { 'accept-encoding': 'br;q=0.5, GZIP' })
      expect([gzip.headers['content-encoding'], gunzipSync(gzip.bytes)]).toEqual(['gzip', plain.bytes])
    }
  })

  it('restricts scripts and HTML by Content-Security-Policy', async () => {
    const { host } = await server().organization()
    const { headers, text } = await get('/inbox', host)
    const policy = String(headers['content-security-policy'])
    // The page's only inline script is allowed by its digest.
    const inline = [...text.matchAll(/<script>(.*?)<\/script>/gs)].map(([, script = '']) => script)
    const digests = inline.map((script) => `'sha256-${createHash('sha256').update(script).digest('base64')}'`)
    expect(digests).toHaveLength(1)
    for (const rule of [
      "default-src 'none'",
      `script-src 'self' ${digests[0] ?? ''}`,
      "style-src 'self'",
      "connect-src 'self'",
      "base-uri 'none'",
      "frame-ancestors 'none'",
      "require-trusted-types-for 'script'",
      'trusted-types parley',
    ]) {
      expect(policy.split('; ')).toContain(rule)
    }
    expect(policy).not.toContain('unsafe-eval')
    expect(policy.replace("style-src-attr 'unsafe-inline'", '')).not.toContain('unsafe')
  })

  it("allows only the server's own pages to use the camera and microphone", async () => {
    const { headers } = await get('/inbox', (await server().organization()).host)
    expect(headers['permissions-policy']).toBe('camera=(self), microphone=(self)')
  })

  it('serves the manifest, icons, and shortcuts for installing the web client', async () => {
    const { host } = await server().organization()
    const { text: shell } = await get('/', host)
    expect(shell).toContain('<link rel="manifest" href="/manifest.webmanifest" />')
    const { headers, text } = await get('/manifest.webmanifest', host)
    expect(headers['content-type']).toBe('application/manifest+json; charset=utf-8')
    const manifest = MANIFEST.parse(JSON.parse(text))
    expect(manifest).toMatchObject({ name: 'Parley', display: 'standalone', start_url: '/inbox' })
    const apple = /<link rel="apple-touch-icon" sizes="([^"]+)" href="([^"]+)"/.exec(shell)
    const touch = { src: apple?.[2] ?? '', sizes: apple?.[1] ?? '', type: 'image/png' }
    for (const { src, type, sizes } of [
      ...manifest.icons,
      ...manifest.shortcuts.flatMap(({ icons }) => icons),
      touch,
    ]) {
      const icon = await get(src, host)
      expect([icon.status, String(icon.headers['content-type']).split(';')[0]]).toEqual([200, type])
      if (sizes === 'any') continue
      const { format, width, height } = await sharp(icon.bytes).metadata()
      expect([src, format, `${width}x${height}`]).toEqual([src, 'png', sizes])
    }
    expect(manifest.icons.map(({ sizes, purpose }) => `${purpose ?? ''} ${sizes}`)).toEqual(
      expect.arrayContaining(['any 192x192', 'any 512x512', 'maskable 512x512']),
    )
    for (const { url } of manifest.shortcuts) expect((await get(url, host)).text).toBe(shell)
  })

  it('serves PNG icons that match the SVG drawing', async () => {
    const { host } = await server().organization()
    for (const [path, icon] of [
      ['/static/icon-192.png', ICON_SVG],
      ['/static/icon-512.png', ICON_SVG],
      ['/static/icon-maskable-512.png', MASKABLE_ICON_SVG],
      ['/static/apple-touch-icon.png', SQUARE_ICON_SVG],
    ] as const) {
      const { bytes } = await get(path, host)
      const pixels = async (picture: Buffer): Promise<Buffer> =>
        sharp(picture).resize(64, 64).ensureAlpha().raw().toBuffer()
      const [drawn, kept] = [await pixels(Buffer.from(icon)), await pixels(bytes)]
      const difference = drawn.reduce((sum, value, index) => sum + Math.abs(value - (kept[index] ?? 0)), 0)
      // Less than 3 out of 255: edges differ slightly, because the image was scaled down.
      expect([path, difference / drawn.length < 3]).toEqual([path, true])
    }
  })

  it('serves only files of the build', async () => {
    const { host } = await server().organization()
    const paths = ['/assets/', '/assets/none.js', '/assets/shell.html', '/assets/..%2fparley.mjs', '/assets/a%2fb.js']
    for (const path of [...paths, '/inboxes']) {
      const { status, text } = await get(path, host)
      expect([path, status, parseObject(text)['code']]).toEqual([path, 404, 'NOT_FOUND'])
    }
  })

  it('serves a service worker that is revalidated and lists files of the build', async () => {
    const { host } = await server().organization()
    const worker = await get('/sw.js', host)
    expect(worker.headers).toMatchObject({
      'content-type': 'text/javascript; charset=utf-8',
      'cache-control': 'no-cache',
      'content-security-policy': "default-src 'none'; connect-src 'self'",
    })
    const named = [...worker.text.matchAll(/\/assets\/[\w-]+\.(?:js|css)/g)].map(([path]) => path)
    const { text: shell } = await get('/', host)
    for (const [, path] of shell.matchAll(/"(\/assets\/[^"]+)"/g)) expect(named).toContain(path)
    for (const path of named) expect([path, (await get(path, host)).status]).toEqual([path, 200])
    expect((await get('/assets/sw.js', host)).status).toBe(404)
  })

  it('reveals no organization data before sign-in', async () => {
    const { host } = await server().organization('Secret Society')
    expect((await get('/', host)).text).not.toContain('Secret')
  })

  it('reveals nothing at an unknown subdomain', async () => {
    await server().organization('Secret Society')
    const { status, headers, text } = await get('/', UNUSED_HOST)
    expect(status).toBe(404)
    expect(headers['content-type']).toBe('text/html; charset=utf-8')
    expect(text).toContain('No organization here')
    expect(text).not.toContain('Secret')
    expect(text).not.toContain('nobody')
  })
})

describe('API reference', () => {
  it('lists every endpoint with parameters, errors, and an example', async () => {
    const { text } = await get('/api', UNUSED_HOST)
    for (const { endpoint } of capabilities.flatMap(({ routes }) => routes)) {
      const article = articleOf(text, endpoint.id)
      expect(article).toContain(endpoint.path.replace(/:(\w+)\*?/g, '{$1}'))
      expect(article).toContain('curl ')
      for (const name of Object.keys(endpoint.input.shape)) expect(article).toContain(`<code>${name}</code>`)
      for (const name of Object.keys(endpoint.output.shape)) expect(article).toContain(`<code>${name}</code>`)
      for (const name of Object.keys(endpoint.aliases ?? {})) expect(article).toContain(`<code>${name}</code>`)
      for (const code of endpoint.errors) expect(article).toContain(`<code>${code}</code>`)
    }
  })

  it('lists every event with its fields', async () => {
    const { text } = await get('/api', UNUSED_HOST)
    for (const { event } of capabilities.flatMap(({ events }) => events)) {
      const article = articleOf(text, ['event', event.type, ...(event.op === undefined ? [] : [event.op])].join('-'))
      for (const name of Object.keys(event.payload.shape)) expect(article).toContain(`<code>${name}</code>`)
    }
  })

  it('documents parameter encodings and rate limits', async () => {
    const { text } = await get('/api', UNUSED_HOST)
    expect(articleOf(text, 'sendMessage')).toContain("--data-urlencode 'type=direct'")
    expect(articleOf(text, 'getMessages')).toMatch(/<code>narrow<\/code>.*?JSON.*?default <code>\[\]<\/code>/s)
    expect(articleOf(text, 'fetchApiKey')).toContain('no login')
    expect(text).toContain('200 requests a minute')
    expect(text).toContain('5 failed logins in 30 minutes')
  })

  it('documents the limits of each capability', async () => {
    const { host } = await server().organization()
    const rows = (await get('/api', host)).text.replace(/\s+/g, ' ')
    for (const { most, what, per } of capabilities.flatMap(({ limits }) => limits)) {
      expect(rows).toContain(`<td>${most.toLocaleString('en')}</td> <th scope="row">${what}</th> <td>${per}</td>`)
    }
    expect(rows).toContain('<td>10,240</td> <th scope="row">mebibytes of uploaded files</th> <td>organization</td>')
  })

  it('finds search terms in the API reference and escapes the query', async () => {
    const { text } = await get('/api?q=subscription+peer_add', UNUSED_HOST)
    expect(text).toContain('id="event-subscription-peer_add"')
    expect(text).not.toContain('id="sendMessage"')
    const hostile = await get(`/api?q=${encodeURIComponent('"><script>alert(1)</script>')}`, UNUSED_HOST)
    expect(hostile.text).toContain('Nothing')
    expect(hostile.text).not.toContain('<script')
  })
})

function articleOf(text: string, id: string): string {
  const start = text.indexOf(`<article id="${id}"`)
  expect(start, `${id} is not there`).toBeGreaterThan(0)
  return text.slice(start, text.indexOf('</article>', start))
}

describe('all pages and files', () => {
  it('serves an API reference that loads nothing from other hosts and runs no scripts', async () => {
    const { host } = await server().organization()
    for (const path of ['/api', '/api?q=message', '/static/pages.css']) {
      const { text } = await get(path, host)
      const foreign = [...text.matchAll(/https?:\/\/[^\s"'<)]*/g)].map(([url]) => url)
      expect(foreign.filter((url) => url !== 'https://chat.example.org')).toEqual([])
      expect(text).not.toMatch(/<script|\son\w+=|style=|@import|url\(|javascript:/)
      for (const [, url] of text.matchAll(/(?:src|href|action)="([^"]*)"/g)) expect(url).toMatch(/^(\/(?!\/)|#)/)
    }
  })

  it('forbids scripts, framing, and content sniffing', async () => {
    const { host } = await server().organization()
    for (const path of ['/api', '/api?q=x', '/avatar/1', '/api/v1/openapi.json', '/no/such/path', ...FILES]) {
      const { headers } = await get(path, host)
      expect(headers['content-security-policy']).toMatch(/^default-src 'none';.*frame-ancestors 'none'/)
      expect(headers['content-security-policy']).not.toContain('unsafe')
      expect(headers['x-content-type-options']).toBe('nosniff')
      expect(headers['referrer-policy']).toBe('no-referrer')
    }
  })

  it('sends security headers in API responses, including long polls', async () => {
    const { owner } = await server().organization()
    const { queue_id } = await owner.call('POST', '/register')
    const poll = await owner.try('GET', '/events', { queue_id, last_event_id: -1, dont_block: true })
    for (const { headers } of [poll, await owner.try('GET', '/users/me'), await owner.try('GET', '/users/0')]) {
      expect(headers['x-content-type-options']).toBe('nosniff')
      expect(headers['content-security-policy']).toContain("default-src 'none'")
    }
  })

  it('answers HEAD like GET, but without a body', async () => {
    const { host } = await server().organization()
    for (const path of ['/', '/api', '/avatar/1', '/api/v1/openapi.json', ...FILES]) {
      const [head, whole] = [await get(path, host, {}, 'HEAD'), await get(path, host)]
      expect([path, head.status, head.text]).toEqual([path, 200, ''])
      expect(head.headers['content-type']).toBe(whole.headers['content-type'])
      expect(head.headers['content-length']).toBe(String(whole.bytes.length))
    }
  })

  it('compresses pages and answers 304 for an unchanged file', async () => {
    for (const path of ['/api', '/api/v1/openapi.json', ...FILES]) {
      const plain = await get(path, UNUSED_HOST)
      const compressed = await get(path, UNUSED_HOST, { 'accept-encoding': 'br, gzip' })
      // PNGs are already compressed.
      const isPicture = path.endsWith('.png')
      expect([path, compressed.headers['content-encoding']]).toEqual([path, isPicture ? undefined : 'gzip'])
      expect((isPicture ? compressed.bytes : gunzipSync(compressed.bytes)).equals(plain.bytes)).toBe(true)
      const again = await get(path, UNUSED_HOST, { 'if-none-match': String(plain.headers['etag']) })
      expect([again.status, again.text]).toEqual([304, ''])
    }
    const refusing = await get('/api', UNUSED_HOST, { 'accept-encoding': 'gzip;q=0' })
    expect(refusing.headers['content-encoding']).toBeUndefined()
  })

  it('answers paths without a page or file with a JSON 404', async () => {
    const { host } = await server().organization()
    for (const path of ['/index.html', '/api/', '/static/', '/static/../package.json', '/avatar/me', '/avatar/-1']) {
      const { status, text } = await get(path, host)
      expect([path, status, parseObject(text)['code']]).toEqual([path, 404, 'NOT_FOUND'])
    }
    expect((await get('/', host, {}, 'POST')).status).toBe(404)
  })

  it('responds to refused URLs with the web client in browsers, and with JSON to programs', async () => {
    const { host } = await server().organization()
    const { text, bytes } = await get('/', host)
    const accept = 'text/html,application/xhtml+xml,application/xml;q=0.9,*/*;q=0.8'
    const programs = ['', '*/*', 'image/*,*/*', 'application/json, text/html;q=0.9', 'text/html;q=0']
    const asJson = async (path: string, headers: Record<string, string>, method = 'GET'): Promise<void> => {
      const type = (await get(path, host, headers, method)).headers['content-type']
      expect([path, type]).toEqual([path, 'application/json; charset=utf-8'])
    }
    const refused = { '/inboxes': 404, '/inbox/of/me': 404, '/static/none.png?x=1': 404, '/avatar/me': 404 }
    const others = { '/c/5/t/100%': 400, '/user_uploads/1/x/secret.txt': 401 }
    for (const [path, status] of Object.entries({ ...refused, ...others })) {
      const shown = await get(path, host, { accept })
      expect([path, shown.status, shown.text]).toEqual([path, status, text])
      // With this header, browsers would show their own sign-in dialog.
      expect(shown.headers['www-authenticate']).toBeUndefined()
      const { headers, ...head } = await get(path, host, { accept }, 'HEAD')
      expect([head.status, head.text, headers['content-length']]).toEqual([status, '', String(bytes.length)])
      for (const program of programs) await asJson(path, { accept: program })
    }
    for (const path of ['/api/v1', '/api/v1/none', '/api/v1/users/me']) await asJson(path, { accept })
    await asJson('/inboxes', { accept, authorization: 'Basic eDp5' })
    await asJson('/inboxes', { accept }, 'POST')
    const nowhere = await get('/inboxes', UNUSED_HOST, { accept })
    expect([nowhere.status, nowhere.text]).toEqual([404, (await get('/', UNUSED_HOST)).text])
  })
})

describe('avatars', () => {
  it('serves a stable avatar for each user, without a name in the image file', async () => {
    const { host, owner } = await server().organization()
    const first = await get(`/avatar/${owner.id}`, host)
    expect(first.headers['content-type']).toBe('image/png')
    expect((await get(`/avatar/${owner.id}?version=2`, host)).bytes.equals(first.bytes)).toBe(true)
    expect((await get('/avatar/4711', host)).bytes.equals(first.bytes)).toBe(false)
    expect(first.bytes.toString('latin1')).not.toMatch(/tEXt|Olivia|owner/)
  })

  it('responds to avatar requests alike whether or not the user exists', async () => {
    const { host, owner } = await server().organization()
    const [existing, missing] = [await get(`/avatar/${owner.id}`, host), await get('/avatar/999999999', host)]
    const shape = ({ status, headers }: Answer): object => ({
      status,
      ...headers,
      date: '',
      'content-length': '',
      'x-request-id': '',
    })
    expect(shape(missing)).toEqual(shape(existing))
    const address = await get(`/avatar/${owner.email}`, host)
    expect(shape(address)).toEqual(shape(existing))
    expect((await get('/avatar/absent%40example.com', host)).bytes.equals(address.bytes)).toBe(true)
    expect(JSON.parse((await get('/avatar/1', UNUSED_HOST)).text)).toMatchObject({ code: 'NONEXISTENT_SUBDOMAIN' })
  })

  it('caches an avatar forever only under a versioned URL', async () => {
    const { host } = await server().organization()
    expect((await get('/avatar/1?version=1', host)).headers['cache-control']).toContain('immutable')
    expect((await get('/avatar/1', host)).headers['cache-control']).not.toContain('immutable')
  })
})

it('lists emoji names at the URL from the register response', async () => {
  const { owner, host } = await server().organization()
  const state = await owner.call('POST', '/register', { fetch_event_types: ['realm'] })
  const { pathname } = new URL(String(state['server_emoji_data_url']))
  const { code_to_names: names } = EMOJI_DATA.parse(JSON.parse((await get(pathname, host)).text))
  expect(names['1f389']).toContain('tada')
  expect(Object.keys(names).length).toBeGreaterThan(1_500)
})
