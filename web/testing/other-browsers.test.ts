import { readFile } from 'node:fs/promises'
import { basename, dirname, join } from 'node:path'
import { fileURLToPath } from 'node:url'
import type { Page } from 'playwright-core'
import { describe, expect, it } from 'vitest'
import type { TestUser } from '../../server/src/testing/user.ts'
import {
  addressOf,
  openAnotherTab,
  closeHints,
  hasBrowser,
  load,
  openAs,
  openWindow,
  setHidden,
  signInByCookie,
} from './browser.ts'
import { waitUntilStored } from './kept.ts'
import { useTeam } from './shared.ts'
import { composer, fetchContents, list, say, createTeamOn } from './team.ts'

/* Behavior of Safari and Firefox that Chromium can imitate. */

const { server, browser, team, visit } = useTeam()

const BUILD_FOLDER = join(dirname(fileURLToPath(import.meta.url)), '../../dist/web')

interface TransactionWatch {
  started: number
  aborted: number
  /** Whether the page enters the back/forward cache during the next write. */
  entersPageCache: boolean
}

declare global {
  interface Window {
    watched: TransactionWatch
  }
}

const transactionCounts = async (page: Page): Promise<TransactionWatch> => page.evaluate(() => ({ ...window.watched }))

/** Opens a page that counts database transactions even before the client's scripts load. */
async function openWatchedPage(user: TestUser, path: string): Promise<Page> {
  const page = await (await openWindow(browser())).newPage()
  await page.addInitScript(() => {
    const noted = { started: 0, aborted: 0, entersPageCache: false }
    Object.assign(window, { watched: noted })
    const prototype = IDBDatabase.prototype
    const begin: IDBDatabase['transaction'] = Reflect.get(prototype, 'transaction')
    prototype.transaction = function watch(...given) {
      const transaction = begin.apply(this, given)
      if (given[1] !== 'readwrite' || ![given[0]].flat().includes('state')) return transaction
      noted.started += 1
      transaction.addEventListener('abort', () => {
        noted.aborted += 1
      })
      if (noted.entersPageCache)
        queueMicrotask(() => window.dispatchEvent(new PageTransitionEvent('pagehide', { persisted: true })))
      noted.entersPageCache = false
      return transaction
    }
  })
  await closeHints(user)
  await signInByCookie(page, user)
  await load(page, user, path)
  return page
}

/** Keeps a write transaction of a page open by pausing the page in the debugger. */
async function holdDatabase(page: Page): Promise<void> {
  const debug = await page.context().newCDPSession(page)
  await debug.send('Debugger.enable')
  const isStopped = new Promise((resolve) => {
    debug.once('Debugger.paused', resolve)
  })
  await page.evaluate(`
    const opening = indexedDB.open('parley')
    opening.addEventListener('success', () => {
      const names = [...opening.result.objectStoreNames]
      const store = opening.result.transaction(names, 'readwrite').objectStore(names[0])
      store.count().addEventListener('success', () => {
        debugger
      })
    })
  `)
  await isStopped
}

async function disableFieldSizing(page: Page): Promise<void> {
  await page.route('**/assets/*.css', async (route) => {
    const styles = await readFile(join(BUILD_FOLDER, basename(new URL(route.request().url()).pathname)), 'utf8')
    await route.fulfill({ contentType: 'text/css', body: styles.replaceAll('field-sizing', 'no-such-property') })
  })
  await page.addInitScript(() => {
    CSS.supports = () => false
  })
  await page.reload()
}

async function setInPageCache(page: Page, isCached: boolean): Promise<void> {
  await page.evaluate((is) => {
    window.dispatchEvent(new PageTransitionEvent(is ? 'pagehide' : 'pageshow', { persisted: true }))
  }, isCached)
  await setHidden(page, isCached)
}

describe.skipIf(!hasBrowser)('stored state', () => {
  it('delays storing received messages until the page leaves the back/forward cache', async () => {
    const { owner, friend, channelId } = await createTeamOn(server())
    await say(friend, channelId, 'beans', 'Before')
    const page = await openWatchedPage(owner, `/c/${channelId}/t/beans`)
    await waitUntilStored(page, 'Before')
    const { started } = await transactionCounts(page)
    expect(started).toBeGreaterThan(0)
    await say(friend, channelId, 'beans', 'Meanwhile')
    await list(page).getByText('Meanwhile').waitFor()
    await setInPageCache(page, true)
    expect((await transactionCounts(page)).started).toBe(started)
    await setInPageCache(page, false)
    await waitUntilStored(page, 'Meanwhile')
  })

  it('aborts a write when the browser suspends a page, and repeats the write later', async () => {
    const { owner, friend, channelId } = await createTeamOn(server())
    await say(friend, channelId, 'beans', 'Before')
    const page = await openWatchedPage(owner, `/c/${channelId}/t/beans`)
    await waitUntilStored(page, 'Before')
    await page.evaluate(() => {
      window.watched.entersPageCache = true
    })
    await say(friend, channelId, 'beans', 'Meanwhile')
    await list(page).getByText('Meanwhile').waitFor()
    await expect.poll(async () => (await transactionCounts(page)).aborted).toBe(1)
    await setInPageCache(page, false)
    await waitUntilStored(page, 'Meanwhile')
  })

  it('opens a tab, sends a message, and signs out while another page blocks the database', async () => {
    const { owner, friend, channelId } = await createTeamOn(server())
    await say(friend, channelId, 'beans', 'Hello')
    const page = await openAs(browser(), owner)
    const holding = await page.context().newPage()
    await holding.goto(addressOf(owner, '/api/v1/server_settings'))
    await page.close()
    await holdDatabase(holding)
    const tab = await openAnotherTab(holding, `/c/${channelId}/t/beans`)
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
    expect(await fetchContents(friend)).toContain('<p>An answer</p>')
  })
})

describe.skipIf(!hasBrowser)('fields without field sizing', () => {
  it('grows text fields with their text in a browser that does not support field-sizing', async () => {
    const { owner, channelId } = await createTeamOn(server())
    await say(owner, channelId, 'beans', 'One')
    const page = await openAs(browser(), owner, `/c/${channelId}/t/beans`)
    await disableFieldSizing(page)
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

describe.skipIf(!hasBrowser)('emoji presentation', () => {
  it('shows characters with a text and an emoji form as emoji in every font', async () => {
    const { owner, friend, channelId } = await team()
    const id = await say(owner, channelId, 'beans', 'A :heart:, :one: and :tada:')
    await friend.call('POST', `/messages/${id}/reactions`, { emoji_name: 'heart' })
    const page = await visit(owner, `/c/${channelId}/t/beans`)
    const message = list(page).getByRole('article').last()
    await message.getByRole('button', { name: /heart/ }).waitFor()
    const signs = message.locator('.emoji')
    expect(await signs.allTextContents()).toEqual(['\u2764\uFE0F', '1\uFE0F\u20E3', '\u{1F389}'])
    expect(await message.getByRole('button', { name: /heart/ }).first().textContent()).toContain('\u2764\uFE0F')
  })
})
