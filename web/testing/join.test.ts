import type { Page } from 'playwright-core'
import { describe, expect, it } from 'vitest'
import { twoColorPng } from '../../server/src/platform/pages/identicon.ts'
import { linkIn, useMailServer } from '../../server/src/testing/mail-server.ts'
import type { TestUser } from '../../server/src/testing/user.ts'
import { accessibilityFaults, addressOf, hasBrowser, VIEWPORT } from './browser.ts'
import { useTeam } from './shared.ts'
import { faultsInThemes } from './usable.ts'

const mails = await useMailServer()
const { team, visit, openStranger } = useTeam({ PARLEY_SMTP_URL: mails.url })
const withoutEmail = useTeam()
const PASSWORD = 'seven purple elephants'
const AVATAR = {
  name: 'me.png',
  mimeType: 'image/png',
  buffer: twoColorPng(
    [
      [0, 0, 0],
      [255, 255, 255],
    ],
    [
      [true, false],
      [false, true],
    ],
  ),
}

async function createInviteLink(owner: TestUser): Promise<string> {
  return (await owner.call('POST', '/invites/multiuse', {}))['invite_link']
}

async function fetchMemberNames(owner: TestUser): Promise<string[]> {
  const { members } = await owner.call('GET', '/users')
  return members.map(({ full_name: name }) => name)
}

async function fillIn(page: Page, { name = 'Nora New', password = PASSWORD } = {}): Promise<void> {
  await page.getByLabel('Your name').fill(name)
  await page.getByLabel('Password').fill(password)
  await page.getByRole('button', { name: 'Join' }).click()
}

