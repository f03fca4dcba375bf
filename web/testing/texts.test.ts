import type { Page, Route } from 'playwright-core'
import { describe, expect, it } from 'vitest'
import { hasBrowser, openAs, show } from './browser.ts'
import { useTeam } from './shared.ts'
import { waitUntilStored, loseConnection } from './kept.ts'
import { composer, fetchTopicContents, fetchContents, list, say, type Team, createTeamOn, withChannel } from './team.ts'

const { server, browser, team, visit } = useTeam()
const teamWithChannel = async (): Promise<Team> => withChannel(await team())

const pendingNotice = (page: Page) => list(page).getByText('Waiting for a connection')

async function sendMessage(page: Page, text: string): Promise<void> {
  await composer(page).fill(text)
  await page.keyboard.press('Control+Enter')
}

async function openSecondTab(page: Page, path: string): Promise<Page> {
  const tab = await page.context().newPage()
  await tab.goto(new URL(path, page.url()).href)
  return tab
}

async function refuseMessages(page: Page): Promise<void> {
  await page.route('**/api/v1/messages', async (route: Route) => {
    const json = { result: 'error', code: 'BAD_REQUEST', msg: 'Not now.' }
    await (route.request().method() === 'POST' ? route.fulfill({ status: 400, json }) : route.continue())
  })
}

describe.skipIf(!hasBrowser)('unsent messages', () => {
  it('keeps another tab from sending a discarded or edited message', async () => {
    const { owner, friend, channelId } = await createTeamOn(server())
    const path = `/c/${channelId}/t/beans`
    const page = await openAs(browser(), owner, path, { serviceWorkers: 'allow' })
    await composer(page).waitFor()
    await waitUntilStored(page, 'last_event_id')
    await loseConnection(page)
    for (const [topic, text] of [
      ['beans', 'Discarded'],
      ['peas', 'Taken back'],
      ['roses', 'Sent'],
    ] as const) {
      await show(page, `/c/${channelId}/t/${topic}`)
      // The composer of the topic renders after the first paint.
      await page.getByRole('textbox', { name: new RegExp(`^Message to .*${topic}`) }).waitFor()
      await sendMessage(page, text)
      await pendingNotice(page).waitFor()
    }
    await show(page, '/writing')
    const tab = await openSecondTab(page, '/writing')
    const row = (of: Page, text: string) => of.getByRole('main').getByRole('listitem').filter({ hasText: text })
    await row(tab, 'Taken back').getByText('Waiting for a connection').waitFor()
    await row(page, 'Discarded').getByRole('button', { name: 'Discard' }).click()
    await row(page, 'Taken back').getByRole('button', { name: 'Edit' }).click()
    await expect.poll(() => composer(page).inputValue()).toBe('Taken back')
    await expect.poll(() => tab.getByText('Waiting for a connection').count()).toBe(1)
    await page.context().setOffline(false)
    await expect.poll(() => fetchContents(friend)).toEqual(['<p>Sent</p>'])
    await expect.poll(() => tab.getByText('Waiting for a connection').count()).toBe(0)
    await tab.close()
    await page.reload()
    await expect.poll(() => composer(page).inputValue()).toBe('Taken back')
    expect(await fetchContents(friend)).toEqual(['<p>Sent</p>'])
  })

  it('disables editing and discarding a message while the server may still accept it', async () => {
    const { owner, friend, channelId } = await teamWithChannel()
    const page = await visit(owner, `/c/${channelId}/t/beans`)
    await composer(page).waitFor()
    let go: (() => void) | undefined
    let count = 0
    await page.route('**/api/v1/messages', async (route) => {
      if (route.request().method() !== 'POST') return route.continue()
      count += 1
      if (count === 1) return route.abort()
      await new Promise<void>((resolve) => {
        go = resolve
      })
      await route.continue()
    })
    await sendMessage(page, 'On its way')
    await pendingNotice(page).waitFor()
    await expect.poll(() => go !== undefined).toBe(true)
    expect(await list(page).getByRole('button', { name: 'Edit' }).isDisabled()).toBe(true)
    const discard = list(page).getByRole('button', { name: 'Discard' })
    expect(await discard.isDisabled()).toBe(true)
    await discard.click({ force: true })
    go?.()
    await expect.poll(() => fetchTopicContents(friend, channelId, 'beans')).toEqual(['<p>On its way</p>'])
    await expect.poll(() => pendingNotice(page).count()).toBe(0)
  })

  it('edits a rejected message in its conversation while another message is being written', async () => {
    const { owner, channelId } = await createTeamOn(server())
    const page = await openAs(browser(), owner, `/c/${channelId}/t/beans`)
    await composer(page).waitFor()
    await refuseMessages(page)
    await sendMessage(page, 'Refused')
    await list(page).getByText('Not now.').waitFor()
    const topic = page.getByRole('combobox', { name: 'Topic' })
    await composer(page).fill('For the peas')
    await topic.fill('peas')
    await topic.press('Enter')
    await list(page).getByRole('button', { name: 'Edit' }).click()
    await expect.poll(() => composer(page).inputValue()).toBe('Refused')
    expect(await topic.inputValue()).toBe('beans')
    await expect.poll(() => composer(page).evaluate((field) => field === document.activeElement)).toBe(true)
    await page.reload()
    await expect.poll(() => composer(page).inputValue()).toBe('Refused')
    await show(page, `/c/${channelId}/t/peas`)
    await expect.poll(() => composer(page).inputValue()).toBe('For the peas')
  })
})

