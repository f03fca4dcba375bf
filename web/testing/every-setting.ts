import type { Locator, Page } from 'playwright-core'
import { expect } from 'vitest'

export interface FoundSetting {
  readonly section: string
  readonly title: string
  readonly id: string
  readonly label: string
}

const links = (page: Page): Locator => page.getByRole('navigation', { name: 'Parts of the settings' }).getByRole('link')

/** Opens each page of the settings. */
export async function eachPage(page: Page, look: (section: string, title: string) => Promise<void>): Promise<void> {
  await links(page).first().waitFor()
  const count = await links(page).count()
  for (let index = 0; index < count; index += 1) {
    const link = links(page).nth(index)
    const title = (await link.textContent()) ?? ''
    const section = ((await link.getAttribute('href')) ?? '').replace('/settings/', '')
    await link.click()
    await page.getByRole('heading', { name: title, exact: true, level: 2 }).waitFor()
    await look(section, title)
  }
}

/** The settings of the open page with their labels. */
export async function settingsOn(page: Page): Promise<readonly { readonly id: string; readonly label: string }[]> {
  await page.locator('[data-setting]').first().waitFor()
  return page.locator('[data-setting]').evaluateAll((rows) =>
    rows.map((row) => ({
      id: row.getAttribute('data-setting') ?? '',
      label:
        row.querySelector('.setting-name :is(h3, label)')?.textContent ??
        row.querySelector('.grant select')?.getAttribute('aria-label') ??
        '',
    })),
  )
}

function pattern(text: string): string {
  return text.replaceAll(/[$()*+.?[\\\]^{|}]/g, '\\$&')
}

/**
 * Changes a setting, waits until it is saved, and undoes the change.
 * @returns whether the control shows its former value again; true for a setting without such a control
 */
export async function isUndone(page: Page, id: string): Promise<boolean> {
  const row = page.locator(`[data-setting="${id}"]`)
  const control = row.locator('.setting-control > :is(select, input, textarea), .grant > p > select').first()
  if ((await control.count()) === 0 || (await control.isDisabled())) return true
  const before = await valueOf(control)
  const saved = page.waitForResponse(
    (response) => response.request().method() === 'PATCH' && response.url().includes('/api/v1/'),
  )
  if (!(await choose(control))) {
    // One choice alone, such as a channel where none is there to be chosen.
    saved.catch(() => undefined)
    return true
  }
  if ((await saved).status() !== 200) return false
  await row.getByText('Saved', { exact: true }).waitFor()
  const undone = page.waitForResponse((response) => response.request().method() === 'PATCH')
  await page.keyboard.press('Control+z')
  if ((await undone).status() !== 200) return false
  await expect.poll(() => valueOf(control)).toBe(before)
  return true
}

async function valueOf(control: Locator): Promise<string> {
  return control.evaluate((element) =>
    element instanceof HTMLInputElement && element.type === 'checkbox'
      ? String(element.checked)
      : (element as HTMLInputElement | HTMLSelectElement | HTMLTextAreaElement).value,
  )
}

/** Chooses another value. @returns whether there is one */
async function choose(control: Locator): Promise<boolean> {
  const kind = await control.evaluate((element) =>
    element instanceof HTMLInputElement ? element.type : element.tagName,
  )
  if (kind === 'checkbox') await control.click()
  else if (kind === 'SELECT') {
    const value = await valueOf(control)
    const options = await control
      .locator('option')
      .evaluateAll((all) => all.map((option) => (option as HTMLOptionElement).value))
    const other = options.find((one) => one !== value && one !== 'chosen')
    if (other === undefined) return false
    await control.selectOption(other)
  } else {
    await control.fill('python')
    await control.blur()
  }
  return true
}

/** Finds a setting in the palette by its label and opens it. @returns whether its row is in view */
export async function findsInPalette(page: Page, { section, title, id, label }: FoundSetting): Promise<boolean> {
  await page.keyboard.press('Control+k')
  await page.getByRole('dialog').getByRole('combobox').fill(label)
  const option = page.getByRole('option', { name: new RegExp(`^${pattern(label)}\\s*${pattern(title)}$`) })
  await option.first().click()
  await page.waitForURL(`**/settings/${section}?*`)
  await page.getByRole('heading', { name: title, exact: true, level: 2 }).waitFor()
  const row = page.locator(`[data-setting="${id}"].is-sought`)
  await row.waitFor()
  return row.evaluate((element) => {
    const { top, bottom } = element.getBoundingClientRect()
    return bottom > 0 && top < window.innerHeight
  })
}
