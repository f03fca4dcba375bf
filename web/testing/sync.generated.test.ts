import fc from 'fast-check'
import type { Page } from 'playwright-core'
import { describe, expect, it, vi } from 'vitest'
import { effort } from '../../server/src/testing/effort.ts'
import { useTestServer } from '../../server/src/testing/server.ts'
import { openAnotherTab, hasBrowser, LOCAL_DOMAIN, openAs, show, useBrowser } from './browser.ts'
import { readStoredJson } from './kept.ts'
import { composer, say, createTeamOn, type Team } from './team.ts'

const server = useTestServer(LOCAL_DOMAIN)
const browser = useBrowser()

const TOPICS = ['beans', 'peas', 'roses'] as const

/** Generates an operation by another person, or by the same person in another client. */
const operationArbitrary = fc.record({
  kind: fc.constantFrom('send', 'send', 'direct', 'mention', 'read', 'star', 'edit', 'move', 'delete', 'mute', 'leave'),
  topic: fc.constantFrom(...TOPICS),
  at: fc.nat(100),
})
type SyncOperation = { readonly kind: string; readonly topic: string; readonly at: number }

async function applyOperation(
  { owner, friend, channelId }: Team,
  ids: number[],
  { kind, topic, at }: SyncOperation,
  step: number,
) {
  const id = ids[at % Math.max(1, ids.length)]
  if (kind === 'send') ids.push(await say(friend, channelId, topic, `Step ${step}`))
  else if (kind === 'mention') ids.push(await say(friend, channelId, topic, `@**Olivia Owner** step ${step}`))
  else if (kind === 'direct') {
    await friend.call('POST', '/messages', { type: 'direct', to: [owner.id], content: `Step ${step}` })
  } else if (kind === 'mute') {
    await owner.call('POST', '/user_topics', { stream_id: channelId, topic, visibility_policy: at % 4 })
  } else if (kind === 'leave') {
    await owner.call('POST', '/users/me/subscriptions', { subscriptions: [{ name: `room ${at % 3}` }] })
    if (at % 2 === 0) await owner.call('DELETE', '/users/me/subscriptions', { subscriptions: [`room ${at % 3}`] })
  } else if (id === undefined) return
  else if (kind === 'read') await owner.call('POST', '/messages/flags', { messages: [id], op: 'add', flag: 'read' })
  else if (kind === 'star') await owner.call('POST', '/messages/flags', { messages: [id], op: 'add', flag: 'starred' })
  else if (kind === 'edit') await friend.call('PATCH', `/messages/${id}`, { content: `Edited in step ${step}` })
  else if (kind === 'move') await owner.call('PATCH', `/messages/${id}`, { topic, propagate_mode: 'change_one' })
  else if (kind === 'delete') {
    await owner.call('DELETE', `/messages/${id}`)
    ids.splice(ids.indexOf(id), 1)
  }
}

async function shownTexts(page: Page, channelId: number): Promise<string[]> {
  const texts: string[] = []
  for (const path of ['/inbox', `/c/${channelId}/t/beans`, `/c/${channelId}`, '/channels', '/starred']) {
    await show(page, path)
    await expect.poll(() => page.getByText('Loading…').count()).toBe(0)
    const parts = [page.getByRole('navigation', { name: 'Conversations' }), page.getByRole('main')]
    for (const part of parts) texts.push(await part.ariaSnapshot())
  }
  return texts
}

describe.skipIf(!hasBrowser)('client state', () => {
  it('shows the same content in leading, following, reloaded, and new tabs', async () => {
    await fc.assert(
      fc.asyncProperty(
        fc.array(operationArbitrary, { minLength: 4, maxLength: 12 }),
        fc.array(operationArbitrary, { minLength: 4, maxLength: 12 }),
        async (before, after) => {
          const all = await createTeamOn(server())
          const { owner, friend, channelId } = all
          const ids: number[] = []
          const leading = await openAs(browser(), owner, `/c/${channelId}/t/beans`)
          await composer(leading).waitFor()
          const following = await openAnotherTab(leading, '/inbox')
          for (const [step, what] of before.entries()) await applyOperation(all, ids, what, step)
          const last = async (text: string): Promise<void> => {
            await friend.call('POST', '/messages', { type: 'direct', to: [owner.id], content: text })
            for (const page of [leading, following]) {
              const nav = page.getByRole('navigation', { name: 'Conversations' })
              await nav.getByRole('link', { name: /^Fred Friend/ }).waitFor()
            }
            await expect.poll(async () => (await readStoredJson(leading)).includes('last_event_id')).toBe(true)
          }
          await last('Half way')
          // The stored state is now current. This tab starts with it, and gets the later events.
          const reopened = await openAnotherTab(leading, '/feed')
          for (const [step, what] of after.entries()) await applyOperation(all, ids, what, before.length + step)
          await last('The end')
          await reopened.reload()
          await reopened.locator('#main').waitFor()
          const fresh = await openAs(browser(), owner)
          for (const page of [leading, following, reopened]) {
            // Lists keep their order while the pointer is in them.
            await page.mouse.move(-1, -1)
            await vi.waitFor(
              async () => expect(await shownTexts(page, channelId)).toEqual(await shownTexts(fresh, channelId)),
              {
                timeout: 30_000,
              },
            )
          }
          await leading.context().close()
          await fresh.context().close()
        },
      ),
      { numRuns: effort(3), endOnFailure: true },
    )
  })
})
