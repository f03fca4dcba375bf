import type { Locator, Page } from 'playwright-core'
import { describe, expect, it } from 'vitest'
import type { TestUser } from '../../server/src/testing/user.ts'
import { hasBrowser, show } from './browser.ts'
import { useTeam } from './shared.ts'

const { team, visit } = useTeam()

async function fetchOrganizationSetting(user: TestUser, name: string): Promise<unknown> {
  return (await user.call('POST', '/register', { fetch_event_types: ['realm', 'realm_domains'] }))[name]
}

const sections = (page: Page) => page.getByRole('navigation', { name: 'Settings sections' })

const rowOf = (control: Locator) =>
  control.locator('xpath=ancestor::*[contains(concat(" ", @class, " "), " setting ")][1]')

async function createBlankPicture(page: Page): Promise<Buffer> {
  const base64 = await page.evaluate(() => {
    const canvas = Object.assign(document.createElement('canvas'), { width: 64, height: 64 })
    return canvas.toDataURL('image/png').split(',')[1] ?? ''
  })
  return Buffer.from(base64, 'base64')
}

describe.skipIf(!hasBrowser)('organization settings', () => {
  it('shows organization settings only to people who can change them', async () => {
    const { owner, friend } = await team()
    const page = await visit(owner, '/settings/organization')
    await page.getByRole('heading', { name: 'Profile', exact: true }).waitFor()
    await sections(page).getByRole('group', { name: 'You' }).getByRole('link', { name: 'Appearance' }).waitFor()
    await sections(page)
      .getByRole('group', { name: 'Organization' })
      .getByRole('link', { name: 'Profile', exact: true })
      .waitFor()
    const other = await visit(friend, '/settings/organization')
    await other.getByText('Page not found').first().waitFor()
    const theirs = sections(other).getByRole('group', { name: 'Organization' }).getByRole('link')
    expect(await theirs.allTextContents()).not.toContain('Profile')
    await owner.call('PATCH', `/users/${friend.id}`, { role: 200 })
    await other.getByRole('heading', { name: 'Profile', exact: true }).waitFor()
    await show(other, '/settings/joining')
    expect(await other.getByRole('switch', { name: 'Block disposable email addresses' }).isDisabled()).toBe(true)
    expect(await other.getByRole('switch', { name: 'Require unique names' }).isDisabled()).toBe(false)
    await other.getByText('Only owners can change this.').first().waitFor()
    await owner.call('PATCH', `/users/${friend.id}`, { role: 400 })
  })

  it('applies organization settings to everyone immediately, and undoes changes', async () => {
    const { owner, friend } = await team()
    const page = await visit(owner, '/settings/organization')
    const name = page.getByLabel('Name', { exact: true })
    await name.fill('Dale & Brook')
    await name.press('Enter')
    await rowOf(name).getByText('Saved').waitFor()
    expect(await fetchOrganizationSetting(friend, 'realm_name')).toBe('Dale & Brook')
    const description = page.getByLabel('Description')
    await description.fill('We **grow** things.')
    await description.blur()
    await rowOf(description).getByText('Saved').waitFor()
    const kind = page.getByLabel('Organization type')
    await kind.selectOption('Community')
    await rowOf(kind).getByText('Saved').waitFor()
    await expect.poll(() => fetchOrganizationSetting(friend, 'realm_org_type')).toBe(90)
    expect(await fetchOrganizationSetting(friend, 'realm_description')).toBe('We **grow** things.')
    await page.getByRole('heading', { name: 'Profile', exact: true }).click()
    await page.keyboard.press('Control+z')
    await expect.poll(() => fetchOrganizationSetting(friend, 'realm_org_type')).toBe(0)
    await expect.poll(() => page.getByLabel('Organization type').inputValue()).toBe('0')
    await page.keyboard.press('Control+z')
    await page.keyboard.press('Control+z')
    await expect.poll(() => fetchOrganizationSetting(friend, 'realm_name')).toBe('Hill & Valley')
    await expect.poll(() => name.inputValue()).toBe('Hill & Valley')
  })

  it('changes organization settings by keyboard from the palette', async () => {
    const { owner } = await team()
    const page = await visit(owner)
    await page.keyboard.press('Control+k')
    await page.getByRole('combobox').fill('who has read a message')
    await page.getByRole('option', { name: /Show who has read a message/ }).waitFor()
    await page.keyboard.press('Enter')
    const receipts = page.getByRole('switch', { name: 'Show who has read a message' })
    await expect.poll(() => receipts.evaluate((element) => element === document.activeElement)).toBe(true)
    await page.keyboard.press('Space')
    await expect.poll(() => fetchOrganizationSetting(owner, 'realm_enable_read_receipts')).toBe(true)
    await page.keyboard.press('Space')
    await expect.poll(() => fetchOrganizationSetting(owner, 'realm_enable_read_receipts')).toBe(false)
    const limit = page.getByLabel('Time limit for editing messages')
    await limit.focus()
    await limit.press('Home')
    await expect.poll(() => fetchOrganizationSetting(owner, 'realm_message_content_edit_limit_seconds')).toBe(null)
    await owner.call('PATCH', '/realm', { message_content_edit_limit_seconds: 5_400 })
    await expect.poll(() => limit.locator('option:checked').textContent()).toBe('90 minutes')
    await page.getByRole('switch', { name: 'Let people edit their messages' }).uncheck()
    await limit.waitFor({ state: 'detached' })
  })

  it('shows inline why a setting was refused, and restores its value', async () => {
    const { owner } = await team()
    const page = await visit(owner, '/settings/messages')
    await page.route('**/api/v1/realm', async (route) =>
      route.fulfill({ status: 400, json: { result: 'error', code: 'BAD_REQUEST', msg: 'Not today.' } }),
    )
    const receipts = page.getByRole('switch', { name: 'Show who has read a message' })
    await receipts.click()
    await rowOf(receipts).getByRole('alert').getByText('Not today.').waitFor()
    expect(await receipts.isChecked()).toBe(false)
    await page.unroute('**/api/v1/realm')
    const code = page.getByLabel('Default code language')
    await code.fill('gibberish')
    await code.press('Enter')
    await rowOf(code).getByRole('alert').getByText("Invalid language 'gibberish'").waitFor()
    expect(await fetchOrganizationSetting(owner, 'realm_default_code_block_language')).toBe('')
  })

  it('changes the languages whose word forms a search knows, and undoes the change', async () => {
    const { owner, friend } = await team()
    const page = await visit(owner, '/settings/messages')
    await page.getByRole('checkbox', { name: 'German' }).check()
    const labels = await page
      .getByRole('checkbox', { name: /^(Dutch|English|German|Swedish)$/ })
      .evaluateAll((boxes) => boxes.map((box) => box.closest('label')?.textContent))
    expect(labels).toEqual(['Dutch', 'English', 'German', 'Swedish'])
    const languages = async (): Promise<unknown> => (await friend.call('GET', '/search_settings'))['languages']
    await expect.poll(languages).toEqual(['de', 'en'])
    await page.getByRole('checkbox', { name: 'English' }).uncheck()
    await expect.poll(languages).toEqual(['de'])
    await page.keyboard.press('Control+z')
    await expect.poll(languages).toEqual(['de', 'en'])
  })

  it('uploads and removes organization images, and reports invalid images', async () => {
    const { owner, friend } = await team()
    const page = await visit(owner, '/settings/organization')
    const upload = async (button: string, buffer: Buffer): Promise<void> => {
      const chooser = page.getByLabel(button, { exact: true }).first()
      await chooser.setInputFiles({ name: 'icon.png', mimeType: 'image/png', buffer })
    }
    await upload('Upload: Icon', Buffer.from('no picture'))
    await page.getByRole('alert').waitFor()
    await upload('Upload: Icon', await createBlankPicture(page))
    await page.getByRole('dialog').getByRole('button', { name: 'Use picture' }).click()
    await page.getByRole('button', { name: 'Remove: Icon' }).waitFor()
    expect(await fetchOrganizationSetting(friend, 'realm_icon_source')).toBe('U')
    await upload('Upload: Logo for the dark theme', await createBlankPicture(page))
    await page.getByRole('dialog').getByRole('button', { name: 'Use picture' }).click()
    await page.getByRole('button', { name: 'Remove: Logo for the dark theme' }).click()
    await page.getByRole('button', { name: 'Remove: Logo for the dark theme' }).waitFor({ state: 'detached' })
    await page.getByRole('button', { name: 'Remove: Icon' }).click()
    await expect.poll(() => fetchOrganizationSetting(friend, 'realm_icon_source')).toBe('G')
  })

  it('requires a proof of work, and adds and removes allowed email domains, with Undo', async () => {
    const { owner } = await team()
    const page = await visit(owner, '/settings/joining')
    const proof = page.getByRole('combobox', { name: 'Proof of work to sign up without an invitation' })
    await proof.selectOption('Normal')
    const fetchDifficulty = async () => (await owner.call('GET', '/registrations/challenge')).difficulty
    await expect.poll(fetchDifficulty).toBe('normal')
    expect(await proof.inputValue()).toBe('normal')
    const field = page.getByRole('textbox', { name: /^Domain/ })
    await field.fill('not a domain')
    await field.press('Enter')
    await page.getByRole('alert').waitFor()
    await field.fill('example.org')
    await field.press('Enter')
    await page.getByLabel('Include subdomains of example.org').check()
    await expect
      .poll(() => fetchOrganizationSetting(owner, 'realm_domains'))
      .toEqual([{ domain: 'example.org', allow_subdomains: true }])
    await page.getByRole('button', { name: 'Remove example.org' }).click()
    await page.getByText('example.org removed').waitFor()
    expect(await fetchOrganizationSetting(owner, 'realm_domains')).toEqual([])
    await page.getByRole('button', { name: 'Undo' }).click()
    await expect
      .poll(() => fetchOrganizationSetting(owner, 'realm_domains'))
      .toEqual([{ domain: 'example.org', allow_subdomains: true }])
  })
})

