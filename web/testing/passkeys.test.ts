import type { Page } from 'playwright-core'
import { describe, expect, it } from 'vitest'
import { useTestServer } from '../../server/src/testing/server.ts'
import { CONFIRMATION_VALIDITY_SECONDS } from '../../server/src/capabilities/sessions/contract.ts'
import { ageSessions } from '../../server/src/testing/age.ts'
import type { TestUser } from '../../server/src/testing/user.ts'
import { accessibilityFaults, addressOf, hasBrowser, LOCAL_DOMAIN, openAs, useBrowser } from './browser.ts'
import { addAuthenticator } from './devices.ts'
import { PASSWORD, createTeamOn } from './team.ts'

const server = useTestServer(LOCAL_DOMAIN)
const browser = useBrowser()

async function addPasskey(page: Page, name: string): Promise<void> {
  await page.getByRole('button', { name: 'Add passkey', exact: true }).click()
  const dialog = page.getByRole('dialog')
  await dialog.getByLabel('Name').fill(name)
  await dialog.getByLabel('Password').fill(PASSWORD)
  await dialog.getByRole('button', { name: 'Continue on your device', exact: true }).click()
}

async function signInAgain(page: Page, user: TestUser): Promise<void> {
  await page.context().clearCookies()
  await page.goto(addressOf(user, '/login'))
  await page.getByRole('button', { name: 'Sign in with a passkey', exact: true }).waitFor()
}

