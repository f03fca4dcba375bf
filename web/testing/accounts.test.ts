import type { Page } from 'playwright-core'
import { describe, expect, it } from 'vitest'
import type { TestUser } from '../../server/src/testing/user.ts'
import { accessibilityFaults, hasBrowser, load, openWindow, signInByCookie } from './browser.ts'
import { useTeam } from './shared.ts'
import { PASSWORD } from './team.ts'

const { browser, team, visit, openStranger } = useTeam()

const list = (page: Page) => page.getByRole('list', { name: 'All people' })
const dialog = (page: Page, name: string) => page.getByRole('dialog', { name, exact: true })

async function fetchPerson(owner: TestUser, id: number): Promise<Record<string, unknown>> {
  const { user } = await owner.call('GET', `/users/${id}`, { include_custom_profile_fields: true })
  return user
}

const ADD_MANY_PEOPLE_SCRIPT = `
  const ask = window.fetch
  window.fetch = async (address, options) => {
    if (!String(address).endsWith('/api/v1/register')) return ask(address, options)
    const body = new URLSearchParams(options.body)
    const capabilities = JSON.parse(body.get('client_capabilities'))
    body.set('client_capabilities', JSON.stringify({ ...capabilities, packed_lists: false }))
    const response = await ask(address, { ...options, body })
    const state = await response.json()
    const [one] = state.realm_users
    for (let index = 0; index < 50_000; index += 1) {
      const name = 'Person ' + String(index).padStart(5, '0')
      state.realm_users.push({ ...one, user_id: 1_000_000 + index, full_name: name, role: 400 })
    }
    return Response.json(state, { headers: response.headers })
  }
`

