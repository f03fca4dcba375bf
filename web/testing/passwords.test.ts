import type { Locator, Page } from 'playwright-core'
import { describe, expect, it } from 'vitest'
import { accessibilityFaults, addressOf, countRequests, hasBrowser } from './browser.ts'
import { holdRequests } from './held-drafts.ts'
import { useTeam } from './shared.ts'
import { PASSWORD, createTeamOn } from './team.ts'

const { team, visit, openStranger } = useTeam({}, async (on) => createTeamOn(on, { password: PASSWORD }))

const showButton = (page: Page) => page.getByRole('button', { name: 'Show password' })
const caretPosition = async (field: Locator): Promise<unknown[]> =>
  field.evaluate((input: HTMLInputElement) => [
    document.activeElement === input,
    input.type,
    input.autocomplete,
    input.selectionStart,
    input.selectionEnd,
  ])

/** Returns the text that screen readers announce after the field's name. */
const spokenDescription = async (field: Locator): Promise<string> =>
  field.evaluate((input) =>
    (input.getAttribute('aria-describedby') ?? '')
      .split(' ')
      .map((id) => document.querySelector(`#${CSS.escape(id)}`)?.textContent ?? '')
      .join(' '),
  )

describe.skipIf(!hasBrowser)('password fields', () => {
  it('shows the password on request, keeps focus and caret, and hides it on submit', async () => {
    const { owner } = await team()
    const page = await openStranger()
    await page.goto(addressOf(owner, '/login'))
    const field = page.getByLabel('Password', { exact: true })
    await page.getByLabel('Email address').fill('nobody@example.com')
    await field.fill('wrong horse')
    await field.evaluate((input: HTMLInputElement) => input.setSelectionRange(2, 5))
    expect(await showButton(page).getAttribute('aria-pressed')).toBe('false')
    await showButton(page).click()
    await expect.poll(() => caretPosition(field)).toEqual([true, 'text', 'current-password', 2, 5])
    expect(await showButton(page).getAttribute('aria-pressed')).toBe('true')
    expect(await accessibilityFaults(page)).toEqual([])
    await page.keyboard.type('X')
    expect(await field.inputValue()).toBe('wrX horse')
    await showButton(page).click()
    await expect.poll(() => caretPosition(field)).toEqual([true, 'password', 'current-password', 3, 3])
    await page.keyboard.press('Tab')
    expect(await showButton(page).evaluate((button) => button === document.activeElement)).toBe(true)
    await page.keyboard.press('Space')
    expect(await showButton(page).evaluate((button) => button === document.activeElement)).toBe(true)
    await expect.poll(async () => (await caretPosition(field))[1]).toBe('text')
    await field.press('Enter')
    await page.getByRole('alert').filter({ hasText: 'Incorrect email or password.' }).waitFor()
    expect((await caretPosition(field))[1]).toBe('password')
    expect(await field.inputValue()).toBe('wrX horse')
    for (const width of [320, 1440]) {
      await page.setViewportSize({ width, height: 700 })
      const box = await showButton(page).boundingBox()
      expect(Math.min(box?.width ?? 0, box?.height ?? 0)).toBeGreaterThanOrEqual(24)
    }
  })

  it('explains next to the field, after a pause in typing, why a new password is weak', async () => {
    const { owner } = await team()
    const page = await visit(owner, '/settings/security')
    const asked = countRequests(page.context(), '/password_strength')
    const field = page.getByLabel('New password')
    const rated = async (text: string): Promise<void> =>
      page.getByRole('status').filter({ hasText: text }).first().waitFor()
    await field.pressSequentially('short')
    await rated('Too short. Use at least 8 characters.')
    expect(asked()).toBe(0)
    expect(await field.getAttribute('aria-invalid')).toBe('true')
    const { release } = await holdRequests(page, 'POST', '**/password_strength')
    await field.pressSequentially('cake')
    await page.getByText('Too short. Use at least 8 characters.').waitFor({ state: 'detached' })
    await release()
    await rated('Too easy to guess')
    expect(await spokenDescription(field)).toContain('Too easy to guess')
    for (const [password, reason] of [
      ['password1', 'a common word or password'],
      ['qwertzuiop', 'a pattern of letters or numbers'],
      [owner.email.slice(0, 30), 'contains your name, email, or organization'],
    ] as const) {
      await field.fill(password)
      await rated(reason)
      expect(await spokenDescription(field)).toContain(reason)
    }
    const before = asked()
    await field.fill('')
    await field.pressSequentially('seven purple elephants', { delay: 5 })
    await rated('Very hard to guess.')
    expect(asked()).toBe(before + 1)
    expect(await field.getAttribute('aria-invalid')).toBe('false')
    expect(await field.evaluate((input) => input === document.activeElement)).toBe(true)
    expect(await accessibilityFaults(page)).toEqual([])
    await page.getByLabel('Current password').fill(PASSWORD)
    await page.getByRole('button', { name: 'Change password' }).click()
    await page.getByText('Password changed').first().waitFor()
    await expect.poll(() => spokenDescription(field)).not.toContain('Very hard')
  })
})
