import { describe, expect, it } from 'vitest'
import { openAnotherTab, hasBrowser, show } from './browser.ts'
import {
  waitForTopic,
  expectText,
  freezeTab,
  holdRequests,
  waitForMessage,
  createTopic,
  sendText,
} from './held-drafts.ts'
import { useTeam } from './shared.ts'
import { composer } from './team.ts'

const { team, openPage } = useTeam()

describe.skipIf(!hasBrowser)('drafts of sent messages', () => {
  it('does not restore a sent draft when the event about the draft arrives after sending', async () => {
    const { owner, path, expectDrafts, reach } = await createTopic(team())
    const page = await openPage(owner, '/inbox')
    const events = await holdRequests(page, 'GET', '**/api/v1/events?*')
    await page.goto(new URL(path('beans'), page.url()).href)
    const tab = await openAnotherTab(page, path('beans'))
    await waitForTopic(tab, 'beans')
    await composer(page).fill('Sent')
    await expectDrafts(['beans', 'Sent'])
    const deletion = await holdRequests(page, 'DELETE', '**/api/v1/drafts/*')
    await sendText(page)
    await deletion.isHeld
    await events.release()
    await reach('beans', page, tab)
    for (const one of [page, tab]) await expectText(one, '')
    await tab.keyboard.type('Next')
    await deletion.release()
    await show(tab, '/writing')
    await expectDrafts(['beans', 'Next'])
  })

  it('does not restore a sent draft when its topic is renamed and then renamed back', async () => {
    const { owner, path, expectDrafts, rename, reach } = await createTopic(team())
    const page = await openPage(owner, path('beans'))
    await composer(page).fill('Sent')
    await expectDrafts(['beans', 'Sent'])
    await reach('beans', page)
    const move = await holdRequests(page, 'PATCH', '**/api/v1/drafts/*')
    await rename('peas')
    await waitForTopic(page, 'peas')
    await move.isHeld
    await sendText(page)
    await rename('beans')
    await waitForTopic(page, 'beans')
    expect(await composer(page).inputValue()).toBe('')
    await page.keyboard.type('Next')
    await move.release()
    await show(page, '/writing')
    await expectDrafts(['beans', 'Next'])
  })

  it('does not restore a sent draft from a tab that was frozen while the topic was renamed', async () => {
    const { owner, path, expectDrafts, rename, reach } = await createTopic(team())
    const page = await openPage(owner, path('beans'))
    const late = await openAnotherTab(page, path('beans'))
    await waitForTopic(late, 'beans')
    await composer(page).fill('Sent')
    await expectDrafts(['beans', 'Sent'])
    await reach('beans', page, late)
    const resume = await freezeTab(late)
    await rename('peas')
    await waitForTopic(page, 'peas')
    await expectDrafts(['peas', 'Sent'])
    await sendText(page)
    await expectDrafts()
    await reach('peas', page)
    await resume()
    await waitForMessage(late, 'Said to peas')
    for (const one of [page, late]) await expectText(one, '')
    await page.keyboard.type('Next')
    await show(page, '/writing')
    await expectDrafts(['peas', 'Next'])
  })

  it('does not restore a sent draft from a tab that was frozen while the topic was renamed twice', async () => {
    const { owner, path, expectDrafts, rename, reach } = await createTopic(team())
    const page = await openPage(owner, path('beans'))
    const late = await openAnotherTab(page, path('beans'))
    await waitForTopic(late, 'beans')
    await composer(page).fill('Sent')
    await expectDrafts(['beans', 'Sent'])
    await expectText(late, 'Sent')
    const resume = await freezeTab(late)
    await rename('peas')
    await waitForTopic(page, 'peas')
    await rename('beans')
    await waitForTopic(page, 'beans')
    await expectDrafts(['beans', 'Sent'])
    await resume()
    await reach('beans', page, late)
    await sendText(page)
    await expectDrafts()
    await page.keyboard.type('Next')
    await rename('peas')
    for (const one of [page, late]) await waitForTopic(one, 'peas')
    for (const one of [page, late]) await expectText(one, 'Next')
    await expectDrafts(['peas', 'Next'])
  })

  it('does not restore a sent draft that two tabs are still saving under the renamed topic', async () => {
    const { owner, path, expectDrafts, rename, reach } = await createTopic(team())
    const page = await openPage(owner, path('beans'))
    const tab = await openAnotherTab(page, path('beans'))
    await waitForTopic(tab, 'beans')
    await composer(page).fill('Sent')
    await expectText(tab, 'Sent')
    const { isHeld, release } = await holdRequests(page, 'POST', '**/api/v1/drafts')
    await rename('peas')
    await isHeld
    for (const one of [page, tab]) await waitForTopic(one, 'peas')
    await sendText(page)
    await expectText(tab, '')
    await release()
    await expectDrafts()
    await reach('peas', page, tab)
    for (const one of [page, tab]) expect(await composer(one).inputValue()).toBe('')
  })

  it('does not restore a sent draft from another browser that moves the draft to a renamed topic', async () => {
    const { owner, path, expectDrafts, rename, reach } = await createTopic(team())
    const page = await openPage(owner, path('beans'))
    const other = await openPage(owner, path('beans'))
    await waitForTopic(other, 'beans')
    await composer(page).fill('Sent')
    await expectDrafts(['beans', 'Sent'])
    await reach('beans', page, other)
    const { isHeld, release } = await holdRequests(other, 'GET', '**/api/v1/drafts')
    await rename('peas')
    await isHeld
    await waitForTopic(page, 'peas')
    await sendText(page)
    await expectDrafts()
    await release()
    await reach('peas', other)
    await expectText(other, '')
    await composer(other).fill('Next')
    await show(other, '/writing')
    await expectDrafts(['peas', 'Next'])
  })

  it('deletes every copy of a sent draft, including a copy that a closed page saved', async () => {
    const { owner, channelId, path, expectDrafts, reach } = await createTopic(team())
    const page = await openPage(owner, path('beans'))
    await composer(page).fill('Sent')
    await expectDrafts(['beans', 'Sent'])
    const draft = { type: 'stream', to: [channelId], topic: 'beans', content: 'Sent' }
    await owner.call('POST', '/drafts', { drafts: [draft] })
    await reach('beans', page)
    await sendText(page)
    await expectDrafts()
    await expectText(page, '')
  })
})

