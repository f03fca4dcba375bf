import type { Page } from 'playwright-core'
import { describe, expect, it } from 'vitest'
import { useTestServer } from '../../server/src/testing/server.ts'
import type { TestUser } from '../../server/src/testing/user.ts'
import { accessibilityFaults, addressOf, hasBrowser, LOCAL_DOMAIN, openAs, useBrowser } from './browser.ts'
import { addDevice } from './devices.ts'
import { PASSWORD, teamOn } from './team.ts'

const server = useTestServer(LOCAL_DOMAIN)
const browser = useBrowser()

async function addPasskey(page: Page, name: string): Promise<void> {
  await page.getByRole('button', { name: 'Add a passkey', exact: true }).click()
  const dialog = page.getByRole('dialog')
  await dialog.getByLabel('Name').fill(name)
  await dialog.getByLabel('Password').fill(PASSWORD)
  await dialog.getByRole('button', { name: 'Go on with the device', exact: true }).click()
}

/** Goes to where one signs in, as after a month away. */
async function comeBack(page: Page, user: TestUser): Promise<void> {
  await page.context().clearCookies()
  await page.goto(addressOf(user, '/login'))
  await page.getByRole('button', { name: 'Sign in with a passkey', exact: true }).waitFor()
}

describe.skipIf(!hasBrowser)('passkeys', () => {
  it('are made in the settings, sign in, are renamed and removed', async () => {
    const { owner } = await teamOn(server())
    const page = await openAs(browser(), owner, '/settings/security')
    const { debug, id } = await addDevice(page)
    await addPasskey(page, 'Laptop')
    await page.getByRole('button', { name: 'Rename Laptop', exact: true }).waitFor()
    expect(await accessibilityFaults(page)).toEqual([])
    const { credentials } = await debug.send('WebAuthn.getCredentials', { authenticatorId: id })
    expect(credentials).toMatchObject([{ isResidentCredential: true, rpId: owner.host }])

    await comeBack(page, owner)
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

    await comeBack(page, owner)
    await page.getByRole('button', { name: 'Sign in with a passkey', exact: true }).click()
    await page.getByRole('alert').filter({ hasText: 'does not sign in here' }).waitFor()
  })

  it('stand in for the second step after the password', async () => {
    const { owner } = await teamOn(server())
    const page = await openAs(browser(), owner, '/settings/security')
    await addDevice(page)
    await addPasskey(page, 'Laptop')
    await page.getByRole('button', { name: 'Rename Laptop', exact: true }).waitFor()
    await owner.call('PATCH', '/realm', { second_factor_required_of: 'everyone' })
    await comeBack(page, owner)
    await page.getByLabel('E-mail address').fill(owner.email)
    await page.getByLabel('Password').fill(PASSWORD)
    await page.getByRole('button', { name: 'Sign in', exact: true }).click()
    await page.getByText('Sign in with one of your passkeys.').waitFor()
    expect(await accessibilityFaults(page)).toEqual([])
    await page.getByRole('button', { name: 'Sign in with a passkey', exact: true }).click()
    await page.getByRole('button', { name: /Olivia Owner/ }).waitFor()
  })
})
