import type { Page } from 'playwright-core'
import { describe, expect, it } from 'vitest'
import type { TestUser } from '../../server/src/testing/user.ts'
import { accessibilityFaults, hasBrowser, openAs } from './browser.ts'
import { useTeam } from './shared.ts'
import { createChannel, createTeamOn } from './team.ts'

const { server, browser, team, visit } = useTeam({ PARLEY_WEB_PUBLIC_CHANNELS: '1' })

const dialog = (page: Page, name: string) => page.getByRole('dialog', { name })

async function chooseChannelAction(page: Page, item: string): Promise<void> {
  await page.getByRole('main').getByRole('button', { name: 'More', exact: true }).click()
  await page.getByRole('menuitem', { name: item }).click()
}

describe.skipIf(!hasBrowser)('channel creation', () => {
  it('creates a private channel with chosen people and groups by keyboard', async () => {
    const { owner, friend, user } = await team()
    const gardener = await user('Greta Gardener')
    await owner.call('POST', '/user_groups/create', { name: 'growers', description: '', members: [gardener.id] })
    const page = await visit(owner, '/channels')
    await page.getByRole('button', { name: 'Create channel' }).press('Enter')
    const form = dialog(page, 'Create channel')
    await form.getByRole('textbox', { name: 'Name' }).waitFor()
    await page.keyboard.type('shed')
    await page.keyboard.press('Tab')
    await page.keyboard.type('Tools')
    await form.getByRole('radio', { name: /^Private: .* only new messages/ }).press(' ')
    const search = form.getByRole('searchbox', { name: 'Find a person to add' })
    await search.fill('fred')
    await search.press('Enter')
    await search.fill('grow')
    await search.press('Enter')
    await form.getByRole('button', { name: 'Remove Greta Gardener' }).waitFor()
    expect(await accessibilityFaults(page)).toEqual([])
    await form.getByRole('button', { name: 'Create channel' }).press('Enter')
    await page.getByRole('heading', { name: /shed/, level: 1 }).waitFor()
    const { stream_id } = await owner.call('GET', '/get_stream_id', { stream: 'shed' })
    const { stream } = await owner.call('GET', `/streams/${String(stream_id)}`)
    expect(stream).toMatchObject({ invite_only: true, history_public_to_subscribers: false, description: 'Tools' })
    const { subscribers } = await owner.call('GET', `/streams/${String(stream_id)}/members`)
    expect(new Set(subscribers)).toEqual(new Set([owner.id, friend.id, gardener.id]))
  })

  it('shows in the form why a channel is refused, and keeps the input', async () => {
    const { owner } = await team()
    const page = await visit(owner, '/channels')
    await page.getByRole('button', { name: 'Create channel' }).click()
    const form = dialog(page, 'Create channel')
    await form.getByRole('textbox', { name: 'Name' }).fill('garden')
    await form.getByRole('button', { name: 'Create channel' }).click()
    await form.getByRole('alert').waitFor()
    expect(await form.getByRole('textbox', { name: 'Name' }).inputValue()).toBe('garden')
  })

  it('hides channel creation, but not joining, from people who cannot create channels', async () => {
    const { owner, user } = await team()
    const { user_groups } = await owner.call('GET', '/user_groups')
    const owners = user_groups.find(({ name }) => name === 'role:owners')?.id
    for (const kind of ['public', 'private']) {
      await owner.call('PATCH', '/realm', { [`can_create_${kind}_channel_group`]: { new: owners } })
    }
    const member = await user('Mia Member')
    const page = await openAs(browser(), member, '/channels')
    await page.getByRole('button', { name: 'Join: garden' }).waitFor()
    expect(await page.getByRole('button', { name: 'Create channel' }).count()).toBe(0)
  })
})