describe.skipIf(!hasBrowser)('account settings', () => {
  it('lets only admins find people by name and role', async () => {
    const { owner, friend, user } = await team()
    await user('Gina Guest', { role: 600 })
    const page = await visit(owner, '/settings/people')
    await list(page)
      .getByRole('button', { name: /Fred Friend/ })
      .waitFor()
    await page.getByText('3 people').waitFor()
    expect(await accessibilityFaults(page)).toEqual([])
    await page.getByRole('combobox', { name: 'Role' }).selectOption('Guest')
    await page.getByText('1 person').waitFor()
    await list(page)
      .getByRole('button', { name: /Gina Guest/ })
      .waitFor()
    await page.getByRole('combobox', { name: 'Role' }).selectOption('All roles')
    await page.getByRole('searchbox', { name: 'Find by name or email' }).fill('fred.friend')
    await page.getByText('1 person').waitFor()
    await list(page)
      .getByRole('button', { name: /Fred Friend/ })
      .waitFor()
    const theirs = await visit(friend, '/settings/people')
    await theirs.getByText('Page not found').first().waitFor()
  })

  it('renders only a few rows of a list of 50,000 people at 320 and 1280 px', async () => {
    const { owner } = await team()
    const { members } = await owner.call('GET', '/users')
    const page = await (await openWindow(browser())).newPage()
    await page.addInitScript(ADD_MANY_PEOPLE_SCRIPT)
    await signInByCookie(page, owner)
    await load(page, owner, '/settings/people')
    const search = page.getByRole('searchbox', { name: 'Find by name or email' })
    for (const width of [320, 1280]) {
      await page.setViewportSize({ width, height: 800 })
      await search.fill('')
      await page.getByText(`50,${String(members.length).padStart(3, '0')} people`).waitFor()
      expect(await list(page).getByRole('listitem').count()).toBeLessThan(60)
      await list(page).evaluate((all) => all.scrollIntoView({ block: 'end' }))
      await list(page).getByText('Person 49999').waitFor()
      expect(await list(page).getByRole('listitem').count()).toBeLessThan(60)
      await search.fill('person 49998')
      await page.getByText('1 person', { exact: true }).waitFor()
      await list(page).getByText('Person 49998').waitFor()
    }
  })

  it('creates an account that can sign in with the given password', async () => {
    const { owner } = await team()
    const page = await visit(owner, '/settings/people')
    await page.getByRole('button', { name: 'Create account' }).press('Enter')
    const making = dialog(page, 'Create account')
    await making.getByLabel('Email address').fill('nina@example.com')
    await making.getByLabel('Name').fill('Nina New')
    await making.getByLabel('Password').fill('short')
    await page.keyboard.press('Enter')
    await making.getByRole('alert').waitFor()
    await making.getByLabel('Password').fill(PASSWORD)
    await page.keyboard.press('Enter')
    await dialog(page, 'Nina New').getByText('nina@example.com').waitFor()
    await page.keyboard.press('Escape')
    await list(page)
      .getByRole('button', { name: /Nina New/ })
      .waitFor()
    const { status } = await owner.try('POST', '/fetch_api_key', { username: 'nina@example.com', password: PASSWORD })
    expect(status).toBe(200)
  })

  it("edits a person's name, role, and profile, and deactivates and reactivates the person", async () => {
    const { owner, user } = await team()
    const person = await user('Gerd Gardener')
    const active = async (): Promise<number> =>
      (await owner.call('GET', '/users')).members.filter(({ is_active }) => is_active).length
    const { id } = await owner.call('POST', '/realm/profile_fields', {
      name: 'Desk',
      field_type: 1,
      editable_by_user: false,
    })
    const page = await visit(owner, '/settings/people')
    await list(page)
      .getByRole('button', { name: /Gerd Gardener/ })
      .click()
    const open = dialog(page, 'Gerd Gardener')
    const role = open.getByRole('combobox', { name: 'Role' })
    const savedRole = async () => (await fetchPerson(owner, person.id))['role']
    await role.selectOption('Owner')
    const question = dialog(page, 'Make owner')
    await question.getByText('Make Gerd Gardener an owner? Owners can change every setting').waitFor()
    await question.getByRole('button', { name: 'Cancel' }).click()
    expect([await role.inputValue(), await savedRole()]).toEqual(['400', 400])
    await role.selectOption('Owner')
    await question.getByRole('button', { name: 'Make owner' }).click()
    await open.getByText('Saved').waitFor()
    expect(await savedRole()).toBe(100)
    await page.keyboard.press('Escape')
    await page.keyboard.press('Control+z')
    await expect.poll(savedRole).toBe(400)
    await list(page)
      .getByRole('button', { name: /Gerd Gardener/ })
      .click()
    await role.selectOption('Moderator')
    await expect.poll(savedRole).toBe(300)
    await open.getByLabel('Desk').fill('By the window')
    await open.getByLabel('Desk').press('Enter')
    await expect
      .poll(async () => (await fetchPerson(owner, person.id))['profile_data'])
      .toMatchObject({ [String(id)]: { value: 'By the window' } })
    await open.getByLabel('Name').fill('Gerda Gardener')
    await open.getByLabel('Name').press('Enter')
    const renamed = dialog(page, 'Gerda Gardener')
    await renamed.getByRole('button', { name: 'Deactivate account' }).click()
    await dialog(page, 'Deactivate account').getByRole('button', { name: 'Deactivate account' }).click()
    await renamed.getByRole('button', { name: 'Reactivate account' }).waitFor()
    expect((await fetchPerson(owner, person.id))['is_active']).toBe(false)
    const toast = page.locator('.toast').filter({ hasText: 'Gerda Gardener deactivated' })
    // No Undo button, because undoing could not restore the revoked sessions and API keys.
    expect(await toast.getByRole('button').count()).toBe(1)
    await page.keyboard.press('Escape')
    await page.getByText(`${await active()} people`).waitFor()
    await page.getByRole('combobox', { name: 'Accounts' }).selectOption('Deactivated')
    await list(page)
      .getByRole('button', { name: /Gerda Gardener/ })
      .click()
    await renamed.getByRole('button', { name: 'Reactivate account' }).click()
    await renamed.getByRole('button', { name: 'Deactivate account' }).waitFor()
    expect((await fetchPerson(owner, person.id))['is_active']).toBe(true)
  })

  it('resets a password with a link that an admin copies if the server sends no email', async () => {
    const { owner, user } = await team()
    const friend = await user('Fay Forgetful')
    const page = await visit(owner, '/settings/people')
    await page.context().grantPermissions(['clipboard-read', 'clipboard-write'])
    await list(page)
      .getByRole('button', { name: /Fay Forgetful/ })
      .click()
    await dialog(page, 'Fay Forgetful').getByRole('button', { name: 'Copy password reset link' }).click()
    await page.getByText('Link copied').waitFor()
    expect(await accessibilityFaults(page)).toEqual([])
    const link = await page.evaluate(async () => navigator.clipboard.readText())
    const forgetful = await openStranger()
    await forgetful.goto(link)
    await forgetful.getByLabel('Password').fill('seven purple elephants')
    await forgetful.getByRole('button', { name: 'Save and sign in' }).click()
    await forgetful.getByRole('button', { name: /Fay Forgetful/ }).waitFor()
    expect((await friend.try('GET', '/users/me')).status).toBe(401)
  })

  it('lets only owners edit owners, and refuses to demote the last owner', async () => {
    const { owner, user } = await team()
    const administrator = await user('Ada Admin', { role: 200 })
    const page = await visit(administrator, '/settings/people')
    await list(page)
      .getByRole('button', { name: /Olivia Owner/ })
      .click()
    const open = dialog(page, 'Olivia Owner')
    await open.getByText('Only owners can change owners’ accounts.').waitFor()
    expect(await open.getByRole('combobox', { name: 'Role' }).isDisabled()).toBe(true)
    expect(await open.getByRole('button', { name: 'Deactivate account' }).count()).toBe(0)
    const own = await visit(owner, '/settings/people')
    await list(own)
      .getByRole('button', { name: /Olivia Owner/ })
      .click()
    await dialog(own, 'Olivia Owner').getByRole('combobox', { name: 'Role' }).selectOption('Member')
    await dialog(own, 'Olivia Owner').getByRole('alert').waitFor()
    await expect
      .poll(() => dialog(own, 'Olivia Owner').getByRole('combobox', { name: 'Role' }).inputValue())
      .toBe('100')
  })

  it('applies the defaults for new people only to new accounts', async () => {
    const { owner, friend, user } = await team()
    const page = await visit(owner, '/settings/new-people')
    await page.getByText('Changes apply only to accounts created afterward').waitFor()
    const sounds = page.getByRole('switch', { name: 'Sound for direct messages and mentions', exact: true })
    expect(await sounds.isChecked()).toBe(true)
    await sounds.click()
    await page.locator('#main').getByText('Saved', { exact: true }).waitFor()
    const size = page.getByRole('combobox', { name: 'Font size', exact: true })
    const before = await size.inputValue()
    await size.selectOption('20')
    await page.keyboard.press('Control+z')
    await expect.poll(() => size.inputValue()).toBe(before)
    const nina = await user('Nina New')
    expect(await fetchSoundSetting(nina)).toBe(false)
    for (const one of [owner, friend]) expect(await fetchSoundSetting(one)).toBe(true)
    const theirs = await visit(friend, '/settings/new-people')
    await theirs.getByText('Page not found').first().waitFor()
  })
})

async function fetchSoundSetting(user: TestUser): Promise<unknown> {
  const state = await user.call('POST', '/register', {
    fetch_event_types: ['user_settings'],
    client_capabilities: { user_settings_object: true },
  })
  return state.user_settings.enable_sounds
}
