import type { Page } from 'playwright-core'
import { describe, expect, it } from 'vitest'
import { accessibilityFaults, openAnotherTab, hasBrowser, load, openWindow, show, signInByCookie } from './browser.ts'
import { useTeam } from './shared.ts'
import { composer, list, say, type Team } from './team.ts'

const { browser, team, visit, makeTeam, openPage } = useTeam()

const profileCard = (page: Page) => page.getByRole('dialog', { name: 'Fred Friend' })
const sidebar = (page: Page) => page.getByRole('navigation', { name: 'Conversations' })

let topicNumber = 0

async function openNewTopic({ owner, friend, channelId }: Team): Promise<Page> {
  topicNumber += 1
  await say(friend, channelId, `beans ${topicNumber}`, `Ripe ${topicNumber}`)
  const page = await visit(owner, `/c/${channelId}/t/beans%20${topicNumber}`)
  await list(page).getByText(`Ripe ${topicNumber}`).waitFor()
  return page
}

const CAPABLE_OF_BLOCKS = { fetch_event_types: ['blocked_users'], client_capabilities: { blocked_users: true } }

const senderName = (page: Page) => list(page).getByRole('button', { name: /^Fred Friend’s profile/ })

async function createBlankPicture(page: Page): Promise<Buffer> {
  const base64 = await page.evaluate(() => {
    const canvas = Object.assign(document.createElement('canvas'), { width: 64, height: 64 })
    return canvas.toDataURL('image/png').split(',')[1] ?? ''
  })
  return Buffer.from(base64, 'base64')
}

describe.skipIf(!hasBrowser)('pictures of people', () => {
  it('shows initials, in any script, for people without a picture, and never copies them as text', async () => {
    const { owner, friend, user, channelId } = await team()
    for (const name of ['émile de la Tour', '王小明', '🌱 Sprout', 'Prince']) {
      const person = await user(name)
      await person.subscribe(['garden'])
      await say(person, channelId, 'initials', `By ${name}`)
    }
    const page = await visit(owner, `/c/${channelId}/t/initials`)
    await list(page).getByText('By Prince').waitFor()
    const shown = list(page).locator('.message-picture > .avatar')
    const drawn = (pictures: Element[]) => pictures.map((picture) => getComputedStyle(picture, '::before').content)
    expect(await shown.evaluateAll(drawn)).toEqual(['"ÉT"', '"王"', '"S"', '"P"'])
    expect(await shown.allTextContents()).toEqual(['', '', '', ''])

    await friend.call('POST', '/messages', { type: 'direct', to: [owner.id, (await user('Ann')).id], content: 'Three' })
    const inbox = (await visit(owner, '/inbox')).getByRole('main')
    await inbox.getByText('Three').waitFor()
    expect((await inbox.locator('.avatar-pair > .avatar').evaluateAll(drawn)).toSorted()).toEqual(['"A"', '"F"'])
  })
})

