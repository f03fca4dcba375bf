import { readFile } from 'node:fs/promises'
import { basename, dirname, join } from 'node:path'
import { fileURLToPath } from 'node:url'
import type { Page } from 'playwright-core'
import { describe, expect, it } from 'vitest'
import { useTestServer } from '../../server/src/testing/server.ts'
import { addressOf, anotherTab, hasBrowser, LOCAL_DOMAIN, openAs, setHidden, useBrowser } from './browser.ts'
import { isKept } from './kept.ts'
import { composer, contentsOf, list, say, teamOn } from './team.ts'

/*
 * What Safari and Firefox do otherwise than Chromium, where Chromium can be made to do it, too.
 */

const server = useTestServer(LOCAL_DOMAIN)
const browser = useBrowser()

/** The client, as it was built for these tests. */
const BUILT = join(dirname(fileURLToPath(import.meta.url)), '../../dist/web')

/** What a page does with its state while it is watched. */
interface Watched {
  /** How often it has begun to write. */
  begun: number
  /** How often it has given that up. */
  givenUp: number
  /** Whether it is set aside the next time that it begins. */
  setsAside: boolean
}

const watched = async (page: Page): Promise<Watched> =>
  page.evaluate(() => ({ ...(window as unknown as { watched: Watched }).watched }))

/** Watches the page from when it is loaded again: the client takes what it begins transactions by before anything else could. */
async function watchWriting(page: Page): Promise<void> {
  await page.addInitScript(() => {
    const noted = { begun: 0, givenUp: 0, setsAside: false }
    Object.assign(window, { watched: noted })
    const prototype = IDBDatabase.prototype
    const begin: IDBDatabase['transaction'] = Reflect.get(prototype, 'transaction')
    prototype.transaction = function watch(...given) {
      const transaction = begin.apply(this, given)
      if (given[1] !== 'readwrite' || ![given[0]].flat().includes('state')) return transaction
      noted.begun += 1
      transaction.addEventListener('abort', () => {
        noted.givenUp += 1
      })
      if (noted.setsAside)
        queueMicrotask(() => window.dispatchEvent(new PageTransitionEvent('pagehide', { persisted: true })))
      noted.setsAside = false
      return transaction
    }
  })
  await page.reload()
}

/** Has a page begin to write what the browser keeps, and never end it. */
async function holdDatabase(page: Page): Promise<void> {
  await page.evaluate(
    async () =>
      new Promise<void>((resolve) => {
        const opening = indexedDB.open('parley')
        opening.addEventListener('success', () => {
          const { objectStoreNames: names } = opening.result
          const [first] = names
          if (first === undefined) throw new Error('the client has made its stores')
          const held = opening.result.transaction([...names], 'readwrite').objectStore(first)
          const goOn = (): void => held.count().addEventListener('success', goOn)
          goOn()
          resolve()
        })
      }),
  )
}

/** Takes from a page that fields can be as large as their text. */
async function takeFieldSizing(page: Page): Promise<void> {
  await page.route('**/assets/*.css', async (route) => {
    const styles = await readFile(join(BUILT, basename(new URL(route.request().url()).pathname)), 'utf8')
    await route.fulfill({ contentType: 'text/css', body: styles.replaceAll('field-sizing', 'no-such-property') })
  })
  await page.addInitScript(() => {
    CSS.supports = () => false
  })
  await page.reload()
}

async function setAside(page: Page, isAside: boolean): Promise<void> {
  await page.evaluate((is) => {
    window.dispatchEvent(new PageTransitionEvent(is ? 'pagehide' : 'pageshow', { persisted: true }))
  }, isAside)
  await setHidden(page, isAside)
}

