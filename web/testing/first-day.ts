import type { Page } from 'playwright-core'
import { expect } from 'vitest'
import { startTestPushService, POLL_OPTIONS } from '../../server/src/capabilities/web-push/testing/scene.ts'
import { useCommandLine } from '../../server/src/testing/command-line.ts'
import { freePort } from '../../server/src/testing/free-port.ts'
import { linkIn, useMailServer, type MailServer } from '../../server/src/testing/mail-server.ts'
import { useOpenidProvider, type TestOpenidProvider } from '../../server/src/testing/openid-provider.ts'
import type { PushDevice } from '../../server/src/testing/push-receiver.ts'
import { openWindow, show, useBrowser } from './browser.ts'
import { addAuthenticator, subscribeAs } from './devices.ts'
import { composer } from './team.ts'

const PASSWORD = 'seven purple elephants'
type SignInMethod = 'password' | 'passkey' | 'provider'

export interface Newcomer {
  readonly name: string
  readonly address: string
  readonly comes: 'by mail' | 'by link' | 'by provider'
  readonly signsIn: SignInMethod
  readonly role: 'Admin' | 'Moderator' | 'Member' | 'Guest'
}

export function defineNewcomer(
  name: string,
  comes: Newcomer['comes'],
  signsIn: Newcomer['signsIn'],
  role: Newcomer['role'] = 'Member',
): Newcomer {
  return { name, address: `${name.split(' ')[0]?.toLowerCase() ?? ''}@hill.example`, comes, signsIn, role }
}

/** Becomes an admin, and deactivates NILS. */
export const NORA = defineNewcomer('Nora North', 'by mail', 'password', 'Admin')
export const NILS = defineNewcomer('Nils Nord', 'by link', 'passkey', 'Moderator')

const dialog = (page: Page, name: string) => page.getByRole('dialog', { name, exact: true })
const personButton = (page: Page, name: RegExp) =>
  page.getByRole('list', { name: 'All people' }).getByRole('button', { name })
const ownNameButton = (page: Page, name: string) => page.getByRole('button', { name: new RegExp(name) })

async function setUpOrganization(owner: Page, link: string): Promise<string> {
  await owner.goto(link)
  expect(await owner.getByLabel('Organization name').inputValue()).toBe('Hill & Valley')
  await owner.getByLabel('Your name').fill('Olivia Owner')
  await owner.getByLabel('Email address').fill('olivia@hill.example')
  await owner.getByLabel('Password').fill('eleven tiny umbrellas')
  await owner.getByRole('button', { name: 'Create organization', exact: true }).click()
  await owner.getByRole('heading', { name: 'First steps' }).waitFor()
  return owner.getByLabel('Invite link').inputValue()
}

async function inviteByEmail(owner: Page, newcomers: readonly Newcomer[]): Promise<void> {
  const addresses = newcomers.filter(({ comes }) => comes === 'by mail').map(({ address }) => address)
  await show(owner, '/settings/invitations')
  await owner.getByRole('main').getByRole('button', { name: 'Invite people' }).click()
  const inviting = dialog(owner, 'Invite people')
  await inviting.getByLabel('Email addresses').fill(addresses.join(', '))
  await inviting.getByRole('button', { name: 'Send invitations', exact: true }).click()
  await owner.getByText(addresses.length === 1 ? '1 person invited' : `${addresses.length} people invited`).waitFor()
}

interface JoinResources {
  readonly mails: MailServer
  readonly provider: TestOpenidProvider
  readonly linkForMany: string
}

