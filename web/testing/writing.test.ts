import type { Page } from 'playwright-core'
import { describe, expect, it } from 'vitest'
import type { TestUser } from '../../server/src/testing/user.ts'
import { addressOf, anotherTab, hasBrowser, openAs, show } from './browser.ts'
import { eachComposerState, type ComposerState } from './composer-states.ts'
import { useOneTeam } from './one-team.ts'
import { useTeam } from './shared.ts'
import { composer, contentsOf, list, teamOn } from './team.ts'
import { isKept, loseConnection } from './kept.ts'
import { faultsInThemes, THEMES } from './usable.ts'

const { server, browser, openPage } = useTeam()
const { team, visit } = useOneTeam(server, browser)

/** Somebody in the channel of the team, who has written nothing yet. */
async function newcomer(): Promise<TestUser> {
  const person = await (await team()).user('Nora New')
  await person.subscribe(['garden'])
  return person
}

describe.skipIf(!hasBrowser)('drafts', () => {
  it('outlive a tab that was closed without a connection, and are one where two tabs go on with it', async () => {
    const { owner, channelId } = await teamOn(server())
    const path = `/c/${channelId}/t/beans`
    const page = await openAs(browser(), owner, path, { serviceWorkers: 'allow' })
    await composer(page).waitFor()
    await isKept(page, 'last_event_id')
    await loseConnection(page)
    await composer(page).fill('Nearly lost')
    await page.evaluate(() => {
      Object.defineProperty(document, 'visibilityState', { value: 'hidden', configurable: true })
      document.dispatchEvent(new Event('visibilitychange'))
    })
    const again = await page.context().newPage()
    await page.close()
    await again.goto(addressOf(owner, path))
    await expect.poll(() => composer(again).inputValue()).toBe('Nearly lost')
    const other = await anotherTab(again, path)
    await expect.poll(() => composer(other).inputValue()).toBe('Nearly lost')
    const unsaved = [again, other].map((tab) => tab.getByRole('main').getByText('Kept in this browser only'))
    for (const tab of [again, other]) await show(tab, '/writing')
    for (const label of unsaved) await label.waitFor()
    await again.context().setOffline(false)
    for (const label of unsaved) await label.waitFor({ state: 'detached' })
    expect((await owner.call('GET', '/drafts'))['count']).toBe(1)
  })

  it('have one text a destination: the older one is kept, and can be restored', async () => {
    const { owner, channelId } = await team()
    const page = await visit(owner, `/c/${channelId}/t/squash`)
    await composer(page).fill('About beans')
    await expect.poll(async () => JSON.stringify(await owner.call('GET', '/drafts'))).toContain('About beans')
    await show(page, `/c/${channelId}/t/peas`)
    await expect.poll(() => composer(page).inputValue()).toBe('')
    await composer(page).fill('Newer')
    const topic = page.getByRole('combobox', { name: 'Topic' })
    await topic.fill('squash')
    await topic.press('Enter')
    await expect
      .poll(async () => JSON.stringify(await owner.call('GET', '/drafts')))
      .toMatch(/"topic":"squash","content":"Newer"/)
    await show(page, '/writing')
    const main = page.getByRole('main')
    await main.getByRole('heading', { name: 'Earlier versions' }).waitFor()
    await main.getByRole('button', { name: 'Restore' }).click()
    await page.getByRole('heading', { name: /squash/ }).waitFor()
    await expect.poll(() => composer(page).inputValue()).toBe('About beans')
    await show(page, '/writing')
    await expect.poll(() => main.getByRole('listitem').filter({ hasText: 'Newer' }).count()).toBe(1)
  })

  it('follow what is typed in another tab and in another browser', async () => {
    const { owner, channelId } = await team()
    const path = `/c/${channelId}/t/tulips`
    const page = await visit(owner, path)
    const tab = await anotherTab(page, path)
    const other = await openPage(owner, path)
    await composer(tab).waitFor()
    await composer(page).fill('From here')
    await expect.poll(() => composer(tab).inputValue()).toBe('From here')
    await expect.poll(() => composer(other).inputValue()).toBe('From here')
    await composer(other).fill('From there')
    await expect.poll(() => composer(page).inputValue()).toBe('From there')
    await expect.poll(() => composer(tab).inputValue()).toBe('From there')
  })
})