describe.skipIf(!hasBrowser)('channel settings', () => {
  it('saves personal settings for a channel', async () => {
    const { owner, channelId } = await team()
    const page = await visit(owner, `/c/${channelId}`)
    await chooseChannelAction(page, 'Channel settings')
    const settings = dialog(page, 'garden')
    await settings.getByRole('tab', { name: 'Personal' }).click()
    const desktop = settings.getByLabel('Desktop notifications')
    expect(await desktop.locator(':checked').textContent()).toBe('Use default (No)')
    await desktop.selectOption('Yes')
    await settings.getByLabel('Color').fill('#336699')
    await settings.getByRole('checkbox', { name: 'Pin' }).check()
    const chosen = async (): Promise<unknown> => {
      const { subscriptions } = await owner.call('GET', '/users/me/subscriptions')
      return subscriptions.find(({ stream_id }) => stream_id === channelId)
    }
    await expect.poll(chosen).toMatchObject({ desktop_notifications: true, color: '#336699', pin_to_top: true })
    expect(await accessibilityFaults(page)).toEqual([])
  })

  it('saves a channel color only when the choice is final', async () => {
    const { owner, channelId } = await team()
    const page = await visit(owner, `/c/${channelId}`)
    await chooseChannelAction(page, 'Channel settings')
    const sent: string[] = []
    page.on('request', (request) => {
      if (request.url().endsWith(`/users/me/subscriptions/${channelId}`)) sent.push(request.url())
    })
    await page.getByRole('tab', { name: 'Personal' }).click()
    await dialog(page, 'garden')
      .getByLabel('Color')
      .evaluate((field: HTMLInputElement) => {
        for (const color of ['#111111', '#222222', '#333333']) {
          field.value = color
          field.dispatchEvent(new Event('input', { bubbles: true }))
        }
        field.dispatchEvent(new Event('change', { bubbles: true }))
      })
    const color = async (): Promise<unknown> => {
      const { subscriptions } = await owner.call('GET', '/users/me/subscriptions')
      return subscriptions.find(({ name }) => name === 'garden')?.color
    }
    await expect.poll(color).toBe('#333333')
    expect(sent).toHaveLength(1)
  })

  it("edits a channel's name, privacy, and permissions, and shows refusals inline", async () => {
    const { owner, channelId } = await createTeamOn(server())
    await owner.call('POST', '/users/me/subscriptions', { subscriptions: [{ name: 'attic' }] })
    await owner.call('PATCH', '/realm', { enable_spectator_access: true })
    const page = await openAs(browser(), owner, `/c/${channelId}`)
    await chooseChannelAction(page, 'Channel settings')
    await dialog(page, 'garden').getByRole('tab', { name: 'About', selected: true }).press('End')
    const writing = page.getByLabel('Who can post messages')
    await writing.selectOption('Owners and admins')
    await expect.poll(() => writing.inputValue()).not.toBe('')
    await page.getByRole('tab', { name: 'Permissions' }).press('Home')
    const name = dialog(page, 'garden').getByRole('textbox', { name: 'Name' })
    await name.fill('attic')
    await name.press('Enter')
    await dialog(page, 'garden').getByRole('alert').waitFor()
    await name.fill('orchard')
    await name.press('Enter')
    const description = dialog(page, 'orchard').getByRole('textbox', { name: 'Description' })
    await description.fill('Trees')
    await description.press('Escape')
    expect(await description.inputValue()).toBe('Plants')
    await description.fill('Apple trees')
    await description.blur()
    const toasts = dialog(page, 'orchard').getByRole('status').filter({ hasText: '“Description” changed' })
    await toasts.getByRole('button', { name: 'Undo' }).click()
    await expect.poll(() => description.inputValue()).toBe('Plants')
    const hidden = page.getByRole('checkbox', { name: 'Hide public pages from search engines' })
    expect(await hidden.count()).toBe(0)
    await page.getByLabel('Who can read and join').selectOption('web-public')
    await hidden.check()
    const isHidden = async () =>
      (await owner.call('GET', `/streams/${channelId}/public_pages`)).hidden_from_search_engines
    await expect.poll(isHidden).toBe(true)
    const hiding = page.getByRole('status').filter({ hasText: '“Hide public pages from search engines” changed' })
    await hiding.getByRole('button', { name: 'Undo' }).click()
    await expect.poll(isHidden).toBe(false)
    await page
      .getByLabel('Who can read and join')
      .selectOption({ label: 'Private, shared history: people who are added can read earlier messages' })
    const { stream } = await expectChannel(owner, channelId, 'orchard')
    expect(stream).toMatchObject({ name: 'orchard' })
    await expect.poll(async () => (await expectChannel(owner, channelId, 'orchard')).stream['invite_only']).toBe(true)
    await page.getByRole('button', { name: 'Archive channel' }).click()
    await page.getByRole('dialog', { name: 'Archive channel' }).getByRole('button', { name: 'Archive channel' }).click()
    await page.getByText('orchard archived').waitFor()
    await expect.poll(async () => (await expectChannel(owner, channelId, 'orchard')).stream['is_archived']).toBe(true)
  })

  it('shows who has each permission in a channel, including people who always have it', async () => {
    const { owner, friend, user } = await team()
    const channelId = await createChannel(owner, 'cellar', [friend])
    const keeper = await user('Kim Keeper')
    await owner.call('PATCH', `/streams/${channelId}`, {
      can_administer_channel_group: { new: { direct_members: [owner.id, keeper.id], direct_subgroups: [] } },
    })
    const page = await visit(owner, `/c/${channelId}`)
    await chooseChannelAction(page, 'Channel settings')
    const settings = dialog(page, 'cellar')
    await settings.getByRole('tab', { name: 'About' }).press('End')
    const shows = async (sentence: string) => settings.getByText(sentence, { exact: true }).waitFor()
    await shows('Owners, admins, and Kim Keeper can manage the channel')
    await shows('Everyone except guests can join on their own')
    await shows('Owners and admins can delete any message')
    await owner.call('PATCH', `/streams/${channelId}`, { is_private: true })
    await shows('Everyone in the channel except guests can add people')
    await shows('No one can join on their own')
    // The channel's own setting adds people to those who have the permission anyway.
    await settings.getByText('Owners and admins always can. Also:').first().waitFor()
    const managing = settings.getByRole('combobox', { name: 'Who else can manage the channel' })
    await managing.selectOption('No one else')
    await shows('Owners and admins can manage the channel')
    expect(await managing.locator('option:checked').textContent()).toBe('No one else')
    await owner.call('PATCH', `/streams/${channelId}`, { is_private: false })
    await shows('Everyone except guests can join on their own')
    const withoutEffect = settings.getByText('Everyone except guests always can, so this choice adds no one:')
    expect(await withoutEffect.count()).toBe(0)
    const joining = settings.getByRole('combobox', { name: 'Who else can join on their own' })
    await joining.selectOption('Everyone except guests')
    await withoutEffect.waitFor()
  })

  it('shows only personal settings to people who cannot edit the channel', async () => {
    const { friend, channelId } = await team()
    const page = await visit(friend, `/c/${channelId}`)
    await page.getByRole('main').getByRole('button', { name: 'More', exact: true }).click()
    // Leaving is at the end, apart from other actions.
    expect((await page.getByRole('menuitem').allInnerTexts()).at(-1)).toBe('Leave')
    await page.getByRole('menuitem', { name: 'Channel settings' }).click()
    await dialog(page, 'garden').getByRole('tab', { name: 'Personal', selected: true }).waitFor()
    expect(await dialog(page, 'garden').getByRole('tab').allInnerTexts()).toEqual(['Personal', 'People'])
  })

  it('adds several people to a channel, and undoes the removal of a person', async () => {
    const { owner, friend, user, channelId } = await team()
    const people = [await user('Ann Alder'), await user('Bob Birch')]
    const page = await visit(owner, `/c/${channelId}`)
    await chooseChannelAction(page, 'People')
    const search = page.getByRole('searchbox', { name: 'Find a person to add' })
    for (const name of ['ann', 'bob']) {
      await search.fill(name)
      await search.press('Enter')
    }
    await page.getByRole('button', { name: 'Add 2 people' }).click()
    const members = async (): Promise<readonly number[]> =>
      (await owner.call('GET', `/streams/${channelId}/members`))['subscribers']
    await expect.poll(async () => (await members()).length).toBe(4)
    expect(await members()).toEqual(expect.arrayContaining(people.map(({ id }) => id)))
    const remove = page.getByRole('button', { name: 'Remove Fred Friend' })
    await remove.focus()
    const first = await user('Abel Aster')
    await first.subscribe(['garden'])
    await page.getByRole('button', { name: 'Remove Abel Aster' }).waitFor()
    expect(await remove.evaluate((button) => button === document.activeElement)).toBe(true)
    await remove.click()
    await expect.poll(members).not.toContain(friend.id)
    // Only a removal that the server has confirmed can be undone.
    await page.getByText('Fred Friend removed from garden').waitFor()
    await page.keyboard.press('Escape')
    await page.keyboard.press('Control+z')
    await expect.poll(members).toContain(friend.id)
  })
})

describe.skipIf(!hasBrowser)('channel members', () => {
  it("reloads a channel's member list only when someone joins the channel", async () => {
    const { owner, friend, user, channelId } = await team()
    const gardener = await user('Gerda Grower')
    const page = await visit(owner, `/c/${channelId}`)
    let asked = 0
    page.on('request', (request) => {
      if (request.url().endsWith(`/streams/${channelId}/members`)) asked += 1
    })
    await chooseChannelAction(page, 'People')
    const list = dialog(page, 'garden')
    await list.getByText('Fred Friend').waitFor()
    await owner.call('POST', '/users/me/subscriptions', { subscriptions: [{ name: 'barn' }] })
    await owner.call('POST', '/users/me/subscriptions', { subscriptions: [{ name: 'barn' }], principals: [friend.id] })
    await gardener.call('POST', '/users/me/subscriptions', { subscriptions: [{ name: 'garden' }] })
    await list.getByText('Gerda Grower').waitFor()
    expect(asked).toBe(2)
  })
})

async function expectChannel(owner: TestUser, channelId: number, name: string) {
  const read = async () => owner.call('GET', `/streams/${channelId}`)
  await expect.poll(async () => (await read()).stream.name).toBe(name)
  return read()
}
