import { randomUUID } from 'node:crypto'
import type { Page } from 'playwright-core'
import { beforeAll, describe, expect, it } from 'vitest'
import { makeSetupLink } from '../../server/src/capabilities/setup/actions.ts'
import { useOpenidProvider } from '../../server/src/testing/openid-provider.ts'
import type { TestUser } from '../../server/src/testing/user.ts'
import { addressOf, hasBrowser, openAs, show } from './browser.ts'
import { useTeam } from './shared.ts'
import { composer, list, type Team } from './team.ts'

const provider = await useOpenidProvider()
const { server, browser, team, openStranger } = useTeam({ ...provider.environment })
const TIME_ZONE = 'Asia/Tokyo'
const PHONE = { viewport: { width: 360, height: 740 }, hasTouch: true, isMobile: true }
let sharedTeam: Team

beforeAll(async () => {
  sharedTeam = await team()
  provider.redirectAddresses.add(addressOf(sharedTeam.owner, '/openid'))
})

async function createInviteLink(owner: TestUser): Promise<string> {
  const { stream_id } = await owner.call('GET', '/get_stream_id', { stream: 'garden' })
  return (await owner.call('POST', '/invites/multiuse', { stream_ids: [stream_id] }))['invite_link']
}

async function joinByLink(page: Page, name: string): Promise<void> {
  await page.goto(await createInviteLink(sharedTeam.owner))
  await page.getByLabel('Email address').fill(`${name.toLowerCase()}@example.org`)
  await page.getByLabel('Your name').fill(name)
  await page.getByLabel('Password').fill('seven purple elephants')
  await page.getByRole('button', { name: 'Join', exact: true }).click()
  await page.getByRole('main').getByRole('heading', { name: 'Inbox' }).waitFor()
}

async function findPerson(name: string): Promise<Record<string, unknown>> {
  const { members } = await sharedTeam.owner.call('GET', '/users')
  return { ...members.find(({ full_name }) => full_name === name) }
}

const timeZoneField = (page: Page) => page.getByRole('combobox', { name: 'Time zone' })

/** Expects that Enter sends the message, by pressing it after the second of two lines. */
async function expectEnterSends(page: Page, path: string): Promise<void> {
  await show(page, path)
  await composer(page).focus()
  await page.keyboard.type('First')
  await page.keyboard.press('Shift+Enter')
  await page.keyboard.type('Second')
  await page.keyboard.press('Enter')
  await list(page)
    .getByText(/First\s+Second/)
    .waitFor()
  expect(await composer(page).inputValue()).toBe('')
}

describe.skipIf(!hasBrowser)('settings of new people', () => {
  it("takes the owner's time zone from the browser, and sends on Enter after the setup", async () => {
    const { database, url } = server().parley
    const subdomain = `s${randomUUID().slice(0, 8)}`
    const token = await database.transaction(async (db) => makeSetupLink(db, subdomain, 'Hill'))
    const page = await openStranger({ timezoneId: TIME_ZONE })
    await page.goto(`http://${subdomain}.localhost:${new URL(url).port}/setup#${token}`)
    await page.getByLabel('Your name').fill('Olivia Owner')
    await page.getByLabel('Email address').fill('olivia@hill.example')
    await page.getByLabel('Password').fill('seven purple elephants')
    await page.getByRole('button', { name: 'Create organization', exact: true }).click()
    const channels = page.getByRole('navigation', { name: 'Conversations' })
    const link = await channels.getByRole('link', { name: /^general/ }).getAttribute('href')
    await expectEnterSends(page, `/c/${/\d+/.exec(link ?? '')?.[0]}/t/hello`)
    await show(page, '/settings/profile')
    await expect.poll(() => timeZoneField(page).inputValue()).toBe(TIME_ZONE)
  })

  it('takes the time zone from the browser of a person who joins by link, and sends on Enter', async () => {
    const page = await openStranger({ timezoneId: TIME_ZONE })
    await joinByLink(page, 'Lina')
    expect(await findPerson('Lina')).toMatchObject({ timezone: TIME_ZONE })
    await expectEnterSends(page, `/c/${sharedTeam.channelId}/t/lina`)
  })

  it("uses the browser's time zone when a person joins via an identity provider, and keeps later changes", async () => {
    await sharedTeam.owner.call('PATCH', '/realm', { invite_required: true })
    provider.person = { subject: 'odile', email: 'odile@example.org', email_verified: true, name: 'Odile' }
    const page = await openStranger({ timezoneId: TIME_ZONE })
    await page.goto(await createInviteLink(sharedTeam.owner))
    await page.getByRole('link', { name: 'Join with Acme Login', exact: true }).click()
    await page.getByRole('button', { name: /Odile/ }).waitFor()
    expect(await findPerson('Odile')).toMatchObject({ timezone: TIME_ZONE })
    await expectEnterSends(page, `/c/${sharedTeam.channelId}/t/odile`)
    await composer(page).fill('Third')
    await page.getByRole('button', { name: 'Enter sends' }).click()
    await page.getByRole('button', { name: 'Ctrl+Enter sends' }).waitFor()
    await show(page, '/settings/profile')
    await timeZoneField(page).selectOption('Europe/Berlin')
    await page.getByText('Saved').first().waitFor()
    const elsewhere = await openStranger({ timezoneId: TIME_ZONE })
    await elsewhere.goto(addressOf(sharedTeam.owner, `/c/${sharedTeam.channelId}/t/odile`))
    await elsewhere.getByRole('link', { name: 'Sign in with Acme Login', exact: true }).click()
    await composer(elsewhere).fill('Third')
    await elsewhere.getByRole('button', { name: 'Ctrl+Enter sends' }).waitFor()
    expect(await findPerson('Odile')).toMatchObject({ timezone: 'Europe/Berlin' })
  })

  it('shows a stored time zone that the browser does not list', async () => {
    const user = await sharedTeam.user('Uma')
    await user.call('PATCH', '/settings', { timezone: 'UTC' })
    const page = await openAs(browser(), user, '/settings/profile')
    await expect.poll(() => timeZoneField(page).inputValue()).toBe('UTC')
  })

  it('leaves the time zone and the Enter key setting unchanged for accounts created through the API', async () => {
    const page = await openAs(browser(), await sharedTeam.user('Ada'), `/c/${sharedTeam.channelId}/t/ada`, {
      timezoneId: TIME_ZONE,
    })
    await composer(page).focus()
    await page.keyboard.type('First')
    await page.keyboard.press('Enter')
    await page.keyboard.type('Second')
    expect(await composer(page).inputValue()).toBe('First\nSecond')
    await page.getByRole('button', { name: 'Ctrl+Enter sends' }).waitFor()
    expect(await findPerson('Ada')).toMatchObject({ timezone: '' })
  })

  it('starts a new line on Enter on a phone, where only the Send button sends', async () => {
    const page = await openStranger(PHONE)
    await joinByLink(page, 'Paul')
    await show(page, `/c/${sharedTeam.channelId}/t/paul`)
    await composer(page).focus()
    await page.keyboard.type('First')
    await page.keyboard.press('Enter')
    await page.keyboard.type('Second')
    expect(await composer(page).inputValue()).toBe('First\nSecond')
    expect(await page.getByRole('button', { name: 'Enter sends' }).isVisible()).toBe(false)
    await page.getByRole('button', { name: 'Send', exact: true }).tap()
    await list(page)
      .getByText(/First\s+Second/)
      .waitFor()
  })
})
