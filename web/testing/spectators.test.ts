import type { Page } from 'playwright-core'
import { describe, expect, it } from 'vitest'
import { accessibilityFaults, addressOf, createGate, hasBrowser } from './browser.ts'
import { useTeam } from './shared.ts'
import { composer, createChannel, createTeamOn, list, PASSWORD, say, type Team } from './team.ts'

interface OpenTeam extends Team {
  readonly officeId: number
}

/** More than the client loads at once. */
const MESSAGE_COUNT = 70

const { team, openPage, openStranger } = useTeam(
  { PARLEY_WEB_PUBLIC_CHANNELS: '1' },
  async (server): Promise<OpenTeam> => {
    const made = await createTeamOn(server, { password: PASSWORD })
    const { owner, friend, channelId } = made
    await owner.call('PATCH', '/realm', { enable_spectator_access: true })
    await owner.call('PATCH', `/streams/${channelId}`, { is_web_public: true })
    const officeId = await createChannel(owner, 'office', [friend])
    for (let number = 1; number <= MESSAGE_COUNT; number += 1) await say(friend, channelId, 'peas', `Pea ${number}`)
    const id = await say(owner, channelId, 'beans', `Runner beans climb. @**Fred Friend** :tada:`)
    await friend.call('POST', `/messages/${id}/reactions`, { emoji_name: 'tada' })
    await say(owner, channelId, 'peas', `Like #**garden>beans**, unlike #**office>chairs**`)
    return { ...made, officeId }
  },
)

const heading = (page: Page, name: string | RegExp) => page.getByRole('heading', { level: 1, name })

/** Opens a window without an account. @returns the requests that were refused */
async function openReader(path: string): Promise<{ page: Page; refused: string[] }> {
  const page = await openStranger()
  const refused: string[] = []
  page.on('response', (response) => {
    if (response.status() >= 400) refused.push(`${response.request().method()} ${response.url()} ${response.status()}`)
  })
  await page.goto(addressOf((await team()).owner, path))
  return { page, refused }
}

describe.skipIf(!hasBrowser)('web-public channels without an account', () => {
  it('can be read, followed to linked topics, and left for the sign-in form of other places', async () => {
    const { owner, channelId, officeId } = await team()
    const { page, refused } = await openReader('/')
    await heading(page, 'Public channels').waitFor()
    await page.getByRole('main').getByRole('link', { name: 'garden' }).click()
    await page.getByRole('main').getByRole('link', { name: 'peas' }).click()
    await list(page).getByText(`Pea ${MESSAGE_COUNT}`, { exact: true }).waitFor()
    expect(await page.title()).toBe('peas in garden · Hill & Valley')
    expect(await list(page).getByText('Pea 1', { exact: true }).count()).toBe(0)
    const { promise: answer, resolve: release } = createGate()
    await page.route('**/api/v1/messages?*', async (route) => {
      await answer
      await route.continue()
    })
    // The button comes into view again while its page loads.
    const articles = list(page).getByRole('article')
    for (const article of [articles.first(), articles.last(), articles.first()]) await article.scrollIntoViewIfNeeded()
    release()
    await list(page).getByText('Pea 1', { exact: true }).waitFor()
    await page.unrouteAll({ behavior: 'wait' })
    expect(await articles.count()).toBe(MESSAGE_COUNT + 1)
    // Keys of the client do nothing without an account, and nothing is offered that needs one.
    const before = await page.content()
    for (const key of ['j', 'c', 'r', '?', 'Control+k']) await page.keyboard.press(key)
    expect(await page.content()).toBe(before)
    expect(await composer(page).count()).toBe(0)
    expect(await page.getByRole('button').allTextContents()).toEqual(['Sign in', 'Sign in to reply'])
    expect(await accessibilityFaults(page)).toEqual([])

    await list(page).getByRole('link', { name: '#garden > beans' }).click()
    await list(page).getByText('Runner beans climb.').waitFor()
    await list(page).getByText('🎉 1').waitFor()
    expect(page.url()).toBe(addressOf(owner, `/c/${channelId}-garden/t/beans`))
    await page.goBack()
    await list(page).getByRole('link', { name: '#office > chairs' }).click()
    await heading(page, 'Sign in to Hill & Valley').waitFor()
    expect(page.url()).toBe(addressOf(owner, `/c/${officeId}/t/chairs`))
    await page.getByRole('button', { name: 'Keep reading without signing in' }).click()
    await heading(page, 'Public channels').waitFor()
    expect(refused).toEqual([])
  })

  it('can be searched, and show a found message in its conversation', async () => {
    const { page, refused } = await openReader('/channels')
    await page.getByRole('link', { name: 'Search messages' }).click()
    const field = page.getByRole('searchbox', { name: 'Search messages' })
    await field.pressSequentially('runn clim')
    await list(page).locator('.highlight').first().waitFor()
    expect(await list(page).locator('.highlight').count()).toBe(2)
    expect(await accessibilityFaults(page)).toEqual([])
    await list(page)
      .getByRole('link', { name: /garden › beans/ })
      .click()
    await heading(page, /garden.*beans/).waitFor()
    await list(page).getByText('Runner beans climb.').waitFor()
    await page.goBack()
    await expect.poll(async () => field.inputValue()).toBe('runn clim')
    await field.fill('tulips')
    await page.getByText('No messages found').waitFor()
    expect(refused).toEqual([])
  })

  it('lead to the sign-in form, and back to the same conversation', async () => {
    const { owner, channelId } = await team()
    const { page, refused } = await openReader(`/c/${channelId}/t/peas#sign-in`)
    await heading(page, 'Sign in to Hill & Valley').waitFor()
    await page.getByRole('button', { name: 'Keep reading without signing in' }).click()
    await list(page).getByText(`Pea ${MESSAGE_COUNT}`, { exact: true }).waitFor()
    await page.getByRole('button', { name: 'Sign in to reply' }).click()
    await page.getByLabel('Email address').fill(owner.email)
    await page.getByLabel('Password').fill(PASSWORD)
    await page.keyboard.press('Enter')
    await composer(page).waitFor()
    // The client opens at the first unread message.
    await list(page).getByText('Pea 1', { exact: true }).waitFor()
    expect(page.url()).toBe(addressOf(owner, `/c/${channelId}/t/peas`))
    expect(refused).toEqual([])
  })

  it('show given names or pseudonyms, as the organization and each person choose', async () => {
    const { owner, friend, channelId } = await team()
    const choose = async (page: Page, name: string, title: string): Promise<void> => {
      await page.getByRole('combobox', { name }).selectOption(title)
      await page.getByRole('main').getByText('Saved', { exact: true }).waitFor()
    }
    const names = 'Names shown to people without an account'
    await choose(await openPage(owner, '/settings/joining'), names, 'Given names')
    const own = 'Name shown to people without an account'
    await choose(await openPage(friend, '/settings/profile'), own, 'Pseudonym, without picture')
    const { organization, own: chosen, shown_name: shown } = await friend.call('GET', '/public_names')
    expect([organization, chosen]).toEqual(['given', 'pseudonym'])
    const { page } = await openReader(`/c/${channelId}/t/beans`)
    await list(page).getByText(`Runner beans climb. @${shown}`).waitFor()
    await list(page)
      .getByRole('article', { name: /^Olivia, / })
      .waitFor()
  })
})
