import type { Page } from 'playwright-core'
import { describe, expect, it } from 'vitest'
import { openAnotherTab, hasBrowser, openAs, show } from './browser.ts'
import {
  waitForTopic,
  crashTab,
  expectText,
  holdRequests,
  waitForMessage,
  createTopic,
  sendText,
} from './held-drafts.ts'
import { waitUntilStored } from './kept.ts'
import { useTeam } from './shared.ts'
import { composer } from './team.ts'

const { browser, team, openPage } = useTeam()

/** Stops a tab from updating its stored state. */
async function stopStoringState(page: Page): Promise<void> {
  await page.evaluate(() => {
    const own = window.setTimeout.bind(window)
    Object.assign(window, { setTimeout: (run: () => void, delay: number) => (delay === 2_000 ? 0 : own(run, delay)) })
  })
}

describe.skipIf(!hasBrowser)('drafts when a page starts', () => {
  it('restores the last draft texts after a crash, even if the stored state is older', async () => {
    const { owner, path, expectDrafts, reach } = await createTopic(team())
    const stay = await openPage(owner, path('alpha'))
    const opened = new URL(stay.url()).origin
    await composer(stay).fill('Sent')
    await show(stay, path('beta'))
    await waitForTopic(stay, 'beta')
    await composer(stay).fill('First')
    await waitUntilStored(stay, 'First')
    const page = await openAnotherTab(stay, path('beta'))
    await stay.goto('about:blank')
    await stopStoringState(page)
    await composer(page).fill('First two')
    await show(page, path('gamma'))
    await waitForTopic(page, 'gamma')
    await composer(page).fill('New')
    await show(page, path('alpha'))
    await waitForTopic(page, 'alpha')
    await sendText(page)
    await show(page, '/writing')
    await expectDrafts(['beta', 'First two'], ['gamma', 'New'])
    await show(page, path('beans'))
    await reach('beans', page)
    await crashTab(page)
    const { release } = await holdRequests(stay, 'GET', '**/api/v1/events?*')
    await stay.goto(opened + path('alpha'))
    for (const [topic, text] of [
      ['alpha', ''],
      ['beta', 'First two'],
      ['gamma', 'New'],
    ] as const) {
      await show(stay, path(topic))
      await waitForTopic(stay, topic)
      await expectText(stay, text)
      await stay.keyboard.type('!')
    }
    await release()
    await expectDrafts(['beta', 'First two!'], ['gamma', 'New!'], ['alpha', '!'])
  })

  it('does not restore a draft sent under a renamed topic, even if the stored state still contains it', async () => {
    const { owner, path, expectDrafts, rename, reach } = await createTopic(team())
    const stay = await openPage(owner, path('beans'))
    const opened = new URL(stay.url()).origin
    await composer(stay).fill('Sent')
    await expectDrafts(['beans', 'Sent'])
    await reach('beans', stay)
    await waitUntilStored(stay, 'Said to beans')
    const page = await openAnotherTab(stay, path('beans'))
    await waitForTopic(page, 'beans')
    await stay.goto('about:blank')
    await stopStoringState(page)
    await rename('peas')
    await waitForTopic(page, 'peas')
    await show(page, '/writing')
    await expectDrafts(['peas', 'Sent'])
    await show(page, path('peas'))
    await waitForTopic(page, 'peas')
    await sendText(page)
    await expectDrafts()
    await composer(page).fill('New')
    await show(page, '/writing')
    await expectDrafts(['peas', 'New'])
    await crashTab(page)
    await stay.goto(`${opened}${path('peas')}`)
    await waitForTopic(stay, 'peas')
    await reach('peas', stay)
    await expectText(stay, 'New')
    await stay.keyboard.type('!')
    await show(stay, '/writing')
    await expectDrafts(['peas', 'New!'])
  })

  it('moves a draft to its renamed topic even if the rename arrives before the draft is loaded', async () => {
    const { owner, path, expectDrafts, rename } = await createTopic(team())
    const page = await openAs(browser(), owner, path('beans'))
    await waitUntilStored(page, 'last_event_id')
    await page.route('**/api/v1/drafts', async (route) => route.abort())
    await composer(page).fill('Typed')
    // Blocks access to the stored drafts until `free` is called.
    await page.addInitScript(() => {
      const opening = indexedDB.open('parley')
      opening.addEventListener('success', () => {
        const stored = opening.result.transaction('drafts', 'readwrite').objectStore('drafts')
        let isFree = false
        const wait = (): void => {
          if (isFree) opening.result.close()
          else stored.count().addEventListener('success', wait)
        }
        Object.assign(window, { free: () => (isFree = true) })
        wait()
      })
    })
    await page.reload()
    await waitForTopic(page, 'beans')
    await rename('peas')
    await waitForTopic(page, 'peas')
    await page.unroute('**/api/v1/drafts')
    await page.evaluate(() => (window as unknown as { free: () => void }).free())
    await expectText(page, 'Typed')
    await expectDrafts(['peas', 'Typed'])
  })
})

