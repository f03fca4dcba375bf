import { readFile } from 'node:fs/promises'
import type { Locator, Page } from 'playwright-core'
import { describe, expect, it } from 'vitest'
import { PERMISSIONS } from '../../server/src/capabilities/groups/contract/permissions.ts'
import { CHANNEL_PROPERTIES } from '../../server/src/capabilities/channels/contract/events.ts'
import { REALM_SETTING_NAMES } from '../../server/src/capabilities/organizations/contract/settings.ts'
import { isObject, objectsIn } from '../../server/src/testing/json.ts'
import { administration } from '../src/strings/en/administration.ts'
import { accessibilityFaults, hasBrowser, openAs } from './browser.ts'
import { useTeam } from './shared.ts'
import { createTeamOn } from './team.ts'

const { server, browser, team, visit } = useTeam()

/** Properties that change automatically or repeat another property in an older form. */
const UNREPORTED_PROPERTIES = [
  'is_recently_active',
  'stream_weekly_traffic',
  'first_message_id',
  'stream_post_policy',
  'is_announcement_only',
]

const entries = (page: Page) => page.getByRole('list', { name: 'Changes' })

/** Returns the places of a row's sentence, changes, and time. */
async function cellsOf(row: Locator): Promise<{ left: number; width: number; isOnFirstLine: boolean }[]> {
  return row.locator('> *').evaluateAll((cells) =>
    cells.map((cell) => {
      const { left, width, top } = cell.getBoundingClientRect()
      return { left, width, isOnFirstLine: top < (cells[0]?.getBoundingClientRect().bottom ?? 0) }
    }),
  )
}

async function downloadText(page: Page, button: string): Promise<string> {
  const [download] = await Promise.all([
    page.waitForEvent('download'),
    page.getByRole('button', { name: button }).click(),
  ])
  return readFile(await download.path(), 'utf8')
}

describe('audit log texts', () => {
  it('names every organization setting and permission in the audit log', () => {
    const { audit, groups, organization, permissions } = administration
    const titles = {
      ...audit.properties,
      ...organization.titles,
      ...permissions.what,
      ...permissions.inChannel,
      ...groups.what,
    }
    const names = [
      ...REALM_SETTING_NAMES,
      ...Object.values(PERMISSIONS).flatMap((ofKind) => Object.keys(ofKind)),
      ...CHANNEL_PROPERTIES,
    ]
    expect(names.filter((name) => !(name in titles) && !UNREPORTED_PROPERTIES.includes(name))).toEqual([])
  })
})