describe.skipIf(!hasBrowser)('organization permissions', () => {
  it('grants permissions to system groups, and offers only groups that each permission allows', async () => {
    const { owner, friend } = await team()
    const groups = (await owner.call('GET', '/user_groups')).user_groups
    const idOf = (name: string) => groups.find((group) => group.name === name)?.id
    const page = await visit(owner, '/settings/permissions')
    const picker = page.getByRole('combobox', { name: 'Who can create public channels' })
    await picker.selectOption('Owners, admins, and moderators')
    await rowOf(picker).getByText('Saved').waitFor()
    await rowOf(picker).getByText('can create public channels').waitFor()
    expect(await fetchOrganizationSetting(friend, 'realm_can_create_public_channel_group')).toBe(
      idOf('role:moderators'),
    )
    // On a phone, nothing else leads back to the former value.
    const toast = page.getByText('“Who can create public channels” changed from “Everyone except guests”')
    await page.getByRole('status').filter({ has: toast }).getByRole('button', { name: 'Undo' }).click()
    await expect
      .poll(() => fetchOrganizationSetting(friend, 'realm_can_create_public_channel_group'))
      .toBe(idOf('role:members'))
    await expect.poll(() => picker.locator('option:checked').textContent()).toBe('Everyone except guests')
    const seeing = page.getByRole('combobox', { name: 'Who can see everyone in the organization' })
    expect(await seeing.locator('option').allTextContents()).toEqual([
      'Everyone except guests',
      'Everyone, including guests',
    ])
    const managing = page.getByRole('combobox', { name: 'Who can manage all groups' })
    expect(await managing.locator('option').allTextContents()).not.toContain('No one')
  })

  it('grants a permission to chosen people and groups by keyboard', async () => {
    const { owner, friend } = await team()
    const { group_id } = await owner.call('POST', '/user_groups/create', {
      name: 'gardeners',
      description: '',
      members: [friend.id],
    })
    const page = await visit(owner, '/settings/permissions')
    const picker = page.getByRole('combobox', { name: 'Who can add custom emoji' })
    await picker.focus()
    await picker.selectOption('Selected people and groups')
    const field = page.getByRole('searchbox', { name: 'Who can add custom emoji: add people or groups' })
    await field.fill('Fred')
    await field.press('Enter')
    await field.fill('gard')
    await field.press('Enter')
    const chosen = page.getByRole('list', { name: 'Who can add custom emoji' })
    await chosen.getByRole('button', { name: 'Remove Everyone except guests' }).press('Enter')
    await expect
      .poll(() => fetchOrganizationSetting(owner, 'realm_can_add_custom_emoji_group'))
      .toEqual({ direct_members: [friend.id], direct_subgroups: [group_id] })
    await chosen.getByRole('button', { name: 'Remove Fred Friend' }).click()
    await expect.poll(() => fetchOrganizationSetting(owner, 'realm_can_add_custom_emoji_group')).toBe(group_id)
  })

  it('shows permissions to members, and names the roles that can change them', async () => {
    const { friend } = await team()
    const page = await visit(friend, '/settings/permissions')
    const picker = page.getByRole('combobox', { name: 'Who can create public channels' })
    await picker.waitFor()
    expect(await picker.isDisabled()).toBe(true)
    await rowOf(picker).getByText('Only admins can change this.').waitFor()
  })
})