describe.skipIf(!hasBrowser)('the list of what is written', () => {
  const rows = (page: Page) => page.getByRole('main').getByRole('listitem')
  const draftsOf = async (user: TestUser) => (await user.call('GET', '/drafts'))['count']

  it('has drafts that only this browser keeps, which are saved once there is a connection', async () => {
    const { channelId } = await team()
    const owner = await newcomer()
    // Every part that is shown without the connection is loaded.
    const page = await openPage(owner, '/writing')
    await page.getByText('Nothing is waiting to be sent').waitFor()
    await show(page, `/c/${channelId}/t/beans`)
    await composer(page).waitFor()
    await page.context().setOffline(true)
    await composer(page).fill('Only here')
    await show(page, '/writing')
    const row = rows(page).filter({ hasText: 'Only here' })
    await row.getByText('Kept in this browser only').waitFor()
    await row.getByRole('button', { name: 'Delete: beans in garden' }).click()
    await page.getByText('Nothing is waiting to be sent').waitFor()
    await page.getByRole('status').getByRole('button', { name: 'Undo' }).click()
    await row.getByRole('button', { name: 'Continue' }).press('Enter')
    await expect.poll(() => composer(page).inputValue()).toBe('Only here')
    await expect.poll(() => composer(page).evaluate((field) => field === document.activeElement)).toBe(true)
    await show(page, '/writing')
    await row.getByText('Kept in this browser only').waitFor()
    await page.context().setOffline(false)
    await expect.poll(async () => draftsOf(owner)).toBe(1)
    await expect.poll(() => row.getByText('Kept in this browser only').count()).toBe(0)
    expect(await row.count()).toBe(1)
  })

  it('has one draft a destination, also where the tab does not hear that it was saved', async () => {
    const { channelId } = await team()
    const owner = await newcomer()
    const page = await openPage(owner, `/c/${channelId}/t/beans`)
    await page.route('**/api/v1/events*', async (route) => route.abort())
    await page.reload()
    await composer(page).fill('Once')
    await expect.poll(async () => draftsOf(owner)).toBe(1)
    await composer(page).fill('Once only')
    await expect.poll(async () => JSON.stringify(await owner.call('GET', '/drafts'))).toContain('Once only')
    expect(await draftsOf(owner)).toBe(1)
  })

  it('has what goes to nobody yet, which is continued there', async () => {
    const { owner } = await team()
    const page = await visit(owner, '/inbox')
    await page.getByRole('heading', { name: 'Inbox' }).waitFor()
    await page.keyboard.press('x')
    await composer(page).fill('For somebody')
    await page.getByRole('button', { name: 'Close and keep the draft' }).click()
    await show(page, '/writing')
    const row = rows(page).filter({ hasText: 'For somebody' })
    await row.getByText('Nobody yet').waitFor()
    await row.getByRole('button', { name: 'Continue' }).click()
    await expect.poll(() => composer(page).inputValue()).toBe('For somebody')
  })

  it('has what is sent later, which is edited, deleted, and brought back', async () => {
    const { owner, channelId } = await team()
    const at = Math.floor(Date.now() / 1000) + 86_400
    const later = { type: 'channel', to: channelId, topic: 'beans', scheduled_delivery_timestamp: at }
    await owner.call('POST', '/scheduled_messages', { ...later, content: 'Good morning' })
    const page = await visit(owner, '/writing')
    const scheduled = rows(page).filter({ hasText: 'Good morning' })
    await scheduled.getByRole('button', { name: /^Delete/ }).click()
    await expect.poll(() => scheduled.count()).toBe(0)
    await page.getByRole('status').getByRole('button', { name: 'Undo' }).click()
    await scheduled.getByRole('button', { name: 'Edit' }).click()
    await expect.poll(() => composer(page).inputValue()).toBe('Good morning')
    expect(await owner.call('GET', '/scheduled_messages')).toMatchObject({ scheduled_messages: [] })
  })
})

