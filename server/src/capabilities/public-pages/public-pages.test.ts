import { Parser } from 'htmlparser2'
import pg from 'pg'
import { describe, expect, it } from 'vitest'
import { PIXEL, upload } from '../../testing/files.ts'
import { useTestServer, type TestOrganization } from '../../testing/server.ts'
import { exchangeHttp, type TestUser } from '../../testing/user.ts'
import { MESSAGES_PER_PAGE } from './queries/published.ts'

const server = useTestServer({ PARLEY_WEB_PUBLIC_CHANNELS: '1' })

const WAITING_LOCKS = `select from pg_locks
  where not granted and database = (select oid from pg_database where datname = current_database())`

const QUIETLY = { send_notification_to_old_thread: false, send_notification_to_new_thread: false }

interface Page {
  readonly status: number
  readonly headers: Readonly<Record<string, string | string[] | undefined>>
  readonly text: string
  readonly elements: readonly PageElement[]
}

interface PageElement {
  readonly tag: string
  readonly attributes: Readonly<Record<string, string>>
}

interface Scene extends TestOrganization {
  readonly channelId: number
  readonly url: string
  readonly get: (path: string, headers?: Record<string, string>) => Promise<Page>
}

function elementsIn(text: string): PageElement[] {
  const elements: PageElement[] = []
  const parser = new Parser({ onopentag: (tag, attributes) => elements.push({ tag, attributes }) })
  parser.end(text)
  return elements
}

async function openScene(name = 'Oak Street'): Promise<Scene> {
  const organization = await server().organization(name)
  const { owner } = organization
  await owner.call('PATCH', '/realm', { enable_spectator_access: true })
  const { id: channelId } = await owner.call('POST', '/channels/create', {
    name: 'Garden',
    description: 'About **plants**',
    subscribers: [owner.id],
    is_web_public: true,
  })
  return {
    ...organization,
    channelId,
    url: String((await owner.call('GET', '/server_settings')).realm_url),
    async get(path, headers) {
      const {
        status,
        headers: sent,
        text,
      } = await exchangeHttp(owner.url + path, 'GET', { host: owner.host, ...headers }, undefined)
      return { status, headers: sent, text, elements: elementsIn(text) }
    },
  }
}

function valuesOf({ elements }: Page, tag: string, attribute: string, where: Record<string, string> = {}): string[] {
  return elements
    .filter((one) => one.tag === tag && Object.entries(where).every(([name, value]) => one.attributes[name] === value))
    .map(({ attributes }) => attributes[attribute] ?? '')
}

const canonicalOf = (page: Page): string[] => valuesOf(page, 'link', 'href', { rel: 'canonical' })

