import type { Page } from 'playwright-core'
import { describe, expect, it } from 'vitest'
import { hasBrowser, VIEWPORT } from './browser.ts'
import { useTeam } from './shared.ts'
import { composer, hasRead, leaveComposer, list, say } from './team.ts'

const { team, visit } = useTeam()

const MEDIUM = { width: 800, height: 700 }

const press = (key: string) => async (page: Page) => page.keyboard.press(key)

const COVERS: readonly (readonly [string, { width: number; height: number }, (page: Page) => Promise<void>])[] = [
  ['the palette', VIEWPORT, press('Control+k')],
  ['a dialog', VIEWPORT, press('?')],
  [
    'the details',
    MEDIUM,
    async (page) => page.getByRole('main').getByRole('button', { name: 'Details', exact: true }).click(),
  ],
  [
    'a list of people to mention',
    VIEWPORT,
    async (page) => {
      await composer(page).focus()
      await page.keyboard.type('@')
      await page.getByRole('listbox', { name: 'Suggestions' }).waitFor()
    },
  ],
]

describe.skipIf(!hasBrowser)('messages covered by other elements', () => {
  it.each(COVERS)(
    'leaves a message that arrived behind %s unread until it is visible',
    async (name, viewport, cover) => {
      const { owner, friend, channelId } = await team()
      await say(friend, channelId, name, 'Before')
      const page = await visit(owner, `/c/${channelId}/t/${name}`, { viewport, hasClock: true })
      await list(page).getByText('Before').waitFor()
      await leaveComposer(page)
      await page.mouse.move(viewport.width / 2, 300)
      await page.clock.runFor(2000)
      await cover(page)
      await page.locator('[aria-modal], dialog[open], .panel, .listbox').first().waitFor()
      await page.mouse.move(viewport.width / 2 + 9, 310)
      const marks: string[] = []
      page.on('request', (request) => {
        if (request.url().includes('/messages/flags')) marks.push(request.postData() ?? '')
      })
      const id = await say(friend, channelId, name, 'Covered')
      await list(page).getByText('Covered').waitFor()
      await page.mouse.move(viewport.width / 2, 300)
      await page.clock.runFor(2000)
      expect([await hasRead(owner, id), marks]).toEqual([false, []])
      await page.keyboard.press('Escape')
      await page.locator('[aria-modal], dialog[open], .panel, .listbox').first().waitFor({ state: 'detached' })
      await page.clock.runFor(2000)
      await expect.poll(async () => hasRead(owner, id)).toBe(true)
    },
  )
})