describe.skipIf(!hasBrowser)('drafts', () => {
  const hide = async (page: Page): Promise<void> =>
    page.evaluate(() => {
      Object.defineProperty(document, 'visibilityState', { value: 'hidden', configurable: true })
      document.dispatchEvent(new Event('visibilitychange'))
    })

  it('does not restore a sent draft from another tab', async () => {
    const { owner, friend, channelId } = await createTeamOn(server())
    const path = `/c/${channelId}/t/beans`
    const page = await openAs(browser(), owner, path, { serviceWorkers: 'allow' })
    await composer(page).waitFor()
    await waitUntilStored(page, 'last_event_id')
    await loseConnection(page)
    await composer(page).fill('Only once')
    await hide(page)
    const tab = await openSecondTab(page, path)
    await expect.poll(() => composer(tab).inputValue()).toBe('Only once')
    await composer(page).fill('Only once.')
    await expect.poll(() => composer(tab).inputValue()).toBe('Only once.')
    await composer(page).press('Control+Enter')
    await expect.poll(() => composer(tab).inputValue()).toBe('')
    await page.context().setOffline(false)
    await expect.poll(() => fetchContents(friend)).toEqual(['<p>Only once.</p>'])
    await show(tab, '/writing')
    await tab.getByText('No drafts or scheduled messages').waitFor()
    expect((await owner.call('GET', '/drafts'))['count']).toBe(0)
  })

  it('continues a draft when typing starts before the draft loads', async () => {
    const { owner, channelId } = await createTeamOn(server())
    const path = `/c/${channelId}/t/beans`
    const page = await openAs(browser(), owner, path)
    await composer(page).waitFor()
    await page.route('**/api/v1/drafts*', async (route) => route.abort())
    await composer(page).fill('Only here')
    await hide(page)
    // Types as soon as the field exists, before the client has read stored drafts.
    await page.addInitScript(() => {
      const observer = new MutationObserver(() => {
        const field = document.querySelector('textarea')
        if (field === null) return
        observer.disconnect()
        field.value = 'N'
        field.dispatchEvent(new Event('input', { bubbles: true }))
      })
      observer.observe(document, { childList: true, subtree: true })
    })
    await page.reload()
    await expect.poll(() => composer(page).inputValue()).toBe('Only hereN')
    await page.unroute('**/api/v1/drafts*')
    await page.reload()
    await expect.poll(() => composer(page).inputValue()).toMatch(/^Only hereN/)
  })

  it('marks a draft as saved once the server has it, and deletes the draft if another client deletes it', async () => {
    const { owner, channelId } = await teamWithChannel()
    const path = `/c/${channelId}/t/beans`
    const page = await visit(owner, path)
    await composer(page).fill('abc')
    await expect.poll(async () => (await owner.call('GET', '/drafts'))['count']).toBe(1)
    await expect.poll(() => unsavedDrafts(page)).toEqual([])
    await composer(page).press('d')
    await expect.poll(() => unsavedDrafts(page)).toEqual(['abcd'])
    await composer(page).fill('abc')
    await expect.poll(() => unsavedDrafts(page)).toEqual([])
    const { drafts } = await owner.call('GET', '/drafts')
    const [draft] = drafts
    await owner.call('DELETE', `/drafts/${draft?.id}`)
    await expect.poll(() => composer(page).inputValue()).toBe('')
    await page.reload()
    await composer(page).waitFor()
    await show(page, '/writing')
    await page.getByText('No drafts or scheduled messages').waitFor()
    expect((await owner.call('GET', '/drafts'))['count']).toBe(0)
  })

  it('turns a scheduled message into a draft when scheduling is undone', async () => {
    const { owner, friend, channelId } = await teamWithChannel()
    await say(friend, channelId, 'peas', 'A pea')
    const page = await visit(owner, `/c/${channelId}/t/beans`)
    await composer(page).fill('Good morning')
    await page.getByRole('button', { name: 'Send later' }).click()
    await page.getByRole('menuitem', { name: 'In an hour' }).click()
    await page.getByText(/^Message scheduled: /).waitFor()
    await show(page, `/c/${channelId}/t/peas`)
    await list(page).getByText('A pea').waitFor()
    await page.getByRole('status').getByRole('button', { name: 'Undo' }).click()
    await expect.poll(async () => JSON.stringify(await owner.call('GET', '/drafts'))).toContain('Good morning')
    expect(await composer(page).inputValue()).toBe('')
    await show(page, '/writing')
    const row = page.getByRole('main').getByRole('listitem').filter({ hasText: 'Good morning' })
    await row.getByRole('button', { name: 'Continue' }).click()
    await expect.poll(() => composer(page).inputValue()).toBe('Good morning')
    await composer(page).fill('')
    await expect.poll(async () => (await owner.call('GET', '/drafts'))['count']).toBe(0)
  })
})

/** Returns the texts of stored drafts that the server may not have. */
async function unsavedDrafts(page: Page): Promise<string[]> {
  return page.evaluate(
    async () =>
      new Promise<string[]>((resolve) => {
        const opening = indexedDB.open('parley')
        opening.addEventListener('success', () => {
          const { result: opened } = opening
          const reading = opened.transaction('drafts').objectStore('drafts').getAll()
          reading.addEventListener('success', () => {
            opened.close()
            resolve(
              (reading.result as { content: string; isOld: boolean; isSaved?: boolean }[])
                .filter(({ isOld, isSaved }) => !isOld && isSaved !== true)
                .map((one) => one.content),
            )
          })
        })
      }),
  )
}
