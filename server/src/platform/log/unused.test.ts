import { setImmediate as turn } from 'node:timers/promises'
import { describe, expect, it } from 'vitest'
import { comeDue, SOME_DAY } from '../../testing/age.ts'
import { signIn } from '../../testing/browser.ts'
import { holdTime } from '../../testing/held-time.ts'
import { AT_ONCE, closed, contents, isOpen, sceneOn } from '../../testing/closing.ts'
import { useTestServer } from '../../testing/server.ts'
import type { Body, TestUser } from '../../testing/user.ts'
import { LogHandle } from './handle.ts'
import type { OrganizationLog } from './organization-log.ts'
import { Unused } from './unused.ts'

const server = useTestServer(AT_ONCE)

async function textsOf(user: TestUser): Promise<unknown[]> {
  const { messages } = await user.call('GET', '/messages', {
    anchor: 'newest',
    num_before: 5_000,
    num_after: 0,
    narrow: [{ operator: 'channel', operand: 'general' }],
    apply_markdown: false,
  })
  return (messages as Body[]).map(({ content }) => content)
}

describe('an organization that nobody uses', () => {
  it('leaves memory, and is as it was for the next who comes', async () => {
    const organization = await sceneOn(server())
    const { owner } = organization
    const first = await owner.send('general', 'talk', 'Before')
    await closed(server(), organization)
    expect(await textsOf(owner)).toContain('Before')
    await closed(server(), organization)
    expect(await owner.send('general', 'talk', 'After')).toBeGreaterThan(first)
    expect(await textsOf(owner)).toEqual(expect.arrayContaining(['Before', 'After']))
  })

  it('goes on telling the queues of clients that come back, in order and once', async () => {
    const organization = await sceneOn(server())
    const { owner } = organization
    const queue = await owner.register({ event_types: ['message'], apply_markdown: false })
    await owner.send('general', 'talk', 'One')
    await closed(server(), organization)
    await owner.send('general', 'talk', 'Two')
    await closed(server(), organization)
    expect(contents(await queue.events())).toEqual(['One', 'Two'])
    await closed(server(), organization)
    const waiting = queue.next()
    await expect.poll(() => server().parley.queues.count().parked).toBe(1)
    await owner.send('general', 'talk', 'Three')
    expect(contents(await waiting)).toEqual(['Three'])
  })

  it('stays as long as a client waits for events', async () => {
    const organization = await sceneOn(server())
    const { owner } = organization
    const queue = await owner.register({ event_types: ['message'], apply_markdown: false })
    const waiting = queue.next()
    await expect.poll(() => server().parley.queues.count().parked).toBe(1)
    for (let look = 0; look < 10; look += 1) await server().parley.logs.closeUnused()
    expect(isOpen(server(), organization)).toBe(true)
    await owner.send('general', 'talk', 'Here')
    expect(contents(await waiting)).toEqual(['Here'])
    await closed(server(), organization)
  })

  it('tells nothing by the log that was closed, also where that goes on to be read', async () => {
    const organization = await sceneOn(server())
    const { owner, id } = organization
    const before = await server().parley.logs.use(id, (log) => log)
    const queue = await owner.register({ event_types: ['message'], apply_markdown: false })
    await closed(server(), organization)
    const waiting = queue.next()
    await expect.poll(() => server().parley.queues.count().parked).toBe(1)
    await owner.send('general', 'talk', 'First')
    expect(contents(await waiting)).toEqual(['First'])
    await owner.send('general', 'talk', 'Second')
    await before.follower.catchUp()
    expect(contents(await queue.events())).toEqual(['Second'])
  })

  it('leaves behind who was there, and with which session', async () => {
    const organization = await sceneOn(server())
    const browser = await signIn(organization.owner)
    await closed(server(), organization)
    const { rows } = await server().parley.database.pool.query<{ users: number }>(
      'select count(*)::int as users from user_activity where organization_id = $1',
      [organization.id],
    )
    expect(rows).toEqual([{ users: 1 }])
    expect((await browser.try('GET', '/users')).status).toBe(200)
  })

  it('is opened for work that is due, and closed when it is done', async () => {
    const organization = await sceneOn(server())
    const { owner } = organization
    const { scheduled_message_id: scheduled } = await owner.call('POST', '/scheduled_messages', {
      type: 'direct',
      to: [owner.id],
      content: 'Now',
      scheduled_delivery_timestamp: SOME_DAY,
    })
    await closed(server(), organization)
    await comeDue(server().database, 'scheduled_messages', organization.id, [Number(scheduled)])
    const left = async (): Promise<unknown> =>
      (
        await server().parley.database.pool.query<{ count: number }>(
          'select count(*)::int as count from scheduled_messages where organization_id = $1',
          [organization.id],
        )
      ).rows[0]?.count
    await expect.poll(left, { timeout: 20_000 }).toBe(0)
    await closed(server(), organization)
    const { messages } = await owner.call('GET', '/messages', { anchor: 'newest', num_before: 1, num_after: 0 })
    expect((messages as Body[]).map(({ content }) => content)).toEqual(['<p>Now</p>'])
  })
})

describe('where more are open than is good for memory', () => {
  /** Handles of idle logs; only their activity is used. */
  async function handlesOf(count: number): Promise<Map<number, LogHandle>> {
    const handles = new Map<number, LogHandle>()
    for (let id = 1; id <= count; id += 1) {
      const log = { organization: { id }, isBusy: false } as unknown as OrganizationLog
      handles.set(id, new LogHandle(Promise.resolve(log)))
    }
    await turn()
    return handles
  }

  it('closes those that were used longest ago, and none that is needed, used meanwhile or asked for again soon', async () => {
    const time = holdTime()
    try {
      const handles = await handlesOf(200)
      for (const handle of handles.values()) {
        time.pass(1)
        handle.touch()
      }
      const closings: number[] = []
      const unused = new Unused(handles, {
        idleSeconds: 900,
        mostOpen: 100,
        isNeeded: ({ organization: { id } }) => id === 1,
        isExpected: ({ organization: { id } }) => id === 4,
        async leave() {
          await handles.get(2)?.use(async () => turn())
        },
        close: (id) => {
          handles.delete(id)
          closings.push(id)
        },
      })
      let endLong: () => void = () => undefined
      void handles.get(3)?.use(
        async () =>
          new Promise<void>((resolve) => {
            endLong = resolve
          }),
      )
      await unused.makeRoom()
      expect(closings).toEqual(Array.from({ length: 149 }, (_, index) => index + 5))
      endLong()
      await turn()
      time.pass(901)
      await unused.close()
      expect([...handles.keys()]).toEqual([1, 2])
    } finally {
      time.release()
    }
  })
})