describe.skipIf(!hasBrowser)('what is not sent yet', () => {
  it('is listed where drafts are, the oldest first, and is edited there', async () => {
    const { friend, channelId } = await team()
    const owner = await newcomer()
    // Every part that is shown without the connection is loaded.
    const page = await openPage(owner, '/writing')
    await page.getByText('Nothing is waiting to be sent').waitFor()
    await show(page, `/c/${channelId}/t/beans`)
    await composer(page).waitFor()
    await page.context().setOffline(true)
    for (const text of ['First', 'Second']) {
      await composer(page).fill(text)
      await page.keyboard.press('Control+Enter')
    }
    await list(page).getByText('Waits for a connection').first().waitFor()
    await show(page, '/writing')
    const main = page.getByRole('main')
    await main.getByRole('heading', { name: 'Not sent yet' }).waitFor()
    expect((await main.getByRole('listitem').allTextContents()).map((text) => /First|Second/.exec(text)?.[0])).toEqual([
      'First',
      'Second',
    ])
    await main.getByRole('listitem').filter({ hasText: 'First' }).getByRole('button', { name: 'Edit' }).click()
    await expect.poll(() => composer(page).inputValue()).toBe('First')
    await composer(page).fill('Third')
    await page.keyboard.press('Control+Enter')
    await page.context().setOffline(false)
    await expect.poll(async () => (await contentsOf(friend)).slice(-2)).toEqual(['<p>Second</p>', '<p>Third</p>'])
    expect(await contentsOf(friend)).not.toContain('<p>First</p>')
    await show(page, '/writing')
    await page.getByText('Nothing is waiting to be sent').waitFor()
  })
})

