import type { Page } from 'playwright-core'
import { describe, expect, it } from 'vitest'
import { linkIn, useMailServer } from '../../server/src/testing/mail-server.ts'
import { callApi, type Body, type TestUser } from '../../server/src/testing/user.ts'
import { accessibilityFaults, addressOf, hasBrowser, show } from './browser.ts'
import { useTeam } from './shared.ts'
import { createTeamOn } from './team.ts'
import { isTooTall, isTooWide } from './views.ts'

const mails = await useMailServer()
const { team, visit } = useTeam({ PARLEY_SMTP_URL: mails.url })
const withoutEmail = useTeam()
const SETTINGS_PATH = '/settings/invitations'
const CLIPBOARD_PERMISSIONS = ['clipboard-read', 'clipboard-write']

const list = (page: Page) => page.getByRole('list', { name: 'Invitations and invite links' })
const row = (page: Page, name: RegExp) => list(page).getByRole('button', { name })
const inviteDialog = (page: Page) => page.getByRole('dialog', { name: 'Invite people' })
const openForm = async (page: Page): Promise<void> =>
  page.getByRole('main').getByRole('button', { name: 'Invite people' }).click()

async function fetchInvites(user: TestUser): Promise<Body[]> {
  return (await user.call('GET', '/invites'))['invites']
}

const isUncovered = (element: Element): boolean => {
  const { left, top, width, height } = element.getBoundingClientRect()
  return element.contains(document.elementFromPoint(left + width / 2, top + height / 2))
}

async function requestToJoin({ url, host }: TestUser, email: string): Promise<void> {
  expect((await callApi(url, host, 'POST', '/registrations', { email })).status).toBe(200)
}

