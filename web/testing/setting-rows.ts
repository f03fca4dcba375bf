import type { Locator, Page } from 'playwright-core'
import { expect } from 'vitest'
import type { TestUser } from '../../server/src/testing/user.ts'
import type { Team } from './team.ts'

/** Organization settings without a control, and why they have none. */
export const ORGANIZATION_SETTINGS_WITHOUT_CONTROL: Readonly<Record<string, string>> = {
  want_advertise_in_communities_directory: 'the server has no directory',
  can_manage_billing_group: 'the server has no billing',
  can_summarize_topics_group: 'the server has no summaries',
  require_e2ee_push_notifications: 'pushes are always encrypted',
  service_update_announcements_stream_id: 'the server makes no announcements',
  giphy_rating: 'the client has no GIF search',
  message_retention_days: 'the retention tests cover it, because it asks for confirmation',
}

/** Personal settings without a control, and why they have none. */
export const USER_SETTINGS_WITHOUT_CONTROL: Readonly<Record<string, string>> = {
  web_channel_default_view: 'channels open with their topics',
  web_suggest_update_timezone: 'the client suggests no time zone',
  fluid_layout_width: 'the layout fills the window',
  display_emoji_reaction_users: 'hovering over a reaction shows its people',
  web_home_view: 'the client starts with the inbox',
  web_escape_navigates_to_home_view: 'Escape closes one layer',
  left_side_userlist: 'the client has no list of people',
  user_list_style: 'the client has no list of people',
  emojiset: 'the system draws the emoji',
  hide_ai_features: 'the client has no AI features',
  web_left_sidebar_unreads_count_summary: 'the sidebar has no summary',
  enable_drafts_synchronization: 'drafts are always saved on the server',
  enable_marketing_emails: 'the server sends no marketing emails',
  desktop_icon_count_display: 'the client has no icon count',
  web_navigate_to_sent_message: 'the view stays after sending',
  web_inbox_show_channel_folders: 'the inbox has no folders',
}

/** Settings whose controls depend on the server's configuration. */
export const SERVER_DEPENDENT_SETTINGS = [
  'digest_emails_enabled',
  'digest_weekday',
  'enable_digest_emails',
  'enable_spectator_access',
  'inline_url_embed_preview',
  'public_name',
  'public_names',
  'send_welcome_emails',
]

/** Settings that other tests cover, because changing them takes several steps. */
export const SEPARATELY_TESTED_SETTINGS = [
  'language',
  'message_retention_days',
  'jitsi_server_url',
  'width',
  'search_languages',
  'held_message_patterns',
]

/** Personal settings for which admins choose no default for new people. */
export const SETTINGS_WITHOUT_DEFAULT = ['default_language', 'enter_sends', 'allow_private_data_export']

export interface FoundSetting {
  readonly section: string
  readonly title: string
  readonly id: string
  readonly label: string
}

export async function ownerWithPrivateChannel(team: Promise<Team>): Promise<TestUser> {
  const { owner } = await team
  await owner.subscribe(['desk'], { invite_only: true })
  return owner
}

const sectionLinks = (page: Page): Locator =>
  page.getByRole('navigation', { name: 'Settings sections' }).getByRole('link')

export async function eachSettingsPage(
  page: Page,
  look: (section: string, title: string) => Promise<void>,
): Promise<void> {
  await sectionLinks(page).first().waitFor()
  const count = await sectionLinks(page).count()
  for (let index = 0; index < count; index += 1) {
    const link = sectionLinks(page).nth(index)
    const title = (await link.textContent()) ?? ''
    const section = ((await link.getAttribute('href')) ?? '').replace('/settings/', '')
    await link.click()
    await page.getByRole('heading', { name: title, exact: true, level: 2 }).waitFor()
    await look(section, title)
  }
}

export async function findSettings(page: Page): Promise<readonly { readonly id: string; readonly label: string }[]> {
  await page.locator('[data-setting]').first().waitFor()
  return page.locator('[data-setting]').evaluateAll((rows) =>
    rows.map((row) => ({
      id: row.getAttribute('data-setting') ?? '',
      label:
        row.querySelector('.setting-name :is(h3, label)')?.textContent ??
        // The control of a permission that others have anyway is named “Who else can …”.
        row.querySelector('.grant select')?.getAttribute('aria-label')?.replace('Who else', 'Who') ??
        '',
    })),
  )
}

function escapePattern(text: string): string {
  return text.replaceAll(/[$()*+.?[\\\]^{|}]/g, '\\$&')
}

/** Finds a setting in the palette by its label. @returns whether its page opens with the setting in view */
export async function canFindInPalette(page: Page, { section, title, id, label }: FoundSetting): Promise<boolean> {
  await page.keyboard.press('Control+k')
  await page.getByRole('dialog').getByRole('combobox').fill(label)
  const option = page.getByRole('option', { name: new RegExp(`^${escapePattern(label)}\\s*${escapePattern(title)}$`) })
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

/** Changes a setting, and undoes the change. @returns whether this restored the old value, or no change is possible */
export async function canUndoChange(page: Page, id: string): Promise<boolean> {
  const row = page.locator(`[data-setting="${id}"]`)
  const control = row.locator('.setting-control > :is(select, input, textarea), .grant-choice > select').first()
  if ((await control.count()) === 0 || (await control.isDisabled())) return true
  const before = await controlValue(control)
  const saved = page.waitForResponse(
    (response) => response.request().method() === 'PATCH' && response.url().includes('/api/v1/'),
  )
  if (!(await changeValue(control))) {
    // The control has a single option, such as no channel.
    saved.catch(() => undefined)
    return true
  }
  if ((await saved).status() !== 200) return false
  await row.getByText('Saved', { exact: true }).waitFor()
  const undone = page.waitForResponse((response) => response.request().method() === 'PATCH')
  await page.keyboard.press('Control+z')
  if ((await undone).status() !== 200) return false
  await expect.poll(() => controlValue(control)).toBe(before)
  return true
}

async function controlValue(control: Locator): Promise<string> {
  return control.evaluate((element: HTMLInputElement | HTMLSelectElement | HTMLTextAreaElement) =>
    element instanceof HTMLInputElement && element.type === 'checkbox' ? String(element.checked) : element.value,
  )
}

async function changeValue(control: Locator): Promise<boolean> {
  const kind = await control.evaluate((element) =>
    element instanceof HTMLInputElement ? element.type : element.tagName,
  )
  if (kind === 'checkbox') await control.click()
  else if (kind === 'SELECT') {
    const value = await controlValue(control)
    const options = await control
      .locator('option')
      .evaluateAll((all: HTMLOptionElement[]) => all.map(({ value: option }) => option))
    const other = options.find((one) => one !== value && one !== 'chosen')
    if (other === undefined) return false
    await control.selectOption(other)
  } else {
    await control.fill('python')
    await control.blur()
  }
  return true
}
