import type { Page } from 'playwright-core'
import { describe, it } from 'vitest'
import { openAnotherTab, hasBrowser, openAs, show } from './browser.ts'
import { waitForTopic, crashTab, expectText, holdRequests, createTopic, sendText } from './held-drafts.ts'
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