async function joinTeam(
  page: Page,
  { name, address, comes }: Newcomer,
  { mails, provider, linkForMany }: JoinResources,
): Promise<void> {
  provider.person = { subject: name, email: address, email_verified: true, name }
  if (comes === 'by provider') {
    await page.goto(linkForMany)
    await page.getByRole('link', { name: 'Join with Acme Login', exact: true }).click()
  } else {
    if (comes === 'by link') {
      await page.goto(linkForMany)
      await page.getByLabel('Email address').fill(address)
      await page.getByRole('button', { name: 'Send link' }).click()
    }
    await page.goto(linkIn(await mails.next(address)))
    if (comes === 'by mail') await page.getByText('Olivia Owner invited you to Hill & Valley.').waitFor()
    await page.getByLabel('Your name').fill(name)
    await page.getByLabel('Password').fill(PASSWORD)
    await page.getByRole('button', { name: 'Join', exact: true }).click()
  }
  await page.getByRole('heading', { name: 'Welcome to Hill & Valley' }).waitFor()
  await page
    .getByRole('navigation', { name: 'Conversations' })
    .getByRole('link', { name: /^general/ })
    .waitFor()
}

async function setPicture(page: Page): Promise<void> {
  await show(page, '/settings/profile')
  const base64 = await page.evaluate(() => {
    const canvas = Object.assign(document.createElement('canvas'), { width: 64, height: 64 })
    return canvas.toDataURL('image/png').split(',')[1] ?? ''
  })
  const picture = { name: 'me.png', mimeType: 'image/png', buffer: Buffer.from(base64, 'base64') }
  await page.getByLabel('Upload picture').first().setInputFiles(picture)
  await page.getByRole('dialog').getByRole('button', { name: 'Use picture' }).click()
  await page.getByRole('button', { name: 'Remove picture' }).waitFor()
}

async function signInAgain(page: Page, { name, address, signsIn }: Newcomer): Promise<void> {
  if (signsIn === 'passkey') {
    await addAuthenticator(page)
    await show(page, '/settings/security')
    await page.getByRole('button', { name: 'Add passkey', exact: true }).click()
    await page.getByRole('dialog').getByLabel('Name').fill('Laptop')
    await page.getByRole('dialog').getByLabel('Password').fill(PASSWORD)
    await page.getByRole('dialog').getByRole('button', { name: 'Continue on your device', exact: true }).click()
    await page.getByRole('button', { name: 'Rename Laptop', exact: true }).waitFor()
  }
  await ownNameButton(page, name).first().click()
  await page.getByRole('menuitem', { name: 'Sign out' }).click()
  await page.getByLabel('Password', { exact: true }).waitFor()
  if (signsIn === 'passkey') {
    await page.getByRole('button', { name: 'Sign in with a passkey', exact: true }).click()
  } else if (signsIn === 'provider') {
    await page.getByRole('link', { name: 'Sign in with Acme Login', exact: true }).click()
  } else {
    await page.getByLabel('Email address').fill(address)
    await page.getByLabel('Password').fill(PASSWORD)
    await page.getByRole('button', { name: 'Sign in', exact: true }).click()
  }
  await ownNameButton(page, name).first().waitFor()
}

async function turnOnNotifications(page: Page): Promise<void> {
  await show(page, '/settings/notifications')
  await page.evaluate(async () => navigator.serviceWorker.ready)
  await page.getByRole('button', { name: 'Turn on for this device' }).click()
  await page.getByRole('button', { name: /^Turn off for/ }).waitFor()
  await page.getByRole('combobox', { name: 'Send emails after' }).selectOption('0')
  await page.getByText('Saved').first().waitFor()
}

async function giveRoles(owner: Page, newcomers: readonly Newcomer[]): Promise<void> {
  await show(owner, '/settings/people')
  await owner.getByText(`${newcomers.length + 1} people`, { exact: true }).waitFor()
  for (const { name, role } of newcomers.filter((one) => one.role !== 'Member')) {
    await personButton(owner, new RegExp(name)).click()
    await dialog(owner, name).getByRole('combobox', { name: 'Role' }).selectOption(role)
    await owner.keyboard.press('Escape')
    await personButton(owner, new RegExp(`${name}.*${role}`)).waitFor()
  }
}

async function deactivatePerson(page: Page, name: string): Promise<void> {
  await personButton(page, new RegExp(name)).click()
  await dialog(page, name).getByRole('button', { name: 'Deactivate account' }).click()
  await dialog(page, 'Deactivate account').getByRole('button', { name: 'Deactivate account' }).click()
  await dialog(page, name).getByRole('button', { name: 'Reactivate account' }).waitFor()
  await page.keyboard.press('Escape')
}

