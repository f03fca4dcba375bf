import type { Page } from 'playwright-core'
import { describe, expect, it } from 'vitest'
import type { TestUser } from '../../server/src/testing/user.ts'
import { loseConnection } from './kept.ts'
import { addressOf, openAnotherTab, countRequests, hasBrowser, openAs, openWindow, setHidden } from './browser.ts'
import { useTeam } from './shared.ts'
import { composer, fetchContents, list, PASSWORD, say, createTeamOn, type Team } from './team.ts'

const { server, browser, openPage } = useTeam()
const team = async (options?: { readonly password: string }): Promise<Team> => createTeamOn(server(), options)

/** Signs in through the API, so that the browser has never opened the client. */
async function signIn(page: Page, user: TestUser): Promise<void> {
  await page.goto(addressOf(user, '/login'))
  const status = await page.evaluate(
    async (form) => (await fetch('/api/v1/login', { method: 'POST', body: new URLSearchParams(form) })).status,
    { username: user.email, password: PASSWORD },
  )
  expect(status).toBe(200)
}

describe.skipIf(!hasBrowser)('first start in a browser', () => {
  it('reads messages after the initial state without missing messages sent in between', async () => {
    const { owner, friend, channelId } = await team({ password: PASSWORD })
    await say(friend, channelId, 'beans', 'Said before')
    const page = await (await openWindow(browser())).newPage()
    await signIn(page, owner)
    const read = countRequests(page.context(), '/messages')
    const isRegistered = page.waitForResponse((response) => new URL(response.url()).pathname === '/api/v1/register')
    await page.route('**/api/v1/messages?*', async (route) => {
      await (await isRegistered).finished()
      await say(friend, channelId, 'beans', 'Said between')
      await route.continue()
    })
    await page.goto(addressOf(owner, `/c/${channelId}/t/beans`))
    await list(page).getByText('Said between').waitFor()
    await say(friend, channelId, 'beans', 'Said after')
    await list(page).getByText('Said after').waitFor()
    expect(await list(page).getByRole('article').count()).toBe(3)
    expect(read()).toBe(1)
  })

  it('reloads prefetched messages if new messages arrive before the initial state', async () => {
    const { owner, friend, channelId } = await team({ password: PASSWORD })
    await say(friend, channelId, 'beans', 'Said before')
    const page = await (await openWindow(browser())).newPage()
    await signIn(page, owner)
    // Simulates a browser that has lost its stored state.
    await page.evaluate(() => {
      const build = document.querySelector<HTMLMetaElement>('meta[name="parley-build"]')?.content ?? ''
      localStorage.setItem('parley-state', build)
    })
    const read = countRequests(page.context(), '/messages')
    let letRegister = (): void => undefined
    const isHeld = new Promise<void>((held) => {
      void page.route('**/api/v1/register', async (route) => {
        const isLet = new Promise<void>((resolve) => {
          letRegister = resolve
        })
        held()
        await isLet
        await route.continue()
      })
    })
    const answered = page.waitForResponse((response) => new URL(response.url()).pathname === '/api/v1/messages')
    await page.goto(addressOf(owner, `/c/${channelId}/t/beans`))
    await isHeld
    await (await answered).finished()
    await say(friend, channelId, 'beans', 'Said between')
    letRegister()
    await list(page).getByText('Said between').waitFor()
    expect(await list(page).getByRole('article').count()).toBe(2)
    await expect.poll(read).toBe(2)
  })

  it('reads messages once if no messages arrive during the start', async () => {
    const { owner, friend, channelId } = await team({ password: PASSWORD })
    await say(friend, channelId, 'beans', 'Said before')
    const page = await (await openWindow(browser())).newPage()
    await signIn(page, owner)
    const read = countRequests(page.context(), '/messages')
    await page.goto(addressOf(owner, `/c/${channelId}/t/beans`))
    await list(page).getByText('Said before').waitFor()
    await say(friend, channelId, 'beans', 'Said after')
    await list(page).getByText('Said after').waitFor()
    expect(read()).toBe(1)
  })
})

