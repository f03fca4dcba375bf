import type { Page } from 'playwright-core'
import { describe, expect, it } from 'vitest'
import { CONFIRMATION_VALIDITY_SECONDS } from '../../server/src/capabilities/sessions/contract.ts'
import { ageSessions } from '../../server/src/testing/age.ts'
import { accessibilityFaults, hasBrowser } from './browser.ts'
import { useTeam } from './shared.ts'
import { PASSWORD, createTeamOn } from './team.ts'

const { server, team, visit } = useTeam({}, async (started) => createTeamOn(started, { password: PASSWORD }))

const list = (page: Page) => page.getByRole('list', { name: 'Bots' })
const dialog = (page: Page, name: string) => page.getByRole('dialog', { name, exact: true })

/** Script that returns everything in the browser's IndexedDB as JSON. */
const READ_INDEXED_DB_SCRIPT = `(async () => {
  const found = (request) =>
    new Promise((resolve) => request.addEventListener('success', () => resolve(request.result)))
  const database = await found(indexedDB.open('parley'))
  const names = [...database.objectStoreNames]
  const all = names.map((name) => found(database.transaction(name).objectStore(name).getAll()))
  const kept = await Promise.all(all)
  database.close()
  return JSON.stringify(kept)
})()`

describe.skipIf(!hasBrowser)('bots', () => {
  it('creates a bot by keyboard, shows its API key, and replaces the key', async () => {
    const { owner, friend } = await team()
    const page = await visit(friend, '/settings/bots')
    await page.getByText('No bots yet').waitFor()
    await page.getByRole('button', { name: 'Create bot' }).press('Enter')
    const making = dialog(page, 'Create bot')
    await making.getByLabel(/^Name/).fill('Water Bot')
    await making.getByRole('textbox', { name: /^Username for the email address/ }).fill('water')
    await making.getByText(/^The program signs in as water-bot@/).waitFor()
    await page.keyboard.press('Enter')
    const open = dialog(page, 'Water Bot')
    await open.getByRole('button', { name: 'Show API key' }).click()
    const { bots } = await friend.call('GET', '/bots')
    const [bot] = bots
    await open.getByText(bot?.api_key ?? '', { exact: true }).waitFor()
    expect(await accessibilityFaults(page)).toEqual([])
    await open.getByRole('button', { name: 'Create new API key' }).click()
    await dialog(page, 'Create new API key').getByRole('button', { name: 'Create new API key' }).click()
    await expect.poll(() => open.getByText(bot?.api_key ?? '', { exact: true }).count()).toBe(0)
    const { api_key } = await friend.call('GET', `/bots/${bot?.user_id}/api_key`)
    await open.getByText(String(api_key), { exact: true }).waitFor()
    // The browser stores the client's state, which must not contain the key.
    const kept = await page.evaluate(READ_INDEXED_DB_SCRIPT)
    expect(kept).not.toContain(String(api_key))
    await open.getByLabel('Name').fill('Watering Bot')
    await open.getByLabel('Name').press('Enter')
    await dialog(page, 'Watering Bot').waitFor()
    expect((await owner.call('GET', `/users/${bot?.user_id}`))['user']).toMatchObject({ full_name: 'Watering Bot' })
  })

  it('lets an admin change the owner of any bot, and deactivate and reactivate bots', async () => {
    const { owner, friend, user } = await team()
    const bot = await user('Water Bot', { bot: { ownerId: friend.id } })
    const page = await visit(owner, '/settings/bots')
    await page.getByText('No bots yet').waitFor()
    await page.getByRole('combobox', { name: 'Bots to show' }).selectOption('All bots')
    await list(page)
      .getByRole('button', { name: /Water Bot/ })
      .click()
    const open = dialog(page, 'Water Bot')
    await open.getByRole('searchbox', { name: 'Change owner' }).fill('Olivia')
    await open.getByRole('button', { name: 'Olivia Owner' }).click()
    await page.getByText('Owner of Water Bot changed to Olivia Owner').waitFor()
    expect((await owner.call('GET', `/users/${bot.id}`))['user']).toMatchObject({ bot_owner_id: owner.id })
    await open.getByRole('button', { name: 'Deactivate bot' }).click()
    await dialog(page, 'Deactivate bot').getByRole('button', { name: 'Deactivate bot' }).click()
    await open.getByRole('button', { name: 'Reactivate bot' }).click()
    await open.getByRole('button', { name: 'Deactivate bot' }).waitFor()
    expect((await owner.call('GET', `/users/${bot.id}`))['user']).toMatchObject({ is_active: true })
  })

  it('creates an outgoing webhook bot, and shows and changes its URL', async () => {
    const { owner, friend } = await team()
    const page = await visit(friend, '/settings/bots')
    await page.getByRole('button', { name: 'Create bot' }).click()
    const making = dialog(page, 'Create bot')
    await making.getByLabel(/^Name/).fill('Answer Bot')
    await making.getByRole('textbox', { name: /^Username for the email address/ }).fill('answer')
    await making.getByLabel('Access').selectOption('Reply to messages through an outgoing webhook')
    const url = making.getByLabel('Webhook URL')
    await url.fill('http://127.0.0.1/hook')
    await making.getByRole('button', { name: 'Create bot' }).click()
    await making
      .getByRole('alert')
      .getByText(/does not lead to a server on the internet/)
      .waitFor()
    const made = async () =>
      (await friend.call('GET', '/bots')).bots.filter(({ full_name: name }) => name === 'Answer Bot')
    expect(await made()).toEqual([])
    await url.fill('https://answers.example.org/hook')
    await making.getByLabel('Format').selectOption('Slack’s format')
    await making.getByRole('button', { name: 'Create bot' }).click()
    const open = dialog(page, 'Answer Bot')
    await open.getByRole('button', { name: 'Show webhook' }).click()
    const address = open.getByRole('textbox', { name: 'Webhook URL' })
    await expect.poll(() => address.inputValue()).toBe('https://answers.example.org/hook')
    const [bot] = await made()
    const service = async () => (await owner.call('GET', `/bots/${bot?.user_id ?? 0}/service`)).service
    const { token, ...rest } = await service()
    expect(rest).toEqual({ base_url: 'https://answers.example.org/hook', interface: 2 })
    await open.getByRole('button', { name: 'Show secret' }).click()
    await open.getByText(token, { exact: true }).waitFor()
    expect(await accessibilityFaults(page)).toEqual([])
    await open.getByRole('button', { name: 'Create new secret' }).click()
    const sure = dialog(page, 'Create new secret')
    await sure.getByRole('button', { name: 'Create new secret' }).click()
    await expect.poll(async () => (await service())['token']).not.toBe(token)
    await open.getByText((await service()).token, { exact: true }).waitFor()
    await address.fill('https://other.example.org/')
    await address.press('Enter')
    await expect.poll(async () => (await service())['base_url']).toBe('https://other.example.org/')
    expect((await service())['interface']).toBe(2)
    await open.getByLabel('Format').selectOption('This server’s format')
    await expect.poll(async () => (await service())['interface']).toBe(1)
    await address.fill('http://[::1]/')
    await address.press('Enter')
    await open
      .getByRole('alert')
      .getByText(/does not lead to a server on the internet/)
      .waitFor()
    expect(await page.evaluate(READ_INDEXED_DB_SCRIPT)).not.toContain((await service()).token)
  })

  it('moves the focus to the next field after a paused webhook is resumed', async () => {
    const { owner } = await team()
    const payload_url = 'https://hooks.example.org/paused'
    await owner.call('POST', '/bots', { full_name: 'Paused Bot', short_name: 'paused', bot_type: 3, payload_url })
    const page = await visit(owner, '/settings/bots')
    let isPaused = true
    const service = { base_url: payload_url, token: 'secret', interface: 1 }
    await page.route('**/api/v1/bots/*/service', async (route) =>
      route.fulfill({ json: { result: 'success', msg: '', service, is_paused: isPaused } }),
    )
    await list(page)
      .getByRole('button', { name: /Paused Bot/ })
      .click()
    const open = dialog(page, 'Paused Bot')
    await open.getByRole('button', { name: 'Show webhook' }).click()
    const resume = open.getByRole('button', { name: 'Resume with this URL' })
    await resume.waitFor()
    isPaused = false
    await resume.press('Enter')
    await resume.waitFor({ state: 'detached' })
    const format = open.getByLabel('Format')
    await expect.poll(() => format.evaluate((field) => field === document.activeElement)).toBe(true)
    await page.unroute('**/api/v1/bots/*/service')
  })

  it('adds, changes, and removes commands of an outgoing webhook bot, and explains why one was refused', async () => {
    const { owner } = await team()
    const payload_url = 'https://hooks.example.org/commands'
    const input = { full_name: 'Ship Bot', short_name: 'ship', bot_type: 3, payload_url }
    const { user_id: id } = await owner.call('POST', '/bots', input)
    const saved = async () =>
      (await owner.call('GET', `/bots/${id}/commands`)).commands.map(({ name, description, argument_hint: hint }) =>
        [name, description, hint].join('|'),
      )
    const page = await visit(owner, '/settings/bots')
    await list(page)
      .getByRole('button', { name: /Ship Bot/ })
      .click()
    const section = dialog(page, 'Ship Bot').getByRole('group', { name: 'Commands' })
    const add = section.getByRole('button', { name: 'Add command' })
    await add.press('Enter')
    const adding = section.getByRole('form', { name: 'New command' })
    await page.keyboard.type('/poll')
    await page.keyboard.press('Tab')
    await page.keyboard.type('Deploy a service')
    await adding.getByRole('textbox', { name: /^Usage hint/ }).fill('[service]')
    await page.keyboard.press('Enter')
    await adding.getByRole('alert').getByText('The command /poll is built in.').waitFor()
    expect(await accessibilityFaults(page)).toEqual([])
    await adding.getByRole('textbox', { name: 'Command' }).fill('/deploy')
    await page.keyboard.press('Enter')
    await section.getByText('/deploy', { exact: true }).waitFor()
    await expect.poll(() => add.evaluate((button) => button === document.activeElement)).toBe(true)
    expect(await saved()).toEqual(['deploy|Deploy a service|[service]'])
    const edit = section.getByRole('button', { name: 'Edit /deploy' })
    await edit.press('Enter')
    await page.keyboard.press('Escape')
    await expect.poll(() => edit.evaluate((button) => button === document.activeElement)).toBe(true)
    await page.keyboard.press('Enter')
    await page.keyboard.type('ment')
    await section.getByRole('textbox', { name: 'Description' }).fill('Deploy it')
    await page.keyboard.press('Enter')
    await section.getByText('Deploy it', { exact: true }).waitFor()
    expect(await saved()).toEqual(['deployment|Deploy it|[service]'])
    await section.getByRole('button', { name: 'Remove /deployment' }).press('Enter')
    await section.getByText('/deployment', { exact: true }).waitFor({ state: 'detached' })
    expect(await saved()).toEqual([])
    await expect.poll(() => add.evaluate((button) => button === document.activeElement)).toBe(true)
    await page.keyboard.press('Escape')
    await page.keyboard.press('Control+z')
    await expect.poll(saved).toEqual(['deployment|Deploy it|[service]'])
  })

  it('asks once for a password for two concurrent requests, and allows Undo after a canceled prompt', async () => {
    const { id, owner } = await team()
    const payload_url = 'https://hooks.example.org/hook'
    const more = { full_name: 'Hook Bot', short_name: 'hook', bot_type: 3, payload_url }
    const { api_key, user_id } = await owner.call('POST', '/bots', more)
    const page = await visit(owner, '/settings/bots')
    const confirming = dialog(page, 'Confirm that it’s you')
    const confirm = async (): Promise<void> => {
      await confirming.getByLabel('Password').fill(PASSWORD)
      await confirming.getByRole('button', { name: 'Confirm' }).click()
    }
    await ageSessions(server().database, id, owner.id, CONFIRMATION_VALIDITY_SECONDS)
    await list(page)
      .getByRole('button', { name: /Hook Bot/ })
      .click()
    const open = dialog(page, 'Hook Bot')
    const showBoth = async (): Promise<void> =>
      open.getByRole('button', { name: /^Show (?:API key|webhook)$/ }).evaluateAll((buttons) => {
        for (const button of buttons) if (button instanceof HTMLElement) button.click()
      })
    await showBoth()
    await confirming.getByRole('button', { name: 'Cancel' }).click()
    await expect.poll(() => open.getByRole('alert').filter({ hasText: 'Confirm your identity.' }).count()).toBe(2)
    expect(await accessibilityFaults(page)).toEqual([])
    await showBoth()
    await confirm()
    await open.getByText(api_key, { exact: true }).waitFor()
    await expect.poll(() => open.getByRole('textbox', { name: 'Webhook URL' }).inputValue()).toBe(payload_url)
    expect(await confirming.count()).toBe(0)
    await expect.poll(() => page.evaluate(() => document.activeElement?.ariaLabel)).toBe('Outgoing webhook')
    await open.getByRole('button', { name: 'Deactivate bot' }).click()
    await dialog(page, 'Deactivate bot').getByRole('button', { name: 'Deactivate bot' }).click()
    await open.getByRole('button', { name: 'Reactivate bot' }).waitFor()
    await page.keyboard.press('Escape')
    await ageSessions(server().database, id, owner.id, CONFIRMATION_VALIDITY_SECONDS)
    await page.keyboard.press('Control+z')
    await confirming.getByRole('button', { name: 'Cancel' }).click()
    await page.getByText('Couldn’t undo: Hook Bot deactivated. Confirm your identity.').waitFor()
    await page.keyboard.press('Control+z')
    await confirm()
    await page.getByText('Undone: Hook Bot deactivated').waitFor()
    expect((await owner.call('GET', `/users/${user_id}`))['user']).toMatchObject({ is_active: true })
  })

  it('offers only the kinds of bots that a person can create', async () => {
    const { owner, friend } = await team()
    const { user_groups } = await owner.call('GET', '/user_groups')
    const nobody = user_groups.find(({ name }) => name === 'role:nobody')?.id
    const page = await visit(friend, '/settings/bots')
    await page.getByRole('button', { name: 'Create bot' }).waitFor()
    await owner.call('PATCH', '/realm', { can_create_bots_group: { new: nobody } })
    await page.getByRole('button', { name: 'Create bot' }).click()
    const kinds = dialog(page, 'Create bot').getByLabel('Access')
    expect(await kinds.locator('option').allTextContents()).toEqual(['Send messages only'])
    await page.keyboard.press('Escape')
    await owner.call('PATCH', '/realm', { can_create_write_only_bots_group: { new: nobody } })
    await page.getByText('You can’t create bots here.').waitFor()
    expect(await page.getByRole('button', { name: 'Create bot' }).count()).toBe(0)
  })
})
