import type { Route } from 'playwright-core'
import { describe, expect, it } from 'vitest'
import { hasBrowser, openAnotherTab, show } from './browser.ts'
import { createTopic, expectText, holdRequests, sendText, waitForTopic } from './held-drafts.ts'
import { useTeam } from './shared.ts'
import { composer } from './team.ts'

const { team, openPage } = useTeam()

// Longer sequences of the same promises are in `draft-races.sweep.test.ts` and `draft-starts.sweep.test.ts`.
describe.skipIf(!hasBrowser)('drafts of topics that change while drafts are saved', () => {
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

  it('merges the drafts of two topics that become one topic, even if no tab shows either topic', async () => {
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

  it('saves a draft whose first request fails only after the browser is online again', async () => {
    const { owner, path, expectDrafts } = await createTopic(team())
    const page = await openPage(owner, path('beans'))
    const held = new Promise<Route>((resolve, reject) => {
      page.route('**/api/v1/drafts', resolve, { times: 1 }).catch(reject)
    })
    await composer(page).fill('Typed')
    const request = await held
    await page.evaluate(() => window.dispatchEvent(new Event('online')))
    await request.abort()
    await expectDrafts(['beans', 'Typed'])
  })
})