describe.skipIf(!hasBrowser)('profile card', () => {
  it("opens the profile card by keyboard and from the sender's picture, without covering the message", async () => {
    const all = await team()
    const { id } = await all.owner.call('POST', '/realm/profile_fields', { name: 'Bicycle', field_type: 1 })
    await all.friend.call('PATCH', '/users/me/profile_data', { data: [{ id, value: 'Red one' }] })
    await all.friend.call('PATCH', '/settings', { timezone: 'Asia/Kathmandu' })
    const page = await openNewTopic(all)
    await senderName(page).focus()
    await page.keyboard.press('Enter')
    await profileCard(page).getByText('Member').waitFor()
    await profileCard(page).getByText('Red one').waitFor()
    await profileCard(page).getByText('Local time').waitFor()
    await profileCard(page).getByRole('link', { name: 'garden' }).waitFor()
    const [card, message] = [profileCard(page), list(page).getByRole('article')]
    const { y = 0, height = 0 } = (await card.boundingBox()) ?? {}
    expect(y + height).toBeLessThanOrEqual((await message.boundingBox())?.y ?? 0)
    expect(await accessibilityFaults(page)).toEqual([])
    await page.keyboard.press('Escape')
    await profileCard(page).waitFor({ state: 'hidden' })
    expect(await senderName(page).evaluate((element) => element === document.activeElement)).toBe(true)
    await list(page).getByRole('button', { name: 'Picture of Fred Friend' }).first().click()
    await profileCard(page).getByText('Member').waitFor()
  })

  it('finds the messages of one of two people with the same name', async () => {
    const all = await makeTeam()
    const other = await all.user('Fred Friend')
    await other.call('POST', '/users/me/subscriptions', { subscriptions: [{ name: 'garden' }] })
    await say(other, all.channelId, 'weeds', 'A weed')
    await say(all.friend, all.channelId, 'beans', 'Ripe')
    const page = await openPage(all.owner, `/c/${all.channelId}/t/beans`)
    await senderName(page).click()
    await profileCard(page).getByRole('button', { name: 'Find their messages' }).click()
    const found = page.getByRole('region', { name: 'Messages' })
    await found.getByText('Ripe').waitFor()
    await page.getByRole('main').getByText('1 result', { exact: true }).waitFor()
    await show(page, `/c/${all.channelId}/t/weeds`)
    await list(page).getByText('A weed').waitFor()
    await senderName(page).click()
    await profileCard(page).getByRole('button', { name: 'Find their messages' }).click()
    await found.getByText('A weed').waitFor()
    expect(await found.getByText('Ripe').count()).toBe(0)
  })

  it('opens the profile card on hover without moving the focus, and closes it on Escape or mouse leave', async () => {
    const page = await openNewTopic(await team())
    await composer(page).focus()
    await senderName(page).hover()
    await profileCard(page).waitFor()
    await profileCard(page).getByRole('button', { name: 'Mute' }).hover()
    expect(await composer(page).evaluate((element) => element === document.activeElement)).toBe(true)
    await page.mouse.move(5, 5)
    await profileCard(page).waitFor({ state: 'hidden' })
    await senderName(page).hover()
    await profileCard(page).waitFor()
    await page.keyboard.press('Escape')
    await profileCard(page).waitFor({ state: 'hidden' })
  })

  it('mutes and mentions a person from the profile card, and undoes muting', async () => {
    const all = await team()
    const page = await openNewTopic(all)
    await senderName(page).click()
    await profileCard(page).getByRole('button', { name: 'Mute' }).click()
    const isMuted = async (): Promise<boolean> => {
      const state = await all.owner.call('POST', '/register', { fetch_event_types: ['muted_users'] })
      return state.muted_users.length > 0
    }
    await page.getByText('Fred Friend muted').waitFor()
    expect(await isMuted()).toBe(true)
    await page.getByRole('button', { name: 'Undo' }).click()
    await expect.poll(isMuted).toBe(false)
    await senderName(page).click()
    await profileCard(page).getByRole('button', { name: 'Mention' }).click()
    await expect.poll(() => composer(page).inputValue()).toContain('@**Fred Friend')
  })

  it('blocks and unblocks a person from the profile card, the composer, and settings, and undoes blocking', async () => {
    const all = await team()
    const page = await openNewTopic(all)
    const blocked = async (): Promise<readonly number[] | undefined> =>
      (await all.owner.call('POST', '/register', CAPABLE_OF_BLOCKS)).blocked_users
    await senderName(page).click()
    await profileCard(page).getByRole('button', { name: 'Block' }).click()
    await page.getByText('Fred Friend blocked').waitFor()
    expect(await blocked()).toEqual([all.friend.id])
    await page.getByRole('button', { name: 'Undo' }).click()
    await expect.poll(blocked).toEqual([])
    await all.owner.call('POST', `/users/me/blocked_users/${all.friend.id}`)
    await show(page, `/dm/${all.friend.id}`)
    const warnings = page.getByRole('list', { name: 'Before you send' })
    await warnings.getByText('You blocked Fred Friend. Unblock them to send direct messages.').waitFor()
    await warnings.getByRole('button', { name: 'Unblock' }).click()
    await expect.poll(() => warnings.count()).toBe(0)
    await all.owner.call('POST', `/users/me/blocked_users/${all.friend.id}`)
    await show(page, '/settings/blocked')
    await page.getByRole('button', { name: 'Unblock Fred Friend' }).click()
    await page.getByText('You haven’t blocked anyone').waitFor()
    expect(await blocked()).toEqual([])
  })

  it('opens the profile card from a mention, and hides actions that are not permitted', async () => {
    const all = await team()
    await all.owner.call('POST', '/messages', {
      type: 'channel',
      to: all.channelId,
      topic: 'beans',
      content: '@**Fred Friend** look',
    })
    const { system } = await fetchSystemGroupIds(all)
    const letWrite = async (group: string): Promise<unknown> =>
      all.owner.call('PATCH', '/realm', { direct_message_permission_group: { new: system(group) } })
    await letWrite('role:nobody')
    const page = await visit(all.owner, `/c/${all.channelId}/t/beans`)
    await list(page).getByRole('button', { name: '@Fred Friend' }).press('Enter')
    await profileCard(page).getByRole('button', { name: 'Mute' }).waitFor()
    const write = profileCard(page).getByRole('button', { name: 'Send direct message' })
    await expect.poll(() => write.count()).toBe(0)
    await letWrite('role:everyone')
    await expect.poll(() => write.count()).toBe(1)
    await page.keyboard.press('Escape')
    await list(page).getByRole('button', { name: 'Olivia Owner’s profile' }).press('Enter')
    const own = page.getByRole('dialog', { name: 'Olivia Owner' })
    await own.getByRole('button', { name: 'Copy link' }).waitFor()
    expect(await own.getByRole('button', { name: 'Find their messages' }).count()).toBe(0)
    await all.friend.call('POST', '/messages', { type: 'direct', to: [all.owner.id], content: 'Hello' })
    await show(page, `/dm/${all.friend.id}`)
    await senderName(page).press('Enter')
    await profileCard(page).getByRole('button', { name: 'Find their messages' }).waitFor()
    expect(await write.count()).toBe(0)
    await page.keyboard.press('Escape')
    await list(page).getByRole('article').filter({ hasText: 'Hello' }).press('Shift+F10')
    await page.getByRole('menuitem', { name: 'Forward' }).waitFor()
    expect(await page.getByRole('menuitem', { name: 'Reply in DM' }).count()).toBe(0)
  })
})