describe.skipIf(!hasBrowser)('drafts in two tabs', () => {
  it('keeps text typed in one tab before another tab merges the drafts of two topics', async () => {
    const { owner, path, expectDrafts, rename, reach } = await createTopic(team())
    const page = await openPage(owner, path('peas'))
    await composer(page).fill('About peas')
    await show(page, path('beans'))
    await waitForTopic(page, 'beans')
    await composer(page).fill('About beans')
    const late = await openAnotherTab(page, path('beans'))
    await expectText(late, 'About beans')
    const resume = await freezeTab(late)
    await rename('peas')
    await waitForTopic(page, 'peas')
    await expectText(page, 'About peas\n\nAbout beans')
    await page.keyboard.type('!')
    await reach('peas', page)
    await resume()
    await waitForMessage(late, 'Said to peas')
    for (const one of [page, late]) await expectText(one, 'About peas\n\nAbout beans!')
    await show(page, '/writing')
    await expectDrafts(['peas', 'About peas\n\nAbout beans!'])
  })

  it('merges the drafts of two topics that become one topic, even if no tab shows them', async () => {
    const { owner, path, expectDrafts, rename } = await createTopic(team())
    const page = await openPage(owner, path('peas'))
    const tab = await openAnotherTab(page, '/inbox')
    await composer(page).fill('About peas')
    await expectDrafts(['peas', 'About peas'])
    await show(page, path('beans'))
    await waitForTopic(page, 'beans')
    await composer(page).fill('About beans')
    await expectDrafts(['peas', 'About peas'], ['beans', 'About beans'])
    await show(page, '/inbox')
    await rename('peas')
    await expectDrafts(['peas', 'About peas\n\nAbout beans'])
    for (const one of [page, tab]) {
      await show(one, path('peas'))
      await waitForTopic(one, 'peas')
      await expectText(one, 'About peas\n\nAbout beans')
    }
  })

  it('shows the newer draft in both tabs after a frozen tab stored an older text', async () => {
    const { owner, path, rename, reach } = await createTopic(team())
    const page = await openPage(owner, path('beans'))
    await page.context().route('**/api/v1/drafts', async (route) => route.abort())
    const late = await openAnotherTab(page, path('beans'))
    await composer(page).fill('Older')
    await expectText(late, 'Older')
    const resume = await freezeTab(late)
    await rename('peas')
    await waitForTopic(page, 'peas')
    await page.keyboard.type(' and newer')
    await reach('peas', page)
    await resume()
    await waitForMessage(late, 'Said to peas')
    await expectText(late, 'Older and newer')
    await page.reload()
    await waitForTopic(page, 'peas')
    for (const one of [page, late]) await expectText(one, 'Older and newer')
  })
})

describe.skipIf(!hasBrowser)('draft in two browsers', () => {
  it('moves a draft to the renamed topic only from the browser with the newer text', async () => {
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