describe.skipIf(!hasBrowser)('what the browser keeps', () => {
  it('is not written by a page that is set aside, which could not end it, and is when the page is shown again', async () => {
    const { owner, friend, channelId } = await teamOn(server())
    await say(friend, channelId, 'beans', 'Before')
    const page = await openAs(browser(), owner, `/c/${channelId}/t/beans`)
    await watchWriting(page)
    await isKept(page, 'Before')
    const { begun } = await watched(page)
    expect(begun).toBeGreaterThan(0)
    await say(friend, channelId, 'beans', 'Meanwhile')
    await list(page).getByText('Meanwhile').waitFor()
    await setAside(page, true)
    expect((await watched(page)).begun).toBe(begun)
    await setAside(page, false)
    await isKept(page, 'Meanwhile')
  })

  it('is given up by a page that is set aside in the middle of writing, which writes it when it is shown again', async () => {
    const { owner, friend, channelId } = await teamOn(server())
    await say(friend, channelId, 'beans', 'Before')
    const page = await openAs(browser(), owner, `/c/${channelId}/t/beans`)
    await watchWriting(page)
    await isKept(page, 'Before')
    await page.evaluate(() => {
      ;(window as unknown as { watched: Watched }).watched.setsAside = true
    })
    await say(friend, channelId, 'beans', 'Meanwhile')
    await list(page).getByText('Meanwhile').waitFor()
    await expect.poll(async () => (await watched(page)).givenUp).toBe(1)
    await setAside(page, false)
    await isKept(page, 'Meanwhile')
  })

  it('keeps no tab waiting, though a page holds it for ever, nor somebody who signs out', async () => {
    const { owner, friend, channelId } = await teamOn(server())
    await say(friend, channelId, 'beans', 'Hello')
    const page = await openAs(browser(), owner)
    const holding = await page.context().newPage()
    await holding.goto(addressOf(owner, '/api/v1/server_settings'))
    await page.close()
    await holdDatabase(holding)
    const tab = await anotherTab(holding, `/c/${channelId}/t/beans`)
    await list(tab).getByText('Hello').waitFor()
    await composer(tab).fill('An answer')
    await tab.keyboard.press('Control+Enter')
    await list(tab).getByText('An answer').waitFor()
    await tab
      .getByRole('button', { name: /Olivia Owner/ })
      .first()
      .click()
    await tab.getByRole('menuitem', { name: 'Sign out' }).click()
    await tab.getByRole('heading', { name: /Sign in/ }).waitFor()
    expect(await contentsOf(friend)).toContain('<p>An answer</p>')
  })
})

describe.skipIf(!hasBrowser)('where fields have no size of their own', () => {
  it('what is written and what is edited is seen whole, up to a part of the window', async () => {
    const { owner, channelId } = await teamOn(server())
    await say(owner, channelId, 'beans', 'One')
    const page = await openAs(browser(), owner, `/c/${channelId}/t/beans`)
    await takeFieldSizing(page)
    await list(page).getByText('One').waitFor()
    const grows = async (field: ReturnType<typeof composer>, most: number): Promise<void> => {
      const heightOf = async (lines: number): Promise<number> => {
        await field.fill('line\n'.repeat(lines) + 'the last one')
        const hidden = await field.evaluate((element) => element.scrollHeight - element.clientHeight)
        expect(lines > 20 || hidden <= 1).toBe(true)
        return (await field.boundingBox())?.height ?? 0
      }
      expect((await heightOf(9)) - (await heightOf(4))).toBeGreaterThan(80)
      expect(await heightOf(90)).toBeLessThanOrEqual(most)
      await field.fill('')
    }
    await grows(composer(page), 320)
    await list(page).getByRole('article').last().focus()
    await page.keyboard.press('e')
    await grows(page.getByRole('textbox', { name: 'Edit message' }), 400)
  })
})

describe.skipIf(!hasBrowser)('emoji that would be letters', () => {
  it('are shown as emoji by every font', async () => {
    const { owner, friend, channelId } = await teamOn(server())
    const id = await say(owner, channelId, 'beans', 'A :heart:, :one: and :tada:')
    await friend.call('POST', `/messages/${id}/reactions`, { emoji_name: 'heart' })
    const page = await openAs(browser(), owner, `/c/${channelId}/t/beans`)
    const message = list(page).getByRole('article').last()
    await message.getByRole('button', { name: /heart/ }).waitFor()
    const signs = message.locator('.emoji')
    expect(await signs.allTextContents()).toEqual(['\u2764\uFE0F', '1\uFE0F\u20E3', '\u{1F389}'])
    expect(await message.getByRole('button', { name: /heart/ }).first().textContent()).toContain('\u2764\uFE0F')
  })
})