describe.skipIf(!hasBrowser)('passkeys', () => {
  it('adds, uses, renames, and removes a passkey', async () => {
    const { owner } = await createTeamOn(server(), { password: PASSWORD })
    const page = await openAs(browser(), owner, '/settings/security')
    const { debug, id } = await addAuthenticator(page)
    await addPasskey(page, 'Laptop')
    await page.getByRole('button', { name: 'Rename Laptop', exact: true }).waitFor()
    expect(await accessibilityFaults(page)).toEqual([])
    const { credentials } = await debug.send('WebAuthn.getCredentials', { authenticatorId: id })
    expect(credentials).toMatchObject([{ isResidentCredential: true, rpId: owner.host }])

    await signInAgain(page, owner)
    expect(await accessibilityFaults(page)).toEqual([])
    await page.getByRole('button', { name: 'Sign in with a passkey', exact: true }).click()
    await page.getByRole('button', { name: /Olivia Owner/ }).waitFor()

    await page.goto(addressOf(owner, '/settings/security'))
    await page.getByRole('button', { name: 'Rename Laptop', exact: true }).click()
    await page.getByRole('dialog').getByLabel('Name').fill('Old laptop')
    await page.getByRole('dialog').getByRole('button', { name: 'Rename', exact: true }).click()
    await page.getByRole('button', { name: 'Remove Old laptop', exact: true }).click()
    await page.getByRole('dialog').getByLabel('Password').fill(PASSWORD)
    await page.getByRole('dialog').getByRole('button', { name: 'Remove', exact: true }).click()
    await page.getByRole('button', { name: 'Remove Old laptop', exact: true }).waitFor({ state: 'detached' })

    await signInAgain(page, owner)
    await page.getByRole('button', { name: 'Sign in with a passkey', exact: true }).click()
    await page.getByRole('alert').filter({ hasText: 'is not valid here' }).waitFor()
  })

  it('accepts a passkey as the second factor', async () => {
    const { owner } = await createTeamOn(server(), { password: PASSWORD })
    const page = await openAs(browser(), owner, '/settings/security')
    await addAuthenticator(page)
    await addPasskey(page, 'Laptop')
    await page.getByRole('button', { name: 'Rename Laptop', exact: true }).waitFor()
    await owner.call('PATCH', '/realm', { second_factor_required_of: 'everyone' })
    await signInAgain(page, owner)
    await page.getByLabel('Email address').fill(owner.email)
    await page.getByLabel('Password').fill(PASSWORD)
    await page.getByRole('button', { name: 'Sign in', exact: true }).click()
    await page.getByText('Sign in with one of your passkeys.').waitFor()
    expect(await accessibilityFaults(page)).toEqual([])
    await page.getByRole('button', { name: 'Sign in with a passkey', exact: true }).click()
    await page.getByRole('button', { name: /Olivia Owner/ }).waitFor()
  })

  it('confirms a change with a passkey or password long after the sign-in', async () => {
    const { owner, id } = await createTeamOn(server(), { password: PASSWORD })
    const page = await openAs(browser(), owner, '/settings/security')
    await addAuthenticator(page)
    await addPasskey(page, 'Laptop')
    await page.getByRole('button', { name: 'Rename Laptop', exact: true }).waitFor()
    const dialog = page.getByRole('dialog', { name: 'Confirm that it’s you', exact: true })
    const change = async (email: string): Promise<void> => {
      await ageSessions(server().database, id, owner.id, CONFIRMATION_VALIDITY_SECONDS)
      await page.getByRole('textbox', { name: 'New email address', exact: true }).fill(email)
      await page.getByRole('button', { name: 'Change', exact: true }).click()
      await dialog.waitFor()
    }
    await page.goto(addressOf(owner, '/settings/profile'))

    await change('first@example.org')
    expect(await accessibilityFaults(page)).toEqual([])
    await dialog.getByRole('button', { name: 'Cancel', exact: true }).click()
    await page.getByRole('alert').filter({ hasText: 'Confirm your identity.' }).waitFor()

    await page.getByRole('button', { name: 'Change', exact: true }).click()
    await dialog.getByRole('button', { name: 'Use a passkey', exact: true }).click()
    await page.getByText('Email address changed to first@example.org').waitFor()

    await change('second@example.org')
    await dialog.getByLabel('Password').fill('wrong')
    await dialog.getByRole('button', { name: 'Confirm', exact: true }).click()
    await dialog.getByRole('alert').filter({ hasText: 'Wrong password!' }).waitFor()
    await dialog.getByLabel('Password').fill(PASSWORD)
    await dialog.getByRole('button', { name: 'Confirm', exact: true }).click()
    await page.getByText('Email address changed to second@example.org').waitFor()
  })

  it('changes the password, revokes all other access, and lists what was revoked', async () => {
    const { owner, id } = await createTeamOn(server(), { password: PASSWORD })
    const page = await openAs(browser(), owner, '/settings/security')
    await addAuthenticator(page)
    await addPasskey(page, 'Laptop')
    await page.getByRole('button', { name: 'Rename Laptop', exact: true }).waitFor()
    await ageSessions(server().database, id, owner.id, CONFIRMATION_VALIDITY_SECONDS)
    await page.getByLabel('Current password').fill(PASSWORD)
    await page.getByLabel('New password').fill('seven purple elephants')
    await page.getByRole('button', { name: 'Change password', exact: true }).click()
    await page.getByText(/^Password changed\./).waitFor()
    const revoke = { name: 'Revoke all other access', exact: true }
    const revokeAll = async (): Promise<void> => {
      await page.getByRole('button', revoke).click()
      await page.getByRole('dialog').getByRole('button', revoke).click()
    }
    await revokeAll()
    await page.getByRole('listitem').filter({ hasText: '1 passkey' }).waitFor()
    expect(await accessibilityFaults(page)).toEqual([])
    expect((await owner.try('GET', '/users/me')).status).toBe(401)
    await page.reload()
    await page.getByRole('button', { name: 'Add passkey', exact: true }).waitFor()
  })

  it('adds a passkey to an account without a password only after a new sign-in', async () => {
    const { friend, id } = await createTeamOn(server(), { password: PASSWORD })
    const page = await openAs(browser(), friend, '/settings/security')
    await addAuthenticator(page)
    await ageSessions(server().database, id, friend.id, CONFIRMATION_VALIDITY_SECONDS)
    await page.getByRole('button', { name: 'Add passkey', exact: true }).click()
    await page.getByRole('dialog').getByLabel('Name').fill('Laptop')
    await page.getByRole('dialog').getByRole('button', { name: 'Continue on your device', exact: true }).click()
    const dialog = page.getByRole('dialog', { name: 'Confirm that it’s you', exact: true })
    await dialog.getByText('Sign in again to make this change.').waitFor()
    expect(await accessibilityFaults(page)).toEqual([])
    await dialog.getByRole('button', { name: 'Sign in again', exact: true }).click()
    await page.getByRole('button', { name: 'Sign in', exact: true }).waitFor()
  })
})
