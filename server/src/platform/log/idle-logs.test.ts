import { setImmediate as turn } from 'node:timers/promises'
import { describe, expect, it } from 'vitest'
import { makeDue, FAR_FUTURE_SECONDS } from '../../testing/age.ts'
import { signIn } from '../../testing/browser.ts'
import { stopClock } from '../../testing/held-time.ts'
import { CLOSE_AT_ONCE, waitUntilClosed, messageContents, isOpen, createOrganizationOn } from '../../testing/closing.ts'
import { useTestServer } from '../../testing/server.ts'
import type { TestUser } from '../../testing/user.ts'
import { LogHandle, IdleLogs } from './idle-logs.ts'
import type { OrganizationLog } from './organization-log.ts'

const server = useTestServer(CLOSE_AT_ONCE)

async function textsOf(user: TestUser): Promise<unknown[]> {
  const { messages } = await user.call('GET', '/messages', {
    anchor: 'newest',
    num_before: 5_000,
    num_after: 0,
    narrow: [{ operator: 'channel', operand: 'general' }],
    apply_markdown: false,
  })
  return messages.map(({ content }) => content)
}

describe('idle organization', () => {
  it('unloads an idle organization and reloads it unchanged', async () => {
    const organization = await createOrganizationOn(server())
    const { owner } = organization
    const first = await owner.send('general', 'talk', 'Before')
    await waitUntilClosed(server(), organization)
    expect(await textsOf(owner)).toContain('Before')
    await waitUntilClosed(server(), organization)
    expect(await owner.send('general', 'talk', 'After')).toBeGreaterThan(first)
    expect(await textsOf(owner)).toEqual(expect.arrayContaining(['Before', 'After']))
  })

  it('delivers each event to existing queues exactly once and in order after an unload', async () => {
    const organization = await createOrganizationOn(server())
    const { owner } = organization
    const queue = await owner.register({ event_types: ['message'], apply_markdown: false })
    await owner.send('general', 'talk', 'One')
    await waitUntilClosed(server(), organization)
    await owner.send('general', 'talk', 'Two')
    await waitUntilClosed(server(), organization)
    expect(messageContents(await queue.events())).toEqual(['One', 'Two'])
    await waitUntilClosed(server(), organization)
    const waiting = queue.next()
    await expect.poll(() => server().parley.queues.count().parked).toBe(1)
    await owner.send('general', 'talk', 'Three')
    expect(messageContents(await waiting)).toEqual(['Three'])
  })

  it('keeps an organization loaded while a client waits for events of the organization', async () => {
    const organization = await createOrganizationOn(server())
    const { owner } = organization
    const queue = await owner.register({ event_types: ['message'], apply_markdown: false })
    const waiting = queue.next()
    await expect.poll(() => server().parley.queues.count().parked).toBe(1)
    for (let look = 0; look < 10; look += 1) await server().parley.logs.closeUnused()
    expect(isOpen(server(), organization)).toBe(true)
    await owner.send('general', 'talk', 'Here')
    expect(messageContents(await waiting)).toEqual(['Here'])
    await waitUntilClosed(server(), organization)
  })

  it("delivers no event twice when an organization's unloaded log is loaded again and catches up", async () => {
    const organization = await createOrganizationOn(server())
    const { owner, id } = organization
    const before = await server().parley.logs.use(id, (log) => log)
    const queue = await owner.register({ event_types: ['message'], apply_markdown: false })
    await waitUntilClosed(server(), organization)
    const waiting = queue.next()
    await expect.poll(() => server().parley.queues.count().parked).toBe(1)
    await owner.send('general', 'talk', 'First')
    expect(messageContents(await waiting)).toEqual(['First'])
    await owner.send('general', 'talk', 'Second')
    await before.follower.catchUp()
    expect(messageContents(await queue.events())).toEqual(['Second'])
  })

  it('saves activity and sessions when an organization is unloaded', async () => {
    const organization = await createOrganizationOn(server())
    const browser = await signIn(organization.owner)
    await waitUntilClosed(server(), organization)
    const { rows } = await server().parley.database.pool.query<{ users: number }>(
      'select count(*)::int as users from user_activity where organization_id = $1',
      [organization.id],
    )
    expect(rows).toEqual([{ users: 1 }])
    expect((await browser.try('GET', '/users')).status).toBe(200)
  })

  it('loads an organization for due work and unloads it afterward', async () => {
    const organization = await createOrganizationOn(server())
    const { owner } = organization
    const { scheduled_message_id: scheduled } = await owner.call('POST', '/scheduled_messages', {
      type: 'direct',
      to: [owner.id],
      content: 'Now',
      scheduled_delivery_timestamp: FAR_FUTURE_SECONDS,
    })
    await waitUntilClosed(server(), organization)
    await makeDue(server().database, 'scheduled_messages', organization.id, [scheduled])
    const countLeft = async (): Promise<unknown> =>
      (
        await server().parley.database.pool.query<{ count: number }>(
          'select count(*)::int as count from scheduled_messages where organization_id = $1',
          [organization.id],
        )
      ).rows[0]?.count
    await expect.poll(countLeft, { timeout: 20_000 }).toBe(0)
    await waitUntilClosed(server(), organization)
    const { messages } = await owner.call('GET', '/messages', { anchor: 'newest', num_before: 1, num_after: 0 })
    expect(messages.map(({ content }) => content)).toEqual(['<p>Now</p>'])
  })
})

describe('too many loaded organizations', () => {
  /** Handles of idle logs; the code under test uses only their activity. */
  async function handlesOf(count: number): Promise<Map<number, LogHandle>> {
    const handles = new Map<number, LogHandle>()
    for (let id = 1; id <= count; id += 1) {
      const log = { organization: { id }, isBusy: false } as unknown as OrganizationLog
      handles.set(id, new LogHandle(Promise.resolve(log)))
    }
    await turn()
    return handles
  }

  it('unloads the least recently used logs, except those in use or needed soon', async () => {
    const time = stopClock()
    try {
      const handles = await handlesOf(200)
      for (const handle of handles.values()) {
        time.pass(1)
        handle.touch()
      }
      const closings: number[] = []
      const unused = new IdleLogs(handles, {
        idleSeconds: 900,
        mostOpen: 100,
        isNeeded: ({ organization: { id } }) => id === 1,
        isExpected: ({ organization: { id } }) => id === 4,
        async saveState() {
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
      await unused.closeSurplus()
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