describe.skipIf(!hasBrowser)('joining', () => {
  it('creates an account through the link in an invitation email', async () => {
    const { owner } = await team()
    await owner.call('POST', '/invites', { invitee_emails: 'nora@example.org', stream_ids: [] })
    const page = await openStranger()
    await page.goto(linkIn(await mails.next('nora@example.org')))
    await page.getByRole('heading', { name: 'Join Hill & Valley' }).waitFor()
    await page.getByText('Olivia Owner invited you to Hill & Valley.').waitFor()
    expect(await page.getByLabel('Email address').count()).toBe(0)
    await fillIn(page, { password: 'password1' })
    await page.getByRole('alert').filter({ hasText: 'too easy to guess' }).waitFor()
    await fillIn(page)
    await page.getByRole('main').getByRole('heading', { name: 'Inbox' }).waitFor()
    await page.getByRole('button', { name: /Nora New/ }).waitFor()
    expect(page.url()).toBe(addressOf(owner, '/inbox'))
  })

  it('confirms the email address of a person who opens a shared invite link', async () => {
    const { owner } = await team()
    const page = await openStranger()
    await page.goto(await createInviteLink(owner))
    await page.getByLabel('Email address').fill('nils@example.org')
    await page.getByRole('button', { name: 'Send link' }).click()
    await page.getByRole('status').filter({ hasText: 'We sent a link to nils@example.org' }).waitFor()
    await page.goto(linkIn(await mails.next('nils@example.org')))
    await fillIn(page, { name: 'Nils New' })
    await page.getByRole('button', { name: /Nils New/ }).waitFor()
    expect(await fetchMemberNames(owner)).toContain('Nils New')
  })

  it('asks for the email address in the join form if the server sends no email', async () => {
    const { owner } = await withoutEmail.makeTeam()
    const page = await withoutEmail.openStranger()
    await page.goto(await createInviteLink(owner))
    await page.getByLabel('Email address').fill('nina@example.org')
    await fillIn(page, { name: 'Nina New' })
    await page.getByRole('button', { name: /Nina New/ }).waitFor()
    expect(await fetchMemberNames(owner)).toContain('Nina New')
    // Navigates without a reload, which would register another event queue.
    await page.evaluate(() => {
      history.pushState(null, '', '/settings/profile')
      dispatchEvent(new PopStateEvent('popstate'))
    })
    await page.getByLabel('Upload picture').first().setInputFiles(AVATAR)
    await page.getByRole('dialog').getByRole('button', { name: 'Use picture' }).click()
    await page.getByRole('button', { name: 'Remove picture' }).click()
    await page.getByRole('button', { name: 'Remove picture' }).waitFor({ state: 'hidden' })
  })

  it('offers to join on the sign-in page if everyone can join, and solves the challenge', async () => {
    const { owner } = await team()
    await owner.call('PATCH', '/realm', { invite_required: true })
    const page = await openStranger()
    await page.goto(addressOf(owner, '/login'))
    await page.getByRole('heading', { name: 'Sign in to Hill & Valley' }).waitFor()
    expect(await page.getByRole('link', { name: 'Create account' }).count()).toBe(0)
    await page.goto(addressOf(owner, '/join'))
    await page.getByText('You need an invitation to join.').waitFor()
    await owner.call('PATCH', '/realm', { invite_required: false, registration_challenge: 'easy' })
    const { body } = await owner.try('POST', '/registrations', { email: 'nele@example.org' })
    expect(body['code']).toBe('CHALLENGE_REQUIRED')
    await page.getByRole('link', { name: 'I already have an account' }).click()
    await page.getByRole('link', { name: 'Create account' }).click()
    await page.getByLabel('Email address').fill('nele@example.org')
    await page.keyboard.press('Enter')
    await page.goto(linkIn(await mails.next('nele@example.org')))
    await page.getByText('Your email is confirmed.').waitFor()
    await fillIn(page, { name: 'Nele New' })
    await page.getByRole('button', { name: /Nele New/ }).waitFor()
  })

  it('reports an invalid invitation link, and links to the sign-in page', async () => {
    const { owner } = await team()
    const page = await openStranger()
    await page.goto(addressOf(owner, `/join#${'x'.repeat(43)}`))
    await page.getByRole('heading', { name: 'This link is no longer valid' }).waitFor()
    expect(await page.getByRole('textbox').count()).toBe(0)
    await page.getByRole('link', { name: 'I already have an account' }).click()
    await page.getByRole('button', { name: 'Sign in', exact: true }).waitFor()
  })

  it('offers to request a new link in place of an invalid link if everyone can join', async () => {
    const { owner } = await team()
    await owner.call('PATCH', '/realm', { invite_required: false })
    const page = await openStranger()
    await page.goto(addressOf(owner, `/join#${'x'.repeat(43)}`))
    await page.getByText('Anyone can join here, so you can get a new one.').waitFor()
    expect(await accessibilityFaults(page)).toEqual([])
    await page.getByRole('link', { name: 'Get new link' }).click()
    await page.getByRole('heading', { name: 'Join Hill & Valley' }).waitFor()
    await page.getByLabel('Email address').waitFor()
  })

  it('signs the previous account out of all tabs when a person joins', async () => {
    const { owner, friend } = await team()
    const page = await visit(friend)
    await page.getByRole('button', { name: /Fred Friend/ }).waitFor()
    await owner.call('POST', '/invites', { invitee_emails: 'nick@example.org', stream_ids: [] })
    const other = await page.context().newPage()
    await other.goto(linkIn(await mails.next('nick@example.org')))
    await fillIn(other, { name: 'Nick New' })
    await other.getByRole('button', { name: /Nick New/ }).waitFor()
    await page.getByRole('button', { name: /Nick New/ }).waitFor()
    expect(await page.getByRole('button', { name: /Fred Friend/ }).count()).toBe(0)
  })

  it('shows the join page in German', async () => {
    const { owner } = await team()
    const page = await openStranger({ locale: 'de-DE' })
    await page.goto(await createInviteLink(owner))
    await page.getByRole('heading', { name: 'Hill & Valley beitreten' }).waitFor()
    await page.getByText('Olivia Owner hat dich zu Hill & Valley eingeladen.').waitFor()
    expect(await page.locator('html').getAttribute('lang')).toBe('de')
  })

  async function byLink(page: Page, email: string): Promise<void> {
    const { owner } = await team()
    await page.goto(await createInviteLink(owner))
    await page.locator('input[name=email]').fill(email)
    await page.getByRole('button', { name: /Link/i }).click()
    await page.goto(linkIn(await mails.next(email)))
  }

  async function byEmail(page: Page, email: string): Promise<void> {
    const { owner } = await team()
    await owner.call('POST', '/invites', { invitee_emails: email, stream_ids: [] })
    await page.goto(linkIn(await mails.next(email)))
  }

  it('keeps the language of the join page in emails and in the client', async () => {
    const { owner } = await team()
    const joined = async (name: string, locale: string, submit: RegExp, begin: typeof byLink): Promise<Page> => {
      const page = await openStranger({ locale })
      await begin(page, `${name.toLowerCase()}@example.org`)
      await page.locator('input[name=full_name]').fill(name)
      await page.locator('input[name=password]').fill(PASSWORD)
      await page.getByRole('button', { name: submit }).click()
      await page.getByRole('button', { name: new RegExp(name) }).waitFor()
      return page
    }
    const [greta, fleur] = [
      await joined('Greta', 'de-DE', /^Beitreten/, byLink),
      await joined('Fleur', 'fr-FR', /^Join/, byLink),
    ]
    await greta.getByRole('main').getByRole('heading', { name: 'Eingang' }).waitFor()
    await fleur.getByRole('main').getByRole('heading', { name: 'Inbox' }).waitFor()
    // Without a translation for the browser's language, the client uses the organization's language.
    await owner.call('PATCH', '/realm', { default_language: 'de' })
    const flora = await joined('Flora', 'fr-FR', /^Join/, byEmail)
    await flora.getByRole('main').getByRole('heading', { name: 'Eingang' }).waitFor()
    const emma = await joined('Emma', 'en-GB', /^Join/, byEmail)
    await emma.getByRole('main').getByRole('heading', { name: 'Inbox' }).waitFor()
    const languages = [greta, fleur, flora, emma].map(async (page) => page.locator('html').getAttribute('lang'))
    expect(await Promise.all(languages)).toEqual(['de', 'en', 'de', 'en'])
  })

  it('shows the join page accessibly and without scrolling in every theme and width', async () => {
    const { owner } = await withoutEmail.makeTeam()
    const page = await withoutEmail.openStranger()
    for (const [address, heading] of [
      [await createInviteLink(owner), 'Join Hill & Valley'],
      [addressOf(owner, `/join?again=1#${'x'.repeat(43)}`), 'This link is no longer valid'],
    ] as const) {
      await page.goto(address)
      await page.getByRole('heading', { name: heading }).waitFor()
      for (const width of [320, 1440]) {
        await page.setViewportSize({ width, height: 900 })
        expect([heading, width, await faultsInThemes(page)]).toEqual([heading, width, []])
      }
    }
    await page.setViewportSize(VIEWPORT)
  })
})