async function fetchSystemGroupIds({ owner }: Team): Promise<{ system: (name: string) => number }> {
  const { user_groups } = await owner.call('GET', '/user_groups')
  return { system: (name) => user_groups.find((group) => group.name === name)?.id ?? 0 }
}

describe.skipIf(!hasBrowser)('profile and status', () => {
  it('shows a status to other people until it expires', async () => {
    const all = await team()
    await all.friend.call('POST', '/messages', { type: 'direct', to: [all.owner.id], content: 'Hello' })
    const page = await visit(all.friend)
    await sidebar(page)
      .getByRole('button', { name: /Fred Friend/ })
      .click()
    await page.getByRole('menuitem', { name: 'Set status' }).click()
    await page.getByRole('button', { name: 'On vacation' }).click()
    const until = page.getByLabel('Clear after')
    expect(await until.locator(':checked').textContent()).toBe('Never')
    await until.selectOption('Choose date and time…')
    await page.getByLabel('Date and time', { exact: true }).fill('2096-12-20T09:00')
    await page.getByRole('button', { name: 'Choose time' }).click()
    await expect.poll(async () => until.locator(':checked').textContent()).toMatch(/Dec 20, 2096/)
    await page.getByRole('button', { name: 'Save' }).click()
    await page.getByRole('dialog').waitFor({ state: 'hidden' })
    const others = await openNewTopic(all)
    await senderName(others).click()
    await profileCard(others).getByText('On vacation').waitFor()
    // Lets the status expire.
    await all.friend.call('PATCH', '/preferences', { preferences: { 'web.statusUntil': '1' } })
    await page.reload()
    await profileCard(others).getByText('On vacation').waitFor({ state: 'hidden' })
    expect((await all.owner.call('GET', `/users/${all.friend.id}/status`))['status']).toEqual({})
  })

  it('restores the former status, with its expiry, when a cleared status is undone', async () => {
    const all = await team()
    const person = await all.user('Una Undone')
    await person.call('POST', '/users/me/status', { status_text: 'Commuting' })
    await person.call('PATCH', '/preferences', { preferences: { 'web.statusUntil': '4000000000' } })
    const page = await visit(person)
    await sidebar(page)
      .getByRole('button', { name: /Una Undone/ })
      .click()
    await page.getByRole('menuitem', { name: 'Clear status' }).click()
    const cleared = page.getByRole('status').filter({ hasText: 'Status cleared' })
    await cleared.waitFor()
    const fetchStatus = async () => (await all.owner.call('GET', `/users/${person.id}/status`))['status']
    expect(await fetchStatus()).toEqual({})
    await cleared.getByRole('button', { name: 'Undo' }).click()
    await page.getByText('Undone: Status cleared').waitFor()
    expect(await fetchStatus()).toEqual({ status_text: 'Commuting' })
    const { preferences } = await person.call('GET', '/preferences')
    expect(preferences['web.statusUntil']).toBe('4000000000')
  })

  it('clears an expired status from only one tab, and silently retries until the status is cleared', async () => {
    const all = await team()
    const person = await all.user('Sam Status')
    const context = await openWindow(browser())
    await context.clock.install()
    const tab = await context.newPage()
    await signInByCookie(tab, person)
    await load(tab, person, '/inbox')
    await context.route('**/users/me/status', async (route) => route.abort())
    const other = await openAnotherTab(tab, '/inbox')
    const asked: Page[] = []
    for (const page of [tab, other])
      page.on('requestfailed', (request) => void (request.url().endsWith('/users/me/status') && asked.push(page)))
    await person.call('POST', '/users/me/status', { status_text: 'On vacation' })
    await person.call('PATCH', '/preferences', { preferences: { 'web.statusUntil': '1' } })
    await expect
      .poll(async () => {
        await tab.clock.fastForward(20_000)
        await other.clock.fastForward(20_000)
        return asked.length
      })
      .toBeGreaterThan(2)
    expect(new Set(asked)).toEqual(new Set([tab]))
    expect(await tab.getByText('Can’t reach the server. Check your connection.').count()).toBe(0)
    await context.unroute('**/users/me/status')
    const status = async (): Promise<unknown> => (await all.owner.call('GET', `/users/${person.id}/status`))['status']
    await expect
      .poll(async () => {
        await tab.clock.fastForward(20_000)
        return status()
      })
      .toEqual({})
  })

  it('saves a date typed in a profile field only once, and reverts a choice that the server refuses', async () => {
    const all = await team()
    const { id } = await all.owner.call('POST', '/realm/profile_fields', { name: 'Birthday', field_type: 4 })
    await all.owner.call('POST', '/realm/profile_fields', {
      name: 'Bed',
      field_type: 3,
      field_data: { '0': { text: 'Sunny', order: '1' }, '1': { text: 'Shady', order: '2' } },
    })
    const page = await visit(all.friend, '/settings/profile')
    let sent = 0
    page.on('request', (request) => {
      if (request.url().endsWith('/users/me/profile_data')) sent += 1
    })
    const day = page.getByLabel('Birthday', { exact: true })
    await day.focus()
    await page.keyboard.type('03042001')
    await page.keyboard.press('Enter')
    const birthday = async (): Promise<unknown> => {
      const { user } = await all.owner.call('GET', `/users/${all.friend.id}`, { include_custom_profile_fields: true })
      return user.profile_data?.[String(id)]?.value
    }
    await expect.poll(birthday).toBe('2001-03-04')
    expect(sent).toBe(1)
    await page.route('**/users/me/profile_data', async (route) =>
      route.fulfill({ status: 400, json: { result: 'error', code: 'BAD_REQUEST', msg: 'Not today.' } }),
    )
    const bed = page.getByRole('combobox', { name: 'Bed' })
    await bed.selectOption('Shady')
    await page.getByRole('alert').getByText('Not today.').waitFor()
    expect(await bed.inputValue()).toBe('')
  })

  it('keeps the focus in a profile field while people are chosen for it', async () => {
    const all = await team()
    const { id } = await all.owner.call('POST', '/realm/profile_fields', { name: 'Mentor', field_type: 6 })
    const page = await visit(all.friend, '/settings/profile')
    const field = page.getByRole('searchbox', { name: 'Mentor' })
    const hasFocus = async (): Promise<boolean> => field.evaluate((element) => element === document.activeElement)
    const mentors = async (): Promise<unknown> => {
      const { user } = await all.owner.call('GET', `/users/${all.friend.id}`, { include_custom_profile_fields: true })
      return user.profile_data?.[String(id)]?.value
    }
    const chosen = page.getByRole('list', { name: /selected/ }).getByRole('button')
    const names = (await all.owner.call('GET', '/users')).members
    const owner = names.find(({ user_id: userId }) => userId === all.owner.id)?.full_name ?? ''
    await field.fill(owner)
    await page.keyboard.press('Enter')
    await field.fill('Fred')
    await page.getByRole('button', { name: 'Fred Friend', exact: true }).last().click()
    await expect.poll(mentors).toBe(JSON.stringify([all.owner.id, all.friend.id]))
    expect(await hasFocus()).toBe(true)
    await chosen.filter({ hasText: owner }).click()
    await expect.poll(mentors).toBe(JSON.stringify([all.friend.id]))
    expect(await hasFocus()).toBe(true)
    await page.route('**/users/me/profile_data', async (route) =>
      route.fulfill({ status: 400, json: { result: 'error', code: 'BAD_REQUEST', msg: 'Not today.' } }),
    )
    await chosen.click()
    await page.getByText('Not today.').waitFor()
    expect(await chosen.count()).toBe(1)
  })

  it('shows people as active unless they chose to appear offline', async () => {
    const all = await team()
    const person = await all.user('Pia Present')
    await person.call('POST', '/messages', { type: 'direct', to: [all.owner.id], content: 'Hello' })
    const page = await visit(all.owner)
    await sidebar(page)
      .getByRole('link', { name: /^Pia Present ?1 unread message$/ })
      .waitFor()
    const theirs = await openPage(person)
    await sidebar(page)
      .getByRole('link', { name: /Pia Present ?, active/ })
      .waitFor()
    await sidebar(theirs)
      .getByRole('button', { name: /Pia Present/ })
      .click()
    await theirs.getByRole('menuitem', { name: 'Appear offline' }).click()
    await expect
      .poll(async () => {
        const { presences } = await all.owner.call('POST', '/register', {
          fetch_event_types: ['presence'],
          slim_presence: true,
        })
        return Object.keys(presences)
      })
      .not.toContain(String(person.id))
  })

  it('labels guests in messages and lists if the organization enables guest labels', async () => {
    const all = await team()
    const guest = await all.user('Gus Visitor', { role: 600 })
    await all.owner.call('POST', '/users/me/subscriptions', {
      subscriptions: [{ name: 'garden' }],
      principals: [guest.id],
    })
    await say(guest, all.channelId, 'onions', 'From outside')
    await say(all.friend, all.channelId, 'onions', 'From inside')
    await guest.call('POST', '/messages', { type: 'direct', to: [all.owner.id], content: 'Hello' })
    const page = await visit(all.owner, `/c/${all.channelId}/t/onions`)
    const row = (text: string) => page.getByRole('article').filter({ hasText: text })
    await row('From outside').getByText('Guest', { exact: true }).waitFor()
    expect(await row('From inside').getByText('Guest', { exact: true }).count()).toBe(0)
    await sidebar(page)
      .getByRole('link', { name: /Gus Visitor.*Guest/ })
      .waitFor()
    await all.owner.call('PATCH', '/realm', { enable_guest_user_indicator: false })
    await row('From outside').getByText('Guest', { exact: true }).waitFor({ state: 'detached' })
    await all.owner.call('PATCH', '/realm', { enable_guest_user_indicator: true })
    await row('From outside').getByText('Guest', { exact: true }).waitFor()
    await all.owner.call('PATCH', `/users/${guest.id}`, { role: 400 })
    await row('From outside').getByText('Guest', { exact: true }).waitFor({ state: 'detached' })
  })

  it('edits name, picture, and profile fields, and shows refusals inline', async () => {
    const all = await team()
    const { id } = await all.owner.call('POST', '/realm/profile_fields', { name: 'Home page', field_type: 5 })
    const page = await visit(all.friend, '/settings/profile')
    const name = page.getByRole('textbox', { name: 'Name', exact: true })
    await name.fill('Frederik Friend')
    await name.press('Enter')
    await sidebar(page).getByText('Frederik Friend').waitFor()
    const home = page.getByRole('textbox', { name: 'Home page' })
    await home.fill('no address')
    await home.press('Enter')
    await page.getByRole('alert').waitFor()
    await home.fill('https://example.com/')
    await home.press('Enter')
    await page.getByRole('alert').waitFor({ state: 'hidden' })
    const profile = async (): Promise<unknown> => {
      const { user } = await all.owner.call('GET', `/users/${all.friend.id}`, { include_custom_profile_fields: true })
      return user.profile_data?.[String(id)]?.value
    }
    await expect.poll(profile).toBe('https://example.com/')
    const buffer = await createBlankPicture(page)
    const chooser = page.getByLabel('Upload picture').first()
    await chooser.setInputFiles({ name: 'me.png', mimeType: 'image/png', buffer: Buffer.from('no picture') })
    await page.getByRole('alert').waitFor()
    await chooser.setInputFiles({ name: 'me.png', mimeType: 'image/png', buffer })
    await page.getByRole('dialog').getByRole('button', { name: 'Use picture' }).click()
    await page.getByRole('button', { name: 'Remove picture' }).click()
    await page.getByRole('button', { name: 'Remove picture' }).waitFor({ state: 'hidden' })
    expect(await accessibilityFaults(page)).toEqual([])
    await all.owner.call('PATCH', '/realm', { name_changes_disabled: true })
    await page.getByText('Only admins can change names.').waitFor()
    expect(await name.isEditable()).toBe(false)
  })
})
