import type { Page } from 'playwright-core'
import { describe, expect, it } from 'vitest'
import { linkIn, useMailServer } from '../../server/src/testing/mail-server.ts'
import { useTestServer } from '../../server/src/testing/server.ts'
import { accessibilityFaults, addressOf, hasBrowser, LOCAL_DOMAIN, openAs, openWindow, useBrowser } from './browser.ts'
import { teamOn, type Team } from './team.ts'

const mails = await useMailServer()
const server = useTestServer({ ...LOCAL_DOMAIN, PARLEY_SMTP_URL: mails.url })
const silent = useTestServer(LOCAL_DOMAIN)
const browser = useBrowser()
const team = async (): Promise<Team> => teamOn(server())

async function stranger(): Promise<Page> {
  return (await openWindow(browser())).newPage()
}

describe.skipIf(!hasBrowser)('a forgotten password', () => {
  it('is chosen anew by the link that is asked for where one signs in', async () => {
    const { friend } = await team()
    const page = await stranger()
    await page.goto(addressOf(friend, '/login'))
    await page.getByRole('link', { name: 'Forgot your password?' }).click()
    await page.getByLabel('Email address').fill(friend.email)
    await page.getByRole('button', { name: 'Send link' }).click()
    await page.getByRole('status').filter({ hasText: friend.email }).waitFor()
    const link = linkIn(await mails.next(friend.email))
    await page.goto(link)
    await page.getByRole('heading', { name: 'Choose a new password' }).waitFor()
    expect(await accessibilityFaults(page)).toEqual([])
    await page.getByLabel('Password').fill('password1')
    await page.getByRole('button', { name: 'Save and sign in' }).click()
    await page.getByRole('alert').filter({ hasText: 'too easy to guess' }).waitFor()
    await page.getByLabel('Password').fill('seven purple elephants')
    await page.getByRole('button', { name: 'Save and sign in' }).click()
    await page.getByRole('button', { name: /Fred Friend/ }).waitFor()
    await page.goto(link)
    await page.getByLabel('Password').fill('seven purple elephants')
    await page.keyboard.press('Enter')
    await page.getByRole('heading', { name: 'This link is no longer valid' }).waitFor()
    await page.getByRole('link', { name: 'Get new link' }).click()
    await page.getByRole('heading', { name: 'Forgot your password?' }).waitFor()
  })

  it('is asked for where the server sends no e-mail, and nobody is told to wait for one', async () => {
    const { friend } = await teamOn(silent())
    const page = await stranger()
    await page.goto(addressOf(friend, '/password'))
    await page.getByText('This server doesn’t send email.').waitFor()
    expect(await accessibilityFaults(page)).toEqual([])
    await page.getByLabel('Email address').fill(friend.email)
    await page.getByRole('button', { name: 'Request link' }).click()
    await page.getByRole('status').filter({ hasText: 'Ask an admin for the link.' }).waitFor()
    expect(await page.getByText('we sent a link').count()).toBe(0)
  })
})

describe.skipIf(!hasBrowser)('another address', () => {
  it('is confirmed by a press on the page of its link', async () => {
    const { friend } = await team()
    await friend.call('PATCH', '/settings', { email: 'fred@example.org' })
    const page = await openAs(browser(), friend)
    await page.goto(linkIn(await mails.next('fred@example.org')))
    await page.getByRole('heading', { name: 'Confirm your email' }).waitFor()
    expect(await accessibilityFaults(page)).toEqual([])
    expect(await friend.call('GET', '/users/me')).toMatchObject({ delivery_email: friend.email })
    await page.getByRole('button', { name: 'Confirm' }).click()
    await page.getByRole('status').filter({ hasText: 'fred@example.org' }).waitFor()
    await page.getByRole('link', { name: 'Continue' }).click()
    await page.getByRole('button', { name: /Fred Friend/ }).waitFor()
  })

  it('is asked for in the settings, and is the own one once it is confirmed', async () => {
    const { friend } = await team()
    const page = await openAs(browser(), friend, '/settings/profile')
    await page.getByLabel('New email address').fill('freddy@example.org')
    await page.getByRole('button', { name: 'Change', exact: true }).click()
    await page.getByRole('status').filter({ hasText: 'on its way to freddy@example.org' }).waitFor()
    await page.getByText(friend.email, { exact: true }).waitFor()
    expect(await accessibilityFaults(page)).toEqual([])
    const other = await (await openWindow(browser())).newPage()
    await other.goto(linkIn(await mails.next('freddy@example.org')))
    await other.getByRole('button', { name: 'Confirm' }).click()
    await page.getByText('freddy@example.org', { exact: true }).waitFor()
  })

  it('is the own one at once where the server sends no e-mail, and is refused where another has it', async () => {
    const { owner, friend } = await teamOn(silent())
    const page = await openAs(browser(), friend, '/settings/profile')
    const field = page.getByLabel('New email address')
    await field.fill(owner.email)
    await field.press('Enter')
    await page.getByRole('alert').filter({ hasText: 'already in use' }).waitFor()
    await field.fill('freddy@example.org')
    await field.press('Enter')
    await page.getByText('freddy@example.org', { exact: true }).waitFor()
    const { user } = await owner.call('GET', `/users/${friend.id}`)
    expect(user).toMatchObject({ delivery_email: 'freddy@example.org' })
  })

  it('is changed by administrators alone where the organization says so', async () => {
    const { owner, friend } = await team()
    const page = await openAs(browser(), friend, '/settings/profile')
    await page.getByLabel('New email address').waitFor()
    await owner.call('PATCH', '/realm', { email_changes_disabled: true })
    await page.getByText('Only admins can change email addresses.').waitFor()
    expect(await page.getByLabel('New email address').count()).toBe(0)
  })
})
