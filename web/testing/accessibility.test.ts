import type { Page } from 'playwright-core'
import { describe, expect, it } from 'vitest'
import { useTestServer } from '../../server/src/testing/server.ts'
import type { TestUser } from '../../server/src/testing/user.ts'
import { accessibilityFaults, addressOf, hasBrowser, LOCAL_DOMAIN, openAs, openWindow, useBrowser } from './browser.ts'

const server = useTestServer(LOCAL_DOMAIN)
const browser = useBrowser()

const WIDTHS = [320, 768, 1440] as const
const THEMES = [
  { name: 'light', options: { colorScheme: 'light' } },
  { name: 'dark', options: { colorScheme: 'dark' } },
  { name: 'forced colours', options: { forcedColors: 'active' } },
] as const

/** Everything that a message can show, in a few. */
const CONTENTS = [
  'Plain words and a [link](https://example.com)',
  '**bold**, *slanted*, ~~gone~~, `code` :tada: @**all**',
  '```python\ndef grow(seed):\n    return seed + 1  # more\n```',
  '> Quoted\n\n* one\n* two\n\n| a | b |\n|---|---|\n| 1 | 2 |',
  '```spoiler The end\nIt grows\n```',
  'A longer text that has to be broken into several lines, since it says more than fits into one of them on a phone.',
]

interface Full {
  readonly owner: TestUser
  readonly friend: TestUser
  readonly channelId: number
}

/** An organization in which every view has something to show. */
async function fullOrganization(): Promise<Full> {
  const { owner, user } = await server().organization('Hill & Valley')
  const friend = await user('Fred Friend')
  await owner.call('POST', '/users/me/subscriptions', {
    subscriptions: [{ name: 'garden', description: 'Plants' }],
    principals: [owner.id, friend.id],
    send_new_subscription_messages: false,
  })
  await friend.call('POST', '/users/me/subscriptions', { subscriptions: [{ name: 'kitchen' }] })
  const { stream_id } = await owner.call('GET', '/get_stream_id', { stream: 'garden' })
  for (const content of CONTENTS) {
    await friend.call('POST', '/messages', { type: 'channel', to: stream_id, topic: 'beans', content })
  }
  const { id } = await owner.call('POST', '/messages', {
    type: 'channel',
    to: stream_id,
    topic: 'beans',
    content: 'Mine',
  })
  await friend.call('POST', `/messages/${String(id)}/reactions`, { emoji_name: 'tada' })
  await owner.call('POST', '/messages/flags', { messages: [id], op: 'add', flag: 'starred' })
  await friend.call('POST', '/messages', { type: 'direct', to: [owner.id], content: 'Only you' })
  await owner.call('POST', '/drafts', {
    drafts: [{ type: 'stream', to: [stream_id], topic: 'peas', content: 'Half a thought' }],
  })
  return { owner, friend, channelId: Number(stream_id) }
}

function viewsOf({ friend, channelId }: Full): readonly string[] {
  return [
    '/inbox',
    '/recent',
    '/feed',
    '/mentions',
    '/starred',
    '/search?q=Plain',
    '/writing',
    '/channels',
    '/settings',
    `/c/${channelId}`,
    `/c/${channelId}/feed`,
    `/c/${channelId}/t/beans`,
    `/dm/${friend.id}`,
    '/c/nothing',
  ]
}

/** Waits until a view has what it asked the server for. */
async function settled(page: Page): Promise<void> {
  await page.locator('#main').waitFor()
  await expect.poll(() => page.getByText('Loading …').count()).toBe(0)
}

/** Parts of a page that reach beyond its side edges, so that one would have to scroll sideways. */
async function isTooWide(page: Page): Promise<boolean> {
  return page.evaluate(() => document.documentElement.scrollWidth > document.documentElement.clientWidth)
}