describe.skipIf(!hasBrowser)('invitations', () => {
  it('invites several addresses, and shows members only their own invitations', async () => {
    const { owner, friend } = await team()
    await owner.call('POST', '/user_groups/create', { name: 'growers', description: '', members: [] })
    const page = await visit(owner, SETTINGS_PATH)
    const theirs = await visit(friend, SETTINGS_PATH)
    for (const one of [page, theirs]) await one.getByText('No open invitations').waitFor()
    await openForm(page)
    await inviteDialog(page).getByLabel('Email addresses').fill('nora@example.org,\n nils@example.org')
    await inviteDialog(page).getByLabel('Role').selectOption('Moderator')
    await inviteDialog(page).getByRole('combobox', { name: 'Expiration', exact: true }).selectOption('3 days')
    await inviteDialog(page).getByRole('checkbox', { name: 'garden' }).check()
    await inviteDialog(page).getByRole('checkbox', { name: 'growers' }).check()
    await inviteDialog(page).getByLabel('Welcome message').fill('Mind the **gate**')
    expect(await accessibilityFaults(page)).toEqual([])
    await inviteDialog(page).getByRole('button', { name: 'Send invitations', exact: true }).click()
    await page.getByText('2 people invited').waitFor()
    await row(page, /nils@example\.org.*Moderator, invited by Olivia Owner/).waitFor()
    await row(page, /nora@example\.org/).click()
    const open = page.getByRole('dialog', { name: 'nora@example.org' })
    await open.getByText('#garden').waitFor()
    await open.getByText('growers').waitFor()
    const [one] = await fetchInvites(owner)
    expect(Number(one?.['expiry_date']) - Number(one?.['invited'])).toBe(3 * 86_400)
    // If the server sends email, only the owner of the address gets the link.
    expect(await open.getByRole('button', { name: 'Copy link' }).count()).toBe(0)
    await mails.next('nora@example.org')
    await open.getByRole('button', { name: 'Resend' }).click()
    await page.getByText('Invitation resent to nora@example.org').waitFor()
    expect(linkIn(await mails.next('nora@example.org'))).toContain('/join#')
    await open.getByRole('button', { name: 'Revoke' }).click()
    await page.getByRole('dialog', { name: 'Revoke' }).getByRole('button', { name: 'Revoke' }).click()
    await row(page, /nora@example\.org/).waitFor({ state: 'detached' })
    expect((await fetchInvites(owner)).map(({ email }) => email)).toEqual(['nils@example.org'])
    await theirs.getByText('No open invitations').waitFor()
    await friend.call('POST', '/invites', { invitee_emails: 'nele@example.org', stream_ids: [] })
    await row(page, /nele@example\.org.*Member, invited by Fred Friend/).waitFor()
    await row(theirs, /nele@example\.org/).waitFor()
    await owner.call('DELETE', `/invites/${String((await fetchInvites(friend))[0]?.['id'])}`)
    await row(theirs, /nele@example\.org/).waitFor({ state: 'detached' })
    for (const { id } of await fetchInvites(owner)) await owner.call('DELETE', `/invites/${String(id)}`)
    await page.getByText('No open invitations').waitFor()
  })

  it('creates, copies, and revokes an invite link for several people', async () => {
    const { owner } = await team()
    const page = await visit(owner, SETTINGS_PATH)
    await page.context().grantPermissions(CLIPBOARD_PERMISSIONS)
    await openForm(page)
    await inviteDialog(page).getByRole('radio', { name: 'Shareable link' }).check()
    await inviteDialog(page).getByRole('combobox', { name: 'Expiration', exact: true }).selectOption('Never')
    await inviteDialog(page).getByRole('button', { name: 'Create link' }).click()
    const made = page.getByRole('dialog', { name: 'Invite link created' })
    const link = await made.getByLabel('Invite link').inputValue()
    expect((await fetchInvites(owner)).map(({ link_url }) => link_url)).toEqual([link])
    await made.getByRole('button', { name: 'Close' }).click()
    await row(page, /Invite link/).click()
    const open = page.getByRole('dialog', { name: 'Invite link' })
    await open.getByText('Never').waitFor()
    await open.getByRole('button', { name: 'Copy link' }).click()
    await page.getByText('Copied').waitFor()
    expect(await page.evaluate(async () => navigator.clipboard.readText())).toBe(link)
    await open.getByRole('button', { name: 'Revoke' }).click()
    await page.getByRole('dialog', { name: 'Revoke' }).getByRole('button', { name: 'Revoke' }).click()
    await page.getByText('No open invitations').waitFor()
    expect(await fetchInvites(owner)).toEqual([])
  })

  it('offers a link for each invited person if the server sends no email', async () => {
    const { owner } = await withoutEmail.makeTeam()
    const page = await withoutEmail.openPage(owner, SETTINGS_PATH, { permissions: CLIPBOARD_PERMISSIONS })
    await openForm(page)
    await inviteDialog(page).getByRole('radio', { name: 'Email' }).check()
    await inviteDialog(page).getByText('This server doesn’t send email.').waitFor()
    await inviteDialog(page).getByLabel('Email addresses').fill('nils@example.org; nora@example.org')
    await inviteDialog(page).getByRole('button', { name: 'Create invitations', exact: true }).click()
    const made = page.getByRole('dialog', { name: 'Invitations created' })
    await made.getByRole('button', { name: 'Copy link: nora@example.org' }).click()
    await page.getByText('Copied').waitFor()
    expect([await accessibilityFaults(page), await isTooWide(page)]).toEqual([[], false])
    const first = await page.evaluate(async () => navigator.clipboard.readText())
    await page.evaluate(async () => navigator.clipboard.writeText(''))
    await page.keyboard.press('Escape')
    await row(page, /nora@example\.org/).click()
    const open = page.getByRole('dialog', { name: 'nora@example.org' })
    await open.getByRole('button', { name: 'Copy link' }).click()
    await expect.poll(async () => page.evaluate(async () => navigator.clipboard.readText())).toBe(first)
    const link = await page.evaluate(async () => navigator.clipboard.readText())
    expect(link).toContain('/join#')
    await page.goto(link)
    await page.getByText('Olivia Owner invited you to Hill & Valley.').waitFor()
  })

  it('shows join requests to admins if the server sends no email', async () => {
    const { owner } = await createTeamOn(withoutEmail.server())
    await owner.call('PATCH', '/realm', { invite_required: false })
    const page = await withoutEmail.openPage(owner, '/inbox', { permissions: CLIPBOARD_PERMISSIONS })
    const joining = await withoutEmail.openStranger()
    await joining.goto(addressOf(owner, '/join'))
    await joining.getByText('An admin will give you a link').waitFor()
    await joining.getByLabel('Email address').fill('nora@example.org')
    await joining.getByRole('button', { name: 'Request link' }).click()
    await joining.getByText('The admins can now see that you want to join with nora@example.org.').waitFor()
    expect(await accessibilityFaults(joining)).toEqual([])
    await page.getByText('nora@example.org wants to join and needs a link from you.').waitFor()
    expect([await accessibilityFaults(page), await isTooWide(page)]).toEqual([[], false])
    await page.getByRole('button', { name: 'Show requests' }).click()
    const people = page.getByRole('list', { name: 'People who want to join' })
    await people.getByText('nora@example.org').waitFor()
    await page.getByRole('link', { name: 'Invitations 1 person waiting' }).waitFor()
    expect([await accessibilityFaults(page), await isTooWide(page)]).toEqual([[], false])
    await requestToJoin(owner, 'nils@example.org')
    await people.getByText('nils@example.org').waitFor()
    await page.getByRole('link', { name: 'Invitations 2 people waiting' }).waitFor()
    expect(await page.getByText('want to join and need a link from you.').count()).toBe(0)
    await people.getByRole('button', { name: 'Copy link: nora@example.org' }).click()
    await page.getByText('Copied').waitFor()
    await joining.goto(await page.evaluate(async () => navigator.clipboard.readText()))
    await joining.getByText('Your email is confirmed.').waitFor()
    await joining.getByLabel('Your name').fill('Nora New')
    await joining.getByLabel('Password').fill('seven purple elephants')
    await joining.getByRole('button', { name: 'Join', exact: true }).click()
    await joining.getByRole('button', { name: /Nora New/ }).waitFor()
    await people.getByText('nora@example.org').waitFor({ state: 'detached' })
    await page.getByRole('link', { name: 'Invitations 1 person waiting' }).waitFor()
    await page.goto(addressOf(owner, '/inbox'))
    const notice = page.getByRole('link', { name: 'Requests to join (1)', exact: true })
    await notice.waitFor()
    expect([await accessibilityFaults(page), await isTooWide(page)]).toEqual([[], false])
    await page.getByRole('searchbox', { name: 'Filter conversations' }).fill('requests to join')
    await notice.click()
    await people.getByText('nils@example.org').waitFor()
    expect(await notice.getAttribute('aria-current')).toBe('page')
    await show(page, '/inbox')
    await notice.waitFor()
    await requestToJoin(owner, 'nele@example.org')
    const note = page.getByText('nele@example.org and 1 other want to join and need a link from you.')
    await note.waitFor()
    await page.getByRole('link', { name: 'Requests to join (2)', exact: true }).waitFor()
    await page.getByRole('button', { name: 'Show requests' }).waitFor()
    await owner.call('PATCH', '/realm', { invite_required: true })
    for (const gone of [note, page.getByRole('link', { name: /^Requests to join/ })]) {
      await gone.waitFor({ state: 'detached' })
    }
    await show(page, SETTINGS_PATH)
    await page.getByText('No open invitations').waitFor()
    expect(await people.count()).toBe(0)
  })

  it('shows join requests to a person only while they are an admin', async () => {
    const { owner, friend } = await createTeamOn(withoutEmail.server())
    await owner.call('PATCH', '/realm', { invite_required: false })
    const page = await withoutEmail.openPage(friend, '/inbox', { viewport: { width: 320, height: 640 } })
    await requestToJoin(owner, 'nora@example.org')
    const notice = page.getByRole('link', { name: 'Requests to join (1)', exact: true })
    await owner.call('PATCH', `/users/${friend.id}`, { role: 200 })
    await page.getByRole('button', { name: 'Channels', exact: true }).click()
    await notice.waitFor()
    expect(await isTooWide(page)).toBe(false)
    await owner.call('PATCH', `/users/${friend.id}`, { role: 400 })
    await notice.waitFor({ state: 'detached' })
  })

  it('reports addresses that cannot be invited, and invites the other addresses', async () => {
    const { owner, friend } = await team()
    const page = await visit(owner, SETTINGS_PATH)
    await openForm(page)
    await inviteDialog(page).getByLabel('Email addresses').fill('nobody, nora@example.org')
    await inviteDialog(page).getByRole('button', { name: 'Send invitations', exact: true }).click()
    await inviteDialog(page).getByRole('alert').filter({ hasText: 'Not a valid email address: nobody.' }).waitFor()
    expect(await fetchInvites(owner)).toEqual([])
    const invalid = inviteDialog(page).getByRole('alert').filter({ hasText: 'Not a valid email address: nobody.' })
    await page.setViewportSize({ width: 390, height: 400 })
    for (let attempt = 0; attempt < 2; attempt += 1) {
      await inviteDialog(page).evaluate((dialog) => dialog.querySelector('form')?.requestSubmit())
      await expect.poll(() => invalid.evaluate(isUncovered)).toBe(true)
      await inviteDialog(page).getByLabel('Email addresses').scrollIntoViewIfNeeded()
    }
    await inviteDialog(page).getByLabel('Email addresses').fill(friend.email)
    await inviteDialog(page).getByRole('button', { name: 'Send invitations', exact: true }).click()
    await inviteDialog(page)
      .getByRole('alert')
      .filter({ hasText: `Not invited: ${friend.email}.` })
      .waitFor()
    await inviteDialog(page).getByLabel('Email addresses').fill(`${friend.email}, nora@example.org`)
    await inviteDialog(page).getByRole('button', { name: 'Send invitations', exact: true }).click()
    await page.getByText('1 person invited').waitFor()
    await page.getByText(`Not invited: ${friend.email}.`).waitFor()
    await row(page, /nora@example\.org/).waitFor()
  })

  it('offers only the invitations that the person can create', async () => {
    const { owner, friend, user } = await team()
    const page = await visit(friend, SETTINGS_PATH)
    await openForm(page)
    await inviteDialog(page).getByLabel('Email addresses').waitFor()
    expect(await inviteDialog(page).getByRole('radio').count()).toBe(0)
    expect(await inviteDialog(page).getByLabel('Role').getByRole('option').allTextContents()).toEqual([
      'Member',
      'Guest',
    ])
    expect(await inviteDialog(page).getByLabel('Welcome message').count()).toBe(0)
    await page.keyboard.press('Escape')
    await owner.call('PATCH', '/realm', {
      can_invite_users_group: { new: { direct_members: [owner.id], direct_subgroups: [] } },
    })
    await page.getByText('Page not found').first().waitFor()
    await owner.call('POST', '/invites', { invitee_emails: 'boss@example.org', stream_ids: [], invite_as: 100 })
    const administrator = await user('Ada Admin', { role: 200 })
    const theirs = await visit(administrator, SETTINGS_PATH)
    await row(theirs, /boss@example\.org/).click()
    const open = theirs.getByRole('dialog', { name: 'boss@example.org' })
    await open.getByText('Only owners can revoke invitations').waitFor()
    expect(await open.getByRole('button', { name: 'Revoke' }).count()).toBe(0)
  })

  it('lets an owner allow everyone to join', async () => {
    const { owner } = await team()
    const page = await visit(owner)
    await page.keyboard.press('Control+k')
    await page.getByRole('dialog').getByRole('combobox').fill('require an invitation')
    await page
      .getByRole('option', { name: /Require an invitation to join/ })
      .first()
      .click()
    await page.getByRole('switch', { name: 'Require an invitation to join' }).click()
    const isRequired = async (): Promise<unknown> =>
      (await owner.call('POST', '/register', { fetch_event_types: ['realm'] }))['realm_invite_required']
    await expect.poll(isRequired).toBe(false)
  })

  it('shows invitations accessibly and without scrolling at 320 and 1280 px', async () => {
    const { owner } = await withoutEmail.makeTeam()
    await owner.call('POST', '/invites', {
      invitee_emails: `${'long-name-'.repeat(5)}@example-of-a-long-domain.org`,
      stream_ids: [],
    })
    const page = await withoutEmail.openPage(owner, SETTINGS_PATH)
    const checks = async (): Promise<void> => {
      for (const width of [320, 1280]) {
        await page.setViewportSize({ width, height: 800 })
        const found = [await accessibilityFaults(page), await isTooWide(page), await isTooTall(page)]
        expect([width, ...found]).toEqual([width, [], false, false])
      }
    }
    await row(page, /long-name/).waitFor()
    await checks()
    await row(page, /long-name/).click()
    await page.getByRole('button', { name: 'Revoke' }).waitFor()
    await checks()
    await page.keyboard.press('Escape')
    await openForm(page)
    await inviteDialog(page).getByRole('radio', { name: 'Email' }).check()
    await inviteDialog(page).getByLabel('Email addresses').waitFor()
    await checks()
  })
})