describe.skipIf(!hasBrowser)('what can be put into a message', () => {
  it('is the link of a call, where the organization says where it calls', async () => {
    const { owner, friend, channelId } = await team()
    const page = await visit(owner, `/c/${channelId}/t/lunch`)
    const insert = page.getByRole('button', { name: 'Insert', exact: true })
    const call = page.getByRole('menuitem', { name: 'Start a video call' })
    await insert.click()
    await page.getByRole('menuitem', { name: 'New poll' }).waitFor()
    expect(await call.count()).toBe(0)
    await page.keyboard.press('Escape')
    await show(page, '/settings/messages')
    const address = page.getByRole('textbox', { name: 'Address of the Jitsi server' })
    await address.fill('meet.example.org')
    await address.press('Enter')
    await page.getByRole('alert').getByText('is not a web address').waitFor()
    await address.fill('https://meet.example.org')
    await address.press('Enter')
    await expect
      .poll(async () => (await owner.register({ event_types: ['realm'] })).state['realm_jitsi_server_url'])
      .toBe('https://meet.example.org')
    await show(page, `/c/${channelId}/t/lunch`)
    await insert.click()
    await call.click()
    await expect
      .poll(() => composer(page).inputValue())
      .toMatch(/^\[Join the video call\]\(https:\/\/meet\.example\.org\/[\da-f-]{36}\) $/)
    await page.keyboard.press('Control+Enter')
    await expect
      .poll(async () => (await contentsOf(friend)).at(-1))
      .toMatch(/<a href="https:\/\/meet\.example\.org\/[\da-f-]{36}">/)
    // It opens beside the client, which asks nothing there itself and is not known to what opens.
    const link = list(page).getByRole('link', { name: 'Join the video call' })
    expect([await link.getAttribute('target'), await link.getAttribute('rel')]).toEqual([
      '_blank',
      'noopener noreferrer',
    ])
  })

  it('is a poll, a time and a saved snippet, on a phone too', async () => {
    const { owner, channelId } = await team()
    const path = `/c/${channelId}/t/lunch`
    const page = await visit(owner, path, { viewport: { width: 320, height: 640 } })
    const insert = async (name: string): Promise<void> => {
      await page.getByRole('button', { name: 'Insert', exact: true }).click()
      await page.getByRole('menuitem', { name }).click()
    }
    const dialog = page.getByRole('dialog')
    await insert('New poll')
    await dialog.getByLabel('Question').fill('Where?')
    await dialog.getByLabel('Option 1').fill('In')
    await dialog.getByLabel('Option 2').fill('Out')
    await dialog.getByRole('button', { name: 'Send poll' }).click()
    await list(page).getByRole('button', { name: 'Out: 0 votes' }).waitFor()
    await insert('Insert a time')
    await dialog.getByLabel('Day and time').fill('2030-05-01T09:30')
    await dialog.getByRole('button', { name: 'Insert' }).click()
    await expect.poll(() => composer(page).inputValue()).toMatch(/^<time:2030-05-01T09:30:00[+-]\d\d:\d\d> $/)
    await composer(page).fill('')
    await insert('Saved snippets')
    await dialog.getByRole('button', { name: 'New snippet' }).click()
    await dialog.getByLabel('Name').fill('Thanks')
    await dialog.getByLabel('Text').fill('Thank you for the beans.')
    await dialog.getByRole('button', { name: 'Save' }).click()
    await dialog.getByRole('button', { name: 'Edit: Thanks' }).click()
    await dialog.getByLabel('Text').fill('Thank you.')
    await dialog.getByRole('button', { name: 'Save' }).click()
    await dialog.getByRole('button', { name: /^Thanks/ }).click()
    await expect.poll(() => composer(page).inputValue()).toBe('Thank you.')
    expect(await page.evaluate(() => document.documentElement.scrollWidth)).toBe(320)
    await insert('Saved snippets')
    await dialog.getByRole('button', { name: 'Delete: Thanks' }).click()
    await dialog.getByText('Texts that you write often can be saved here.').waitFor()
    expect(await owner.call('GET', '/saved_snippets')).toMatchObject({ saved_snippets: [] })
  })

  it('is sent at a day and a time that one chooses, which has to be still to come', async () => {
    const { owner, channelId } = await team()
    const page = await visit(owner, `/c/${channelId}/t/beans`)
    await composer(page).fill('Happy birthday')
    await page.getByRole('button', { name: 'Send later' }).click()
    await page.getByRole('menuitem', { name: 'Choose a day and time' }).click()
    const dialog = page.getByRole('dialog', { name: 'Send later' })
    await dialog.getByLabel('Day and time').fill('2020-05-01T09:30')
    await dialog.getByRole('alert').filter({ hasText: 'This time is over.' }).waitFor()
    await dialog.getByLabel('Day and time').fill('2030-05-01T09:30')
    await page.keyboard.press('Enter')
    await page.getByText(/^Will be sent: /).waitFor()
    expect(await owner.call('GET', '/scheduled_messages')).toMatchObject({
      scheduled_messages: [{ content: 'Happy birthday', topic: 'beans' }],
    })
  })
})