describe('public pages', () => {
  it('show channels, topics, and messages to browsers and search engines without scripts', async () => {
    const scene = await openScene()
    const { owner, channelId, url, get, host } = scene
    const id = await owner.send('Garden', 'Peas & <beans>', 'When to **sow**?')
    const answer = await owner.send('Garden', 'Peas & <beans>', 'In April')
    const topicPath = `/public/${channelId}/topic/${encodeURIComponent('Peas & <beans>')}`

    const channels = await get('/public')
    expect(channels.text).toContain('<title>Public channels · Oak Street</title>')
    expect(valuesOf(channels, 'a', 'href')).toContain(`/public/${channelId}`)
    const channel = await get(`/public/${channelId}`)
    expect(valuesOf(channel, 'a', 'href')).toContain(topicPath)
    expect(valuesOf(channel, 'meta', 'content', { name: 'description' })).toEqual(['About **plants**'])

    const topic = await get(topicPath, { host: `${host}:8080` })
    expect(topic.status).toBe(200)
    expect(topic.text).toContain('<title>Peas &amp; &lt;beans&gt; · #Garden · Oak Street</title>')
    expect(canonicalOf(topic)).toEqual([url + topicPath])
    expect(valuesOf(topic, 'meta', 'content', { property: 'og:url' })).toEqual([url + topicPath])
    expect(valuesOf(topic, 'meta', 'content', { name: 'description' })).toEqual(['When to sow?'])
    expect(valuesOf(topic, 'html', 'lang')).toEqual(['en'])
    expect(valuesOf(topic, 'article', 'id')).toEqual([String(id), String(answer)])
    expect(topic.text).toContain('<p>When to <strong>sow</strong>?</p>')
    const [, json = ''] = /<script type="application\/ld\+json">(.*?)<\/script>/s.exec(topic.text) ?? []
    expect(JSON.parse(json)).toMatchObject({
      '@type': 'DiscussionForumPosting',
      headline: 'Peas & <beans>',
      text: 'When to sow?',
      mainEntityOfPage: url + topicPath,
      comment: [{ '@type': 'Comment', text: 'In April', url: `${url}/public/message/${answer}` }],
    })
    expect(json).not.toContain('<')
    expect(valuesOf(topic, 'script', 'type')).toEqual(['application/ld+json'])
    expect(topic.headers['content-security-policy']).toContain("default-src 'none'")
    expect(topic.headers['content-security-policy']).not.toContain('script-src')
  })

  it('follow edits and deletions, and let caches keep the rest', async () => {
    const { owner, channelId, get } = await openScene()
    const id = await owner.send('Garden', 'Peas', 'first text')
    const path = `/public/${channelId}/topic/Peas`
    const { headers } = await get(path)
    expect(headers['cache-control']).toBe('public, max-age=30, must-revalidate')
    const etag = String(headers['etag'])
    expect((await get(path, { 'if-none-match': etag })).status).toBe(304)
    await owner.call('PATCH', `/messages/${id}`, { content: 'second text' })
    const edited = await get(path, { 'if-none-match': etag })
    expect([edited.status, edited.text.includes('first text')]).toEqual([200, false])
    await owner.call('DELETE', `/messages/${id}`)
    expect((await get(path)).status).toBe(404)
  })

  it('split long topics into pages with stable addresses, the newest last', async () => {
    const { owner, channelId, url, get } = await openScene()
    const ids: number[] = []
    for (let number = 0; number <= MESSAGES_PER_PAGE; number += 1)
      ids.push(await owner.send('Garden', 'Long', `Number ${number}`))
    const path = `/public/${channelId}/topic/Long`
    const [first, second] = [await get(path), await get(`${path}?page=2`)]
    expect(valuesOf(first, 'article', 'id')).toEqual(ids.slice(0, MESSAGES_PER_PAGE).map(String))
    expect(valuesOf(second, 'article', 'id')).toEqual(ids.slice(MESSAGES_PER_PAGE).map(String))
    expect(canonicalOf(second)).toEqual([`${url}${path}?page=2`])
    expect(valuesOf(first, 'link', 'href', { rel: 'next' })).toEqual([`${url}${path}?page=2`])
    expect(valuesOf(second, 'link', 'href', { rel: 'prev' })).toEqual([url + path])
    expect(valuesOf(second, 'a', 'href', { rel: 'prev' })).toEqual([path])
    for (const other of ['?page=3', '?page=1', '?page=0', '?page=x'])
      expect([other, (await get(path + other)).status]).toEqual([other, 404])
    const location = (await get(`/public/message/${ids.at(-1) ?? 0}`)).headers['location']
    expect(location).toBe(`${url}${path}?page=2#${ids.at(-1) ?? 0}`)
  })

  it('keep earlier pages of a topic in memory until something on them changes', async () => {
    const { owner, channelId, get } = await openScene()
    const elsewhere = await owner.send('Garden', 'Short', 'From elsewhere')
    const ids: number[] = []
    for (let number = 0; number <= MESSAGES_PER_PAGE; number += 1)
      ids.push(await owner.send('Garden', 'Long', `Number ${number}`))
    const path = `/public/${channelId}/topic/Long`
    const shown = async (): Promise<string[]> => valuesOf(await get(path), 'article', 'id')
    expect(await shown()).toEqual(ids.slice(0, -1).map(String))
    const last = await owner.send('Garden', 'Long', 'More')
    await owner.call('POST', `/messages/${last}/reactions`, { emoji_name: 'tada' })
    const database = new pg.Client(server().database)
    await database.connect()
    await database.query('begin')
    await database.query('lock table messages in access exclusive mode')
    expect(await shown()).toEqual(ids.slice(0, -1).map(String))
    await database.query('rollback')
    await database.end()
    await owner.call('PATCH', `/messages/${ids[7] ?? 0}`, { content: 'Edited' })
    expect((await get(path)).text).toContain('Edited')
    await owner.call('PATCH', '/settings', { full_name: 'Olga Owner' })
    expect((await get(path)).text).toContain('Olga Owner')
    await owner.call('DELETE', `/messages/${ids[0] ?? 0}`)
    expect(await shown()).toEqual(ids.slice(1).map(String))
    await owner.call('PATCH', `/messages/${elsewhere}`, { topic: 'Long', ...QUIETLY })
    expect(await shown()).toEqual([elsewhere, ...ids.slice(1, -1)].map(String))
    await owner.call('PATCH', `/streams/${channelId}`, { is_private: true })
    expect((await get(path)).status).toBe(404)
  })

  it('redirect links to messages to where they are now', async () => {
    const { owner, channelId, url, get } = await openScene()
    await owner.subscribe(['Cabinet'], { invite_only: true })
    const { stream_id: cabinet } = await owner.call('GET', '/get_stream_id', { stream: 'Cabinet' })
    const id = await owner.send('Garden', 'Peas', 'text')
    const locationOf = async (): Promise<unknown[]> => {
      const { status, headers } = await get(`/public/message/${id}`)
      return [status, headers['location']]
    }
    expect(await locationOf()).toEqual([302, `${url}/public/${channelId}/topic/Peas#${id}`])
    await owner.call('PATCH', `/messages/${id}`, { topic: 'Beans / lentils', ...QUIETLY })
    expect(await locationOf()).toEqual([302, `${url}/public/${channelId}/topic/Beans%20%2F%20lentils#${id}`])
    expect((await get(`/public/${channelId}/topic/Beans%20%2F%20lentils`)).status).toBe(200)
    await owner.call('PATCH', `/messages/${id}`, { stream_id: cabinet, ...QUIETLY })
    expect(await locationOf()).toEqual([404, undefined])
  })

  it('contain nothing that runs, follows people, or helps their links in search engines', async () => {
    const { owner, channelId, get } = await openScene('A <b>"bold"</b> name')
    const file = await upload(owner, 'pea.png', PIXEL)
    await owner.send(
      'Garden',
      '<script>alert(1)</script>',
      `<img src=x onerror=alert(1)> https://spam.example/x [x](javascript:alert(1)) $$x^2$$ :tada: ![](${file})
\`\`\`spoiler Ending
secret
\`\`\`
</script><script>alert(2)</script>`,
    )
    const page = await get(`/public/${channelId}/topic/${encodeURIComponent('<script>alert(1)</script>')}`)
    expect(page.status).toBe(200)
    const tags = new Set(page.elements.map(({ tag }) => tag))
    for (const tag of ['iframe', 'object', 'style', 'svg', 'b']) expect([...tags]).not.toContain(tag)
    expect(valuesOf(page, 'script', 'type')).toEqual(['application/ld+json'])
    const attributes = page.elements.flatMap((one) => Object.keys(one.attributes))
    expect(attributes.filter((name) => /^(?:on|style$|data-)/.test(name))).toEqual([])
    expect(valuesOf(page, 'a', 'rel', { href: 'https://spam.example/x' })).toEqual(['nofollow ugc'])
    expect(page.text).not.toContain('href="javascript')
    const pictures = valuesOf(page, 'img', 'src')
    expect(pictures.filter((src) => !src.startsWith('/'))).toEqual([])
    const [picture = ''] = pictures.filter((src) => src.includes('/user_uploads/'))
    expect((await get(picture)).status).toBe(200)
    expect(page.text).toContain('<summary>')
    expect(page.text).toContain('🎉')
  })

  it('show spectators nothing else, and nothing of organizations that are not public', async () => {
    const { owner, channelId, get } = await openScene()
    await owner.subscribe(['Plaza'])
    const { stream_id: plaza } = await owner.call('GET', '/get_stream_id', { stream: 'Plaza' })
    const before = await owner.send('Plaza', 'Peas', 'before')
    const paths = (id: number): string[] => [
      `/public/${id}`,
      `/public/${id}/feed`,
      `/public/${id}/sitemap`,
      `/public/${id}/topic/Peas`,
      `/public/${id}/topic/Peas/feed`,
    ]
    const answersTo = async (all: readonly string[]): Promise<unknown[]> => {
      const pages = await Promise.all(all.map(async (path) => get(path)))
      return pages.map(({ status, text }) => [status, text])
    }
    expect(await answersTo(paths(plaza))).toEqual(await answersTo(paths(4_000_000)))
    expect((await get(`/public/${channelId}/sitemap?page=2`)).status).toBe(404)
    expect((await get(`/public/${plaza}`)).status).toBe(404)
    await owner.call('PATCH', `/streams/${plaza}`, { is_web_public: true })
    expect((await get(`/public/${plaza}/topic/Peas`)).status).toBe(404)
    const after = await owner.send('Plaza', 'Peas', 'after')
    const topic = await get(`/public/${plaza}/topic/Peas`)
    expect(valuesOf(topic, 'article', 'id')).toEqual([String(after)])
    expect((await get(`/public/message/${before}`)).status).toBe(404)
    await owner.call('PATCH', '/realm', { enable_spectator_access: false })
    const all = ['/public', '/robots.txt', '/sitemap.xml', ...paths(channelId), `/public/message/${after}`]
    for (const path of all) expect([path, (await get(path)).status]).toEqual([path, 404])
  })

  it('show nothing of a channel that becomes private while they are read', async () => {
    const { owner, channelId, get } = await openScene()
    await owner.send('Garden', 'Peas', 'text')
    for (const path of [`/public/${channelId}`, `/public/${channelId}/sitemap`]) {
      const database = new pg.Client(server().database)
      await database.connect()
      await database.query('begin')
      await database.query('lock table topics in access exclusive mode')
      const reading = get(path)
      await expect.poll(async () => (await database.query(WAITING_LOCKS)).rows.length).toBeGreaterThan(0)
      await owner.call('PATCH', `/streams/${channelId}`, { is_private: true })
      await database.query('commit')
      await database.end()
      expect([path, (await reading).status]).toEqual([path, 404])
      await owner.call('PATCH', `/streams/${channelId}`, { is_web_public: true })
      await owner.send('Garden', 'Peas', 'text')
    }
  })

  it('offer feeds, and a sitemap of all pages of the channels', async () => {
    const { owner, channelId, url, get } = await openScene()
    const id = await owner.send('Garden', 'Peas', 'one < two')
    const robots = await get('/robots.txt')
    expect(robots.headers['content-type']).toBe('text/plain; charset=utf-8')
    expect(robots.text).toContain(`Disallow: /\nSitemap: ${url}/sitemap.xml\n`)
    const locationsIn = ({ text }: Page): string[] =>
      [...text.matchAll(/<loc>(.*?)<\/loc>/g)].map(([, one = '']) => one)
    const index = await get('/sitemap.xml')
    expect(locationsIn(index)).toEqual([`${url}/public/${channelId}/sitemap`])
    const sitemap = await get(`/public/${channelId}/sitemap`)
    expect(locationsIn(sitemap)).toEqual(
      expect.arrayContaining([`${url}/public/${channelId}`, `${url}/public/${channelId}/topic/Peas`]),
    )
    for (const location of locationsIn(sitemap)) {
      const page = await get(location.replace(url, ''))
      expect([page.status, canonicalOf(page)]).toEqual([200, [location]])
    }
    for (const path of [`/public/${channelId}/feed`, `/public/${channelId}/topic/Peas/feed`]) {
      const feed = await get(path)
      expect(feed.headers['content-type']).toBe('application/atom+xml; charset=utf-8')
      expect(feed.text).toContain(`<id>${url}/public/message/${id}</id>`)
      expect(feed.text).toContain('&lt;p&gt;one &amp;lt; two&lt;/p&gt;')
    }
  })

  it('ask search engines to leave out a channel on request', async () => {
    const { owner, user, channelId, url, get } = await openScene()
    await owner.send('Garden', 'Peas', 'text')
    const paths = ['', '/topic/Peas', '/feed', '/topic/Peas/feed'].map((path) => `/public/${channelId}${path}`)
    const robotsOf = async (path: string): Promise<unknown[]> => {
      const page = await get(path)
      return [page.status, page.headers['x-robots-tag'], ...valuesOf(page, 'meta', 'content', { name: 'robots' })]
    }
    for (const path of paths) expect([path, ...(await robotsOf(path))]).toEqual([path, 200, undefined])
    const change = async (actor: TestUser, isHidden: boolean) =>
      actor.try('PATCH', `/streams/${channelId}/public_pages`, { hidden_from_search_engines: isHidden })
    const member = await user('Mia Member')
    expect((await change(member, true)).body['code']).toBe('CANNOT_ADMINISTER_CHANNEL')
    const queues = [
      await member.register({ event_types: ['public_pages'], client_capabilities: { public_pages: true } }),
      await member.register({ event_types: ['public_pages'] }),
    ]
    await change(owner, true)
    await change(owner, true)
    const told = { type: 'public_pages', stream_id: channelId, hidden_from_search_engines: true }
    const [informed, existing] = await Promise.all(queues.map(async (queue) => queue.events()))
    expect([informed, existing]).toEqual([[expect.objectContaining(told)], []])
    expect(await member.call('GET', `/streams/${channelId}/public_pages`)).toMatchObject({
      hidden_from_search_engines: true,
    })
    const { entries } = await owner.call('GET', '/audit_log')
    expect(JSON.stringify(entries[0])).toContain('hidden_from_search_engines')
    for (const path of paths)
      expect([path, ...(await robotsOf(path))]).toEqual([
        path,
        200,
        'noindex',
        ...(path.endsWith('/feed') ? [] : ['noindex']),
      ])
    expect((await get('/sitemap.xml')).text).not.toContain(url)
    expect((await get(`/public/${channelId}/sitemap`)).status).toBe(404)
    await change(owner, false)
    expect((await get('/sitemap.xml')).text).toContain(`${url}/public/${channelId}/sitemap`)
  })
})