describe.skipIf(!hasBrowser)('drafts of topics that merge while drafts cannot be saved', () => {
  it('merges the drafts of two topics if one is renamed to the other and then back while drafts cannot be saved', async () => {
    const { owner, path, expectDrafts, rename, reach } = await createTopic(team())
    const page = await openPage(owner, path('beans'))
    await composer(page).fill('About beans')
    await expectDrafts(['beans', 'About beans'])
    await reach('beans', page)
    await page.context().route('**/api/v1/drafts', async (route) => route.abort())
    await show(page, path('plums'))
    await waitForTopic(page, 'plums')
    await composer(page).fill('About plums')
    await rename('plums')
    await waitForMessage(page, 'Said to beans')
    await rename('beans')
    await waitForTopic(page, 'beans')
    await page.context().unroute('**/api/v1/drafts')
    await page.evaluate(() => window.dispatchEvent(new Event('online')))
    await expectDrafts(['beans', 'About beans\n\nAbout plums'])
    await expectText(page, 'About beans\n\nAbout plums')
    await page.keyboard.type('!')
    await show(page, '/writing')
    await expectDrafts(['beans', 'About beans\n\nAbout plums!'])
  })

  it('joins all three drafts when a topic with an unsaved draft is renamed to two other topics in turn', async () => {
    const { owner, path, expectDrafts, rename } = await createTopic(team())
    const page = await openPage(owner, path('plums'))
    await composer(page).fill('About plums')
    await expectDrafts(['plums', 'About plums'])
    await show(page, path('peas'))
    await waitForTopic(page, 'peas')
    await composer(page).fill('About peas')
    await expectDrafts(['plums', 'About plums'], ['peas', 'About peas'])
    await page.context().route('**/api/v1/drafts', async (route) => route.abort())
    await show(page, path('beans'))
    await waitForTopic(page, 'beans')
    await composer(page).fill('About beans')
    for (const topic of ['peas', 'plums']) {
      await rename(topic)
      await waitForTopic(page, topic)
    }
    await page.context().unroute('**/api/v1/drafts')
    await page.evaluate(() => window.dispatchEvent(new Event('online')))
    const all = 'About plums\n\nAbout peas\n\nAbout beans'
    await expectDrafts(['plums', all])
    await expectText(page, all)
  })
})

describe.skipIf(!hasBrowser)('draft in two browsers', () => {
  it('after a topic is renamed, only the browser with the newer draft text moves the draft', async () => {
    const { owner, path, expectDrafts, rename, reach } = await createTopic(team())
    const page = await openPage(owner, path('beans'))
    const other = await openPage(owner, path('beans'))
    await waitForTopic(other, 'beans')
    await composer(page).fill('Half')
    await expectDrafts(['beans', 'Half'])
    await expectText(other, 'Half')
    await reach('beans', page, other)
    // On a slow machine, two seconds may not suffice for the other browser.
    await other.evaluate(() => {
      const own = window.setTimeout.bind(window)
      const slow = (run: () => void, delay: number): number => own(run, delay === 2_000 ? 20_000 : delay)
      Object.assign(window, { setTimeout: slow })
    })
    const changes: string[] = []
    other.on('request', (request) => {
      if (request.method() === 'PATCH' && request.url().includes('/drafts/')) changes.push(request.url())
    })
    await composer(page).fill('Half a')
    for (const topic of ['peas', 'beans', 'peas']) {
      await rename(topic)
      for (const one of [page, other]) await waitForTopic(one, topic)
    }
    await expectDrafts(['peas', 'Half a'])
    await expectText(other, 'Half a')
    await show(other, '/writing')
    await other.getByRole('main').getByRole('listitem').filter({ hasText: 'Half a' }).waitFor()
    expect(changes).toEqual([])
  })
})