it.skipIf(!hasBrowser)('renders a hidden tab only when it is shown again, but updates its title', async () => {
  const { owner, friend, channelId } = await team()
  await say(friend, channelId, 'beans', 'They sprout')
  const page = await openPage(owner, `/c/${channelId}/t/beans`)
  await list(page).getByText('They sprout').waitFor()
  await page.evaluate(
    async () =>
      new Promise<void>((resolve) => {
        requestIdleCallback(() => resolve())
      }),
  )
  await setHidden(page, true)
  await say(friend, channelId, 'beans', 'They bloom')
  await friend.call('POST', '/messages', { type: 'direct', to: [owner.id], content: 'Only you' })
  await expect.poll(() => page.title()).toMatch(/^\(3\) /)
  expect(await list(page).getByText('They bloom').count()).toBe(0)
  await setHidden(page, false)
  await list(page).getByText('They bloom').waitFor()
})

describe.skipIf(!hasBrowser)('lost sessions', () => {
  it.each([
    ['the session cookie is gone during an action', false],
    ['the session is revoked elsewhere', true],
  ] as const)('asks all tabs to sign in when %s, and keeps unsent text', async (_, isRevoked) => {
    const { owner, friend, channelId } = await team({ password: PASSWORD })
    const drafting = await openPage(owner, `/c/${channelId}/t/peas`)
    await composer(drafting).fill('Half a thought')
    const sending = await openAnotherTab(drafting, `/c/${channelId}/t/beans`)
    await composer(sending).fill('A whole thought')
    // Otherwise, saving the second draft could notice the lost cookie before the person sends.
    await expect.poll(async () => (await owner.call('GET', '/drafts')).count).toBe(2)
    if (isRevoked) {
      const { sessions } = await owner.call('GET', '/sessions')
      for (const { id } of sessions) await owner.call('DELETE', `/sessions/${id}`)
    } else {
      await sending.context().clearCookies()
      await sending.keyboard.press('Control+Enter')
    }
    for (const tab of [drafting, sending]) {
      await tab.getByRole('heading', { name: /^Sign in/ }).waitFor()
      expect(await tab.getByText('thought').count()).toBe(0)
    }
    await sending.getByLabel('Email address').fill(owner.email)
    await sending.getByLabel('Password').fill(PASSWORD)
    await sending.keyboard.press('Enter')
    await expect.poll(async () => composer(drafting).inputValue()).toBe('Half a thought')
    if (isRevoked) {
      await composer(sending).and(sending.locator(':not(:placeholder-shown)')).waitFor()
      await composer(sending).press('Control+Enter')
    }
    await expect.poll(async () => fetchContents(friend)).toEqual(['<p>A whole thought</p>'])
    await list(sending).getByText('A whole thought').waitFor()
  })
})

describe.skipIf(!hasBrowser)('lost event queues', () => {
  it('registers a lost event queue again without missing messages', async () => {
    const { owner, friend, channelId } = await team()
    await say(friend, channelId, 'beans', 'Before')
    let queueId = ''
    const page = await openAs(browser(), owner, `/c/${channelId}/t/beans`, { serviceWorkers: 'allow' })
    page.on('request', (request) => {
      queueId = new URL(request.url()).searchParams.get('queue_id') ?? queueId
    })
    await page.reload()
    await list(page).getByText('Before').waitFor()
    await expect.poll(() => queueId).not.toBe('')
    await loseConnection(page)
    await say(friend, channelId, 'beans', 'Between')
    await owner.call('DELETE', '/events', { queue_id: queueId })
    await page.context().setOffline(false)
    await list(page).getByText('Between').waitFor()
    await say(friend, channelId, 'beans', 'After')
    await list(page).getByText('After').waitFor()
    expect(await list(page).getByRole('article').count()).toBe(3)
  })
})