/**
 * Prepares the first day of a server: its owner opens the setup link; people join, set a picture, sign out and in
 * again, get notified of missed messages, get a role, and leave. NORA and NILS must be among these people.
 * @returns a function that plays the day, and returns the number of people
 */
export async function useFirstDay(): Promise<(newcomers: readonly Newcomer[]) => Promise<number>> {
  const commandLine = useCommandLine()
  const mails = await useMailServer()
  const provider = await useOpenidProvider()
  const browser = useBrowser()
  return async (newcomers) => {
    mails.clear()
    const push = await startTestPushService()
    const parley = await commandLine()
    // Passkeys require a domain name rather than an IP address.
    const port = await freePort()
    const url = `http://hill.localhost:${port}`
    const server = await parley.stay('start', {
      PORT: String(port),
      PARLEY_URL: url,
      PARLEY_SMTP_URL: mails.url,
      PARLEY_ORGANIZATION: 'Hill & Valley',
      PARLEY_OUTSIDE_ALLOW: 'localhost',
      // All people share one IP address, which sends hundreds of signed-out requests.
      PARLEY_RATE_LIMIT_ADDRESS: '1000/60',
      ...provider.environment,
    })
    const [, link = ''] = /^Set up {5}(\S+)$/m.exec(server.stdout()) ?? []
    provider.redirectAddresses.add(`${url}/openid`)
    const owner = await (await openWindow(browser())).newPage()
    const linkForMany = await setUpOrganization(owner, link)
    await inviteByEmail(owner, newcomers)

    const pages = new Map<string, Page>()
    const devices = new Map<string, PushDevice>()
    for (const one of newcomers) {
      const context = await openWindow(browser(), { serviceWorkers: 'allow' })
      const device = push.device()
      await subscribeAs(context, device)
      const page = await context.newPage()
      await joinTeam(page, one, { mails, provider, linkForMany })
      await setPicture(page)
      await signInAgain(page, one)
      await turnOnNotifications(page)
      // Leaves the client, so that the person misses later messages.
      await page.goto('about:blank')
      pages.set(one.name, page)
      devices.set(one.name, device)
    }

    await owner
      .getByRole('navigation', { name: 'Conversations' })
      .getByRole('link', { name: /^general/ })
      .click()
    await composer(owner).fill('@**all** Soup is ready')
    await owner.getByRole('combobox', { name: 'Topic' }).fill('general')
    await owner.getByRole('option', { name: 'general chat' }).click()
    await owner.keyboard.press('Control+Enter')
    for (const { name, address } of newcomers) {
      await expect.poll(() => devices.get(name)?.payloads().length, POLL_OPTIONS).toBeGreaterThan(0)
      const missed = (): number => mails.received(address).filter(({ text }) => text.includes('Soup is ready')).length
      await expect.poll(missed, POLL_OPTIONS).toBe(1)
    }

    await giveRoles(owner, newcomers)
    const [nora, nils] = [pages.get(NORA.name), pages.get(NILS.name)]
    if (nora === undefined || nils === undefined) throw new Error('nobody came')
    await nora.goto(`${url}/settings/people`)
    await deactivatePerson(nora, NILS.name)
    for (const { name } of newcomers.filter((one) => one.name !== NILS.name)) await deactivatePerson(owner, name)
    for (const page of pages.values()) {
      await page.goto(`${url}/login`)
      await page.getByLabel('Password').waitFor()
    }
    await nils.getByLabel('Password').fill(PASSWORD)
    await nils.getByLabel('Email address').fill(NILS.address)
    await nils.getByRole('button', { name: 'Sign in', exact: true }).click()
    await nils.getByRole('alert').filter({ hasText: 'Your account is deactivated.' }).waitFor()

    await nils.goto(link)
    await nils.getByRole('heading', { name: 'This link is no longer valid' }).waitFor()
    expect(await server.stop()).toMatchObject({ code: 0, stderr: '' })
    return pages.size
  }
}
