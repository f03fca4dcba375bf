import { Parser } from 'htmlparser2'
import { expect, it } from 'vitest'
import { PIXEL, upload } from '../../testing/files.ts'
import { useTestServer } from '../../testing/server.ts'
import { exchangeHttp, type TestUser } from '../../testing/user.ts'

const server = useTestServer({ PARLEY_WEB_PUBLIC_CHANNELS: '1' })

const MESSAGE_COUNT = 2_000
const SENDS_AT_ONCE = 16
const TOPICS = [
  'peas',
  'a/b',
  '..',
  '.',
  'what? #1 & 100%',
  '<b>',
  '豆',
  '%2F',
  'trailing ',
  '✔ done',
  ' \u00a0x',
  'CON',
]

interface CrawledPage {
  readonly status: number
  readonly canonical: readonly string[]
}

/** Requests everything that public pages, feeds, and sitemaps link to. @returns the answers by path */
async function crawl({ url, host }: TestUser, origin: string): Promise<ReadonlyMap<string, CrawledPage>> {
  const found = new Map<string, CrawledPage>()
  const waiting = ['/robots.txt', '/sitemap.xml', '/public']
  for (let path = waiting.pop(); path !== undefined; path = waiting.pop()) {
    if (found.has(path)) continue
    const { status, headers, text } = await exchangeHttp(url + path, 'GET', { host }, undefined)
    const links = headers['location'] === undefined ? [] : [String(headers['location'])]
    const canonical: string[] = []
    const isCrawled = path.startsWith('/public') || /\.(?:xml|txt)$/.test(path)
    const parser = new Parser({
      onopentag(_, { href, src, rel }) {
        if (rel === 'canonical' && href !== undefined) canonical.push(href)
        for (const link of [href, src]) if (link !== undefined) links.push(link)
      },
    })
    if (isCrawled) {
      parser.end(text)
      links.push(...[...text.matchAll(/<loc>(.*?)<\/loc>/g)].map(([, link = '']) => link.replaceAll('&amp;', '&')))
    }
    found.set(path, { status, canonical })
    for (const link of links) {
      const target = new URL(link, origin + path)
      if (target.origin === origin) waiting.push(target.pathname + target.search)
    }
  }
  return found
}

it('link only to what exists, and give each page one address', { timeout: 300_000 }, async () => {
  const { owner } = await server().organization()
  await owner.call('PATCH', '/realm', { enable_spectator_access: true })
  const { id } = await owner.call('POST', '/channels/create', {
    name: 'Garden / plants',
    subscribers: [owner.id],
    is_web_public: true,
  })
  const file = await upload(owner, 'pea & bean.png', PIXEL)
  const contents = [`![](${file})`, '#**Garden / plants>a/b**', '[relative](/help)', 'plain', '> quote\n\n:tada:']
  const send = async (number: number): Promise<number> => {
    const topic = number % 7 === 0 ? `own ${number}` : TOPICS[number % TOPICS.length]
    const content = contents[number % contents.length]
    return (await owner.call('POST', '/messages', { type: 'channel', to: id, topic, content })).id
  }
  for (let number = 0; number < MESSAGE_COUNT; number += SENDS_AT_ONCE)
    await Promise.all(Array.from({ length: SENDS_AT_ONCE }, async (_, offset) => send(number + offset)))
  const origin = String((await owner.call('GET', '/server_settings')).realm_url)
  const found = await crawl(owner, origin)
  const broken = [...found].filter(([path, { status }]) => status >= 400 && path !== '/help')
  expect(broken).toEqual([])
  const pages = [...found].filter(([, { canonical }]) => canonical.length > 0)
  expect(pages.length).toBeGreaterThan(MESSAGE_COUNT / 7)
  const canonicals = pages.map(([, { canonical }]) => canonical.join(' '))
  expect(canonicals.filter((one, index) => canonicals.indexOf(one) !== index)).toEqual([])
  expect(pages.filter(([path, { canonical }]) => canonical[0] !== origin + path)).toEqual([])
})