describe.skipIf(!hasBrowser)('audit log', () => {
  it("describes changed values in the same words as the settings, in the reader's language", async () => {
    const { owner, friend, channelId } = await createTeamOn(server())
    const page = await openAs(browser(), owner, '/settings/audit-log', { locale: 'de-DE' })
    await owner.call('PATCH', '/settings', { default_language: 'de' })
    await owner.call('PATCH', '/realm', {
      registration_challenge: 'normal',
      second_factor_required_of: 'administrators',
      topics_policy: 'disable_empty_topic',
      message_edit_history_visibility_policy: 'moves',
      org_type: 40,
      video_chat_provider: 0,
      digest_weekday: 3,
      default_language: 'de',
      message_content_edit_limit_seconds: 'unlimited',
      message_content_delete_limit_seconds: 420,
      waiting_period_threshold: 7,
      message_retention_days: 90,
      giphy_rating: 4,
    })
    await owner.call('PATCH', '/realm/user_settings_defaults', { color_scheme: 2, enable_sounds: false })
    await owner.call('PATCH', `/streams/${channelId}`, {
      topics_policy: 'empty_topic_only',
      message_retention_days: 30,
    })
    await owner.call('POST', '/export/realm', { export_type: 1 })
    await owner.call('POST', `/users/${friend.id}/ban`, { reason: 'Werbung', duration_seconds: 86_400 })
    await page.reload()
    const all = page.getByRole('list', { name: 'Änderungen', exact: true })
    for (const said of [
      'Rechenaufgabe bei Registrierung ohne Einladung: Aus → Mittel',
      'Zwei-Faktor-Authentifizierung verlangen für: Niemand → Inhaber und Administratoren',
      'Themen: Optional → Erforderlich',
      'Nicht festgelegt → Forschung',
      'Jitsi Meet → Keine',
      'Dienstag → Donnerstag',
      'Sprache für neue Personen: English → Deutsch',
      '10 Minuten → Unbegrenzt',
      '10 Minuten → 7 Minuten',
      'Sofort → 7 Tage',
      'unbegrenzt → 90 Tage',
      'G → PG-13',
      'Vorgabe für neue Personen: Design: Dunkel',
      'Standard der Organisation → keine Themen',
      'Öffentliche Daten',
      'Olivia Owner hat Fred Friend gesperrt',
      'Grund: Werbung',
      /Gesperrt bis: \S+, \d/,
    ]) {
      await all.getByText(said).first().waitFor()
    }
    expect(await all.getByText(/administrators|_topic|moves|nobody|inherit|color.scheme/).count()).toBe(0)
  })

  it('shows each change with the person who made it, and filters, opens, and downloads changes', async () => {
    const { owner, user } = await team()
    const [admin, gone] = [await user('Ada Admin', { role: 200 }), await user('Gus Gone')]
    await admin.call('PATCH', `/users/${gone.id}`, { role: 300 })
    await owner.call('PATCH', '/realm', { name: '=Dale', enable_read_receipts: true })
    // The filter must also find deactivated people.
    await owner.call('DELETE', `/users/${gone.id}`)
    const page = await visit(owner, '/settings/audit-log')
    const row = (name: RegExp) => entries(page).getByRole('button', { name })
    const ofRole = row(/Ada Admin changed Gus Gone.*Role: Member → Moderator/)
    await ofRole.waitFor()
    await page.setViewportSize({ width: 320, height: 800 })
    // The sentence has the whole width of a phone.
    await expect.poll(async () => (await cellsOf(ofRole))[0]?.width).toBeGreaterThan(240)
    await page.setViewportSize({ width: 1440, height: 900 })
    await expect.poll(async () => (await cellsOf(ofRole)).every(({ isOnFirstLine }) => isOnFirstLine)).toBe(true)
    const [one, other] = [await cellsOf(ofRole), await cellsOf(row(/organization’s settings/))]
    expect(one.map(({ left }) => left)).toEqual(other.map(({ left }) => left))
    await row(/Olivia Owner changed the organization’s settings/).click()
    const open = page.getByRole('dialog')
    await open.getByText('Name: Hill & Valley → =Dale').waitFor()
    await open.getByText('Show who has read a message: no → yes').waitFor()
    expect(await accessibilityFaults(page)).toEqual([])
    await page.keyboard.press('Escape')
    await page.getByLabel('Category').selectOption('Settings and permissions')
    await expect.poll(() => row(/Gus Gone/).count()).toBe(0)
    await row(/Olivia Owner changed the organization’s settings/).waitFor()
    await page.getByLabel('Category').selectOption('All categories')
    await page.getByRole('searchbox', { name: 'Person' }).fill('Gus')
    await page.getByRole('button', { name: 'Gus Gone', exact: true }).click()
    await row(/Ada Admin changed Gus Gone/).waitFor()
    await expect.poll(() => row(/organization’s settings/).count()).toBe(0)
    const json = objectsIn(JSON.parse(await downloadText(page, 'Save as JSON')))
    expect(json.every(({ target }) => isObject(target) && target['id'] === gone.id)).toBe(true)
    await page.getByRole('button', { name: 'Gus Gone', exact: true }).first().click()
    await row(/organization’s settings/).waitFor()
    const csv = await downloadText(page, 'Save as CSV')
    expect(csv.split('\r\n')[0]).toBe('"time","by","kind","action","target","name","changes"')
    expect(csv).toContain('"Role: Member → Moderator"')
    await page.getByLabel('Until').fill('2001-01-01')
    await page.getByText('No matching changes').waitFor()
  })

  it('loads older audit log entries page by page', async () => {
    const { owner, friend } = await team()
    for (let n = 0; n < 60; n += 1) {
      await owner.call('PATCH', `/users/${friend.id}`, { role: 300 })
      await owner.call('PATCH', `/users/${friend.id}`, { role: 400 })
    }
    const page = await visit(owner, '/settings/audit-log')
    await page.getByLabel('Category').selectOption('People')
    await page.getByRole('button', { name: 'Load older changes' }).click()
    const row = entries(page).getByRole('listitem').first()
    await expect.poll(async () => Number(await row.getAttribute('aria-setsize'))).toBeGreaterThan(120)
    await expect.poll(() => page.getByRole('button', { name: 'Load older changes' }).count()).toBe(0)
    // Only rows in view are rendered.
    expect(await entries(page).getByRole('listitem').count()).toBeLessThan(60)
  })

  it('shows the audit log to admins only', async () => {
    const { friend } = await team()
    const page = await visit(friend, '/settings/audit-log')
    await page.getByText('Page not found').first().waitFor()
    expect((await friend.try('GET', '/audit_log')).status).toBe(400)
  })
})