describe.skipIf(!hasBrowser)('message retention', () => {
  it('lets only owners shorten retention, and only after confirmation', async () => {
    const { owner, user } = await team()
    const administrator = await user('Ada Admin', { role: 200 })
    const page = await visit(owner, '/settings/retention')
    const kept = page.getByRole('combobox', { name: 'Keep messages' })
    await kept.selectOption('for 90 days')
    await page.getByRole('dialog', { name: 'Delete older messages' }).getByRole('button', { name: 'Cancel' }).click()
    expect(await kept.inputValue()).toBe('-1')
    expect(await fetchOrganizationSetting(owner, 'realm_message_retention_days')).toBe(-1)
    await kept.selectOption('for 90 days')
    await page
      .getByRole('dialog', { name: 'Delete older messages' })
      .getByRole('button', { name: 'Delete older messages' })
      .click()
    await expect.poll(() => fetchOrganizationSetting(owner, 'realm_message_retention_days')).toBe(90)
    await kept.selectOption('forever')
    await expect.poll(() => fetchOrganizationSetting(owner, 'realm_message_retention_days')).toBe(-1)
    const theirs = await visit(administrator, '/settings/retention')
    await theirs.getByText(/Only owners can change this/).waitFor()
    expect(await theirs.getByRole('combobox', { name: 'Keep messages' }).isDisabled()).toBe(true)
  })
})
