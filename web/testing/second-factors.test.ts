import { Secret, TOTP } from 'otpauth'
import type { Page } from 'playwright-core'
import { describe, expect, it } from 'vitest'
import type { TestUser } from '../../server/src/testing/user.ts'
import { accessibilityFaults, addressOf, hasBrowser, openAs, show } from './browser.ts'
import { useTeam } from './shared.ts'
import { PASSWORD, createTeamOn } from './team.ts'
import { isTooWide } from './views.ts'

const { server, browser, openStranger } = useTeam()
const STEP_SECONDS = 30

/** Returns the code that an authenticator app shows now, or `later` steps of 30 seconds later. */
function totpCode(secret: string, later = 0): string {
  const totp = new TOTP({ secret: Secret.fromBase32(secret.replaceAll(' ', '')) })
  return totp.generate({ timestamp: Date.now() + later * STEP_SECONDS * 1000 })
}

async function secretShownOn(page: Page): Promise<string> {
  await page.getByRole('img', { name: 'QR code for the authenticator app' }).waitFor()
  const shown = page.getByText(/^[A-Z2-7]{4}( [A-Z2-7]{4}){7}$/)
  return shown.innerText()
}

async function recoveryCodesShownOn(page: Page): Promise<string[]> {
  await page.getByRole('heading', { name: 'Recovery codes', exact: true }).waitFor()
  return page.getByText(/^[a-z2-9]{4}(-[a-z2-9]{4}){3}$/).allInnerTexts()
}

async function signInWithPassword(page: Page, user: TestUser): Promise<void> {
  await page.context().clearCookies()
  await page.goto(addressOf(user, '/login'))
  await page.getByLabel('Email address').fill(user.email)
  await page.getByLabel('Password').fill(PASSWORD)
  await page.getByRole('button', { name: 'Sign in', exact: true }).click()
}

async function enterCode(page: Page, code: string, button: string): Promise<void> {
  await page.getByLabel('Code', { exact: true }).fill(code)
  await page.getByRole('button', { name: button, exact: true }).click()
}

async function waitForSignIn(page: Page): Promise<void> {
  await page.getByRole('button', { name: /Olivia Owner/ }).waitFor()
}

describe.skipIf(!hasBrowser)('two-factor authentication', () => {
  it('sets up two-factor authentication, asks for it on sign-in, and turns it off', async () => {
    const { owner } = await createTeamOn(server(), { password: PASSWORD })
    const page = await openAs(browser(), owner, '/settings/security')
    await page.getByRole('button', { name: 'Set up two-factor authentication', exact: true }).click()
    const dialog = page.getByRole('dialog')
    await dialog.getByLabel('Password').fill('wrong')
    await dialog.getByRole('button', { name: 'Next', exact: true }).click()
    await dialog.getByRole('alert').filter({ hasText: 'Wrong password!' }).waitFor()
    await dialog.getByLabel('Password').fill(PASSWORD)
    await dialog.getByRole('button', { name: 'Next', exact: true }).click()
    const secret = await secretShownOn(page)
    expect(await accessibilityFaults(page)).toEqual([])
    await enterCode(page, totpCode(secret), 'Confirm')
    const codes = await recoveryCodesShownOn(page)
    expect(codes).toHaveLength(10)
    expect(await accessibilityFaults(page)).toEqual([])
    await page.getByRole('button', { name: 'I’ve saved the codes', exact: true }).click()
    await page.getByText('You have 10 recovery codes left.').waitFor()

    const other = await openStranger()
    await signInWithPassword(other, owner)
    await other.getByRole('heading', { name: 'One more step', exact: true }).waitFor()
    await expect.poll(() => other.url()).toBe(addressOf(owner, '/second-factor'))
    expect(await accessibilityFaults(other)).toEqual([])
    await enterCode(other, '000000', 'Sign in')
    await other.getByRole('alert').filter({ hasText: 'This code is wrong' }).waitFor()
    await enterCode(other, totpCode(secret, 1), 'Sign in')
    await waitForSignIn(other)

    await page.getByRole('button', { name: 'Turn off two-factor authentication', exact: true }).click()
    await enterCode(page, codes[0] ?? '', 'Confirm')
    await page.getByRole('button', { name: 'Set up two-factor authentication', exact: true }).waitFor()
    await signInWithPassword(other, owner)
    await waitForSignIn(other)
  })

  it('asks people to set up required two-factor authentication on sign-in', async () => {
    const { owner } = await createTeamOn(server(), { password: PASSWORD })
    const page = await openAs(browser(), owner, '/settings/joining')
    const choice = page.getByRole('combobox', { name: 'Require two-factor authentication for', exact: true })
    await choice.selectOption('Everyone')
    await expect.poll(async () => (await owner.call('GET', '/second_factor'))['required_of']).toBe('everyone')

    const other = await openStranger({ viewport: { width: 320, height: 800 } })
    await signInWithPassword(other, owner)
    await other.getByText('This organization requires two-factor authentication.').waitFor()
    const secret = await secretShownOn(other)
    expect(await accessibilityFaults(other)).toEqual([])
    expect(await isTooWide(other)).toBe(false)
    await enterCode(other, totpCode(secret), 'Confirm')
    expect(await recoveryCodesShownOn(other)).toHaveLength(10)
    expect(await isTooWide(other)).toBe(false)
    await other.getByRole('button', { name: 'I’ve saved the codes', exact: true }).click()
    await other.getByRole('heading', { name: 'Inbox' }).first().waitFor()
    await show(page, '/settings/security')
    await page.getByText('This organization requires two-factor authentication.').waitFor()
    expect(await page.getByRole('button', { name: 'Turn off two-factor authentication', exact: true }).count()).toBe(0)
  })

  it("lets an admin turn off a person's two-factor authentication", async () => {
    const { owner, friend } = await createTeamOn(server(), { password: PASSWORD })
    const { secret } = await friend.call('POST', '/second_factor')
    await friend.call('POST', '/second_factor/confirm', { code: totpCode(secret) })
    const page = await openAs(browser(), owner, '/settings/people')
    await page.getByRole('button', { name: /Fred Friend/ }).click()
    const account = page.getByRole('dialog', { name: 'Fred Friend', exact: true })
    await account.getByText('Set up on ').waitFor()
    expect(await accessibilityFaults(page)).toEqual([])
    await account.getByRole('button', { name: 'Turn off two-factor authentication', exact: true }).click()
    const question = page.getByRole('dialog', { name: 'Turn off two-factor authentication', exact: true })
    await question.getByText('Turn off two-factor authentication for Fred Friend?').waitFor()
    await question.getByRole('button', { name: 'Cancel', exact: true }).click()
    expect(await friend.call('GET', '/second_factor')).not.toMatchObject({ since: null })
    await account.getByRole('button', { name: 'Turn off two-factor authentication', exact: true }).click()
    await question.getByRole('button', { name: 'Turn off two-factor authentication', exact: true }).click()
    await page.getByText('Two-factor authentication turned off for Fred Friend').waitFor()
    await account.getByText('Off for this account').waitFor()
    expect(await friend.call('GET', '/second_factor')).toMatchObject({ since: null })
    await page.keyboard.press('Escape')
    await page
      .getByRole('list', { name: 'All people', exact: true })
      .getByRole('button', { name: /Olivia Owner/ })
      .click()
    const own = page.getByRole('dialog', { name: 'Olivia Owner', exact: true })
    await own.getByRole('combobox', { name: 'Role', exact: true }).waitFor()
    expect(await own.getByRole('heading', { name: 'Two-factor authentication', exact: true }).count()).toBe(0)
  })
})