describe.skipIf(!hasBrowser)('the composer', () => {
  it('ends above a keyboard that lies over the page', async () => {
    const { owner, channelId } = await team()
    const page = await openPage(owner, `/c/${channelId}/t/beans`, { viewport: { width: 320, height: 640 } })
    const keyboard = async (height: number): Promise<void> =>
      page.evaluate((seen) => {
        Object.defineProperty(window.visualViewport, 'height', { value: seen, configurable: true })
        window.visualViewport?.dispatchEvent(new Event('resize'))
      }, height)
    const bottom = async (): Promise<number> => {
      const { y = 0, height = 0 } = (await page.getByRole('button', { name: 'Send', exact: true }).boundingBox()) ?? {}
      return y + height
    }
    await composer(page).focus()
    expect(await bottom()).toBeGreaterThan(500)
    await keyboard(360)
    await expect.poll(bottom).toBeLessThan(360)
    await keyboard(640)
    await expect.poll(bottom).toBeGreaterThan(500)
  })

  it('is usable in each theme with all that it shows', async () => {
    const all = await team()
    const viewport = { width: 320, height: 700 }
    // The sweeps look at all of it in each theme.
    const inEachTheme: readonly ComposerState[] = ['warnings and suggestions', 'New poll']
    await eachComposerState(
      all,
      async (path) => visit(all.owner, path, { viewport }),
      async (page, state) => {
        const faults = await faultsInThemes(page, inEachTheme.includes(state) ? THEMES : THEMES.slice(0, 1))
        expect([state, faults]).toEqual([state, []])
      },
    )
  })
})

describe.skipIf(!hasBrowser)('a slow connection', () => {
  it('takes nothing of what is typed while a message is scheduled, and brings back what is refused', async () => {
    const { channelId } = await team()
    const owner = await newcomer()
    const page = await openPage(owner, `/c/${channelId}/t/beans`)
    let answer: (isRefused: boolean) => void = () => undefined
    await page.route('**/api/v1/scheduled_messages', async (route) => {
      const isRefused = await new Promise<boolean>((resolve) => {
        answer = resolve
      })
      const json = { result: 'error', code: 'BAD_REQUEST', msg: 'Not now.' }
      await (isRefused ? route.fulfill({ status: 400, json }) : route.continue())
    })
    const schedule = async (): Promise<void> => {
      const asked = page.waitForRequest('**/api/v1/scheduled_messages')
      await page.getByRole('button', { name: 'Send later' }).click()
      await page.getByRole('menuitem', { name: 'In an hour' }).click()
      await asked
    }
    await composer(page).fill('Later')
    await schedule()
    await composer(page).fill('Meanwhile')
    answer(false)
    await page.getByText(/^Will be sent: /).waitFor()
    expect(await composer(page).inputValue()).toBe('Meanwhile')
    await schedule()
    answer(true)
    await page.getByText('Not now.').waitFor()
    await expect.poll(() => composer(page).inputValue()).toBe('Meanwhile')
  })

  it('leaves room for others while many files are on their way, and is waited for in another view', async () => {
    const { channelId } = await team()
    const owner = await newcomer()
    const path = `/c/${channelId}/t/beans`
    const page = await openPage(owner, path)
    const held: (() => void)[] = []
    let isHolding = true
    await page.route('**/user_uploads', async (route) => {
      const isHeld = new Promise<void>((resolve) => {
        held.push(resolve)
      })
      if (isHolding) await isHeld
      await route.continue()
    })
    await composer(page).waitFor()
    await page.evaluate(() => {
      const dataTransfer = new DataTransfer()
      for (let number = 1; number <= 30; number++) dataTransfer.items.add(new File(['x'], `file-${number}.txt`))
      document.querySelector('#main')?.dispatchEvent(new DragEvent('drop', { dataTransfer, bubbles: true }))
    })
    await expect.poll(() => held.length).toBe(3)
    await show(page, `/c/${channelId}/t/peas`)
    await composer(page).fill('Elsewhere')
    await show(page, path)
    await expect.poll(() => composer(page).inputValue()).toContain('Uploading file-30.txt')
    expect(await page.getByRole('button', { name: 'Send', exact: true }).isDisabled()).toBe(true)
    expect(held.length).toBe(3)
    isHolding = false
    for (const go of held) go()
    await expect.poll(async () => (await composer(page).inputValue()).match(/\]\(\/user_uploads\//g)?.length).toBe(30)
    await expect.poll(() => page.getByRole('button', { name: 'Send', exact: true }).isEnabled()).toBe(true)
  })
})