/** What can be pressed and is smaller than a finger needs. Links within a text may be as small as their text. */
async function smallTargets(page: Page): Promise<string[]> {
  return page.evaluate(() =>
    [...document.querySelectorAll<HTMLElement>('button, input:not([hidden]), select, nav a')].flatMap((element) => {
      const { width, height } = element.getBoundingClientRect()
      const isShown = element.checkVisibility({ checkVisibilityCSS: true, checkOpacity: true }) && width > 1
      // A check box has its label as its target.
      const target = element.closest('label')?.getBoundingClientRect() ?? { width, height }
      return isShown && (target.width < 24 || target.height < 24) ? [`${width}×${height} ${element.outerHTML}`] : []
    }),
  )
}

describe.skipIf(!hasBrowser)('every view', () => {
  it.each(THEMES)('is usable in $name at every width', async ({ options }) => {
    const full = await fullOrganization()
    // All of them at once, since each takes its time to be found.
    const faults: unknown[] = []
    for (const width of WIDTHS) {
      const page = await openAs(browser(), full.owner, '/inbox', { ...options, viewport: { width, height: 900 } })
      for (const path of viewsOf(full)) {
        await page.goto(addressOf(full.owner, path))
        await settled(page)
        if (await isTooWide(page)) faults.push([path, width, 'is too wide'])
        for (const fault of [...(await accessibilityFaults(page)), ...(await smallTargets(page))]) {
          faults.push([path, width, fault])
        }
      }
      await page.context().close()
    }
    expect(faults).toEqual([])
  })
})

describe.skipIf(!hasBrowser)('what opens over a view', () => {
  it('is usable too', async () => {
    const full = await fullOrganization()
    for (const { options } of THEMES) {
      const page = await openAs(browser(), full.owner, `/c/${full.channelId}/t/beans`, options)
      await settled(page)
      const checks = async (): Promise<void> => expect(await accessibilityFaults(page)).toEqual([])
      await page.keyboard.press('Control+k')
      await page.getByRole('dialog').getByRole('combobox').fill('gar')
      await page
        .getByRole('option', { name: /garden/ })
        .first()
        .waitFor()
      await checks()
      await page.keyboard.press('Escape')
      await page.keyboard.press('?')
      await page.getByRole('dialog', { name: 'Keyboard' }).waitFor()
      await checks()
      await page.keyboard.press('Escape')
      await page.keyboard.press('k')
      await page.getByRole('toolbar').getByRole('button', { name: 'More' }).click()
      await page.getByRole('menu').waitFor()
      await checks()
      await page.keyboard.press('Escape')
      await page.getByRole('toolbar').getByRole('button', { name: 'Add a reaction' }).click()
      await page.getByRole('searchbox', { name: 'Search emoji' }).fill('tada')
      await checks()
      await page.context().close()
    }
  })

  it('gives the focus back to what opened it', async () => {
    const full = await fullOrganization()
    const page = await openAs(browser(), full.owner, `/c/${full.channelId}/t/beans`)
    const more = page.getByRole('main').getByRole('button', { name: 'More', exact: true }).first()
    await more.click()
    await page.getByRole('menuitem', { name: 'Mute topic' }).waitFor()
    await page.keyboard.press('ArrowDown')
    await page.keyboard.press('Escape')
    await expect.poll(() => more.evaluate((element) => element === document.activeElement)).toBe(true)
  })
})

describe.skipIf(!hasBrowser)('the form that signs in', () => {
  it.each(THEMES)('is usable in $name', async ({ options }) => {
    const { owner } = await server().organization('Hill & Valley')
    for (const width of WIDTHS) {
      const context = await openWindow(browser(), { ...options, viewport: { width, height: 700 } })
      const page = await context.newPage()
      await page.goto(addressOf(owner))
      await page.getByRole('heading', { name: 'Sign in to Hill & Valley' }).waitFor()
      expect(await accessibilityFaults(page)).toEqual([])
      expect(await isTooWide(page)).toBe(false)
      expect(await smallTargets(page)).toEqual([])
    }
  })
})
