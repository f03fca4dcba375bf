import { expect, it } from 'vitest'
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
