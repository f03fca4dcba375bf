import { expect, it } from 'vitest'
import { completeUrl } from '../src/capabilities/pins/urls.ts'
import { addressOf, routeAt } from '../src/kernel/route.ts'

const TOPICS =
  '. .. ... .a %2e %2E%2e ..%20 a/../b / // ../.. ?near=1 # 100% \\ a\\.. https://x.org/#12 Grüße + &'.split(' ')

it.each([...TOPICS, '', '. .', '.. 🙂'])(
  'maps a topic to an address and back despite path normalization: %j',
  (topic) => {
    const route = { view: 'topic', channelId: 12, topic, near: 5 } as const
    expect(routeAt(new URL(addressOf(route), 'https://chat.example.org'))).toEqual(route)
    const { near: _, ...without } = route
    expect(
      routeAt(
        new URL(
          addressOf(without, () => 'News'),
          'https://chat.example.org',
        ),
      ),
    ).toEqual(without)
  },
)

it.each(['https://chat.example.org', 'http://localhost:8800'])(
  'completes the URLs of links on a server at %s',
  (origin) => {
    const completed = (text: string) => completeUrl(text, origin)
    expect(completed(' example.com ')).toBe('https://example.com/')
    expect(completed('localhost:3000/x')).toBe('https://localhost:3000/x')
    expect(completed('ada@example.com')).toBe('mailto:ada@example.com')
    expect(completed(`${origin}/c/1?near=2`)).toBe('/c/1?near=2')
    expect(completed('/inbox')).toBe('/inbox')
    for (const text of ['', 'javascript:alert(1)', 'two words']) expect(completed(text)).toBeUndefined()
  },
)
