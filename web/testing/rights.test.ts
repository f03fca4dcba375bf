import type { Page } from 'playwright-core'
import { describe, expect, it } from 'vitest'
import { ROLE } from '../../server/src/kernel/actor.ts'
import type { TestUser } from '../../server/src/testing/user.ts'
import { hasBrowser, show } from './browser.ts'
import { useTeam } from './shared.ts'
import { list, say } from './team.ts'

const { team, visit, makeTeam, openPage } = useTeam()

const row = (page: Page, text: string) => list(page).getByRole('article').filter({ hasText: text })
const undoButton = (page: Page) => page.getByRole('button', { name: 'Undo' })

async function viewActions(page: Page): Promise<string[]> {
  await page.getByRole('main').getByRole('button', { name: 'More', exact: true }).first().click()
  const names = await page.getByRole('menuitem').allInnerTexts()
  await page.keyboard.press('Escape')
  return names
}

async function chooseViewAction(page: Page, item: string): Promise<void> {
  await page.getByRole('main').getByRole('button', { name: 'More', exact: true }).first().click()
  await page.getByRole('menuitem', { name: item, exact: true }).click()
}

async function messageActions(page: Page, text: string): Promise<string> {
  await row(page, text).focus()
  await page.keyboard.press('Shift+F10')
  const menu = page.getByRole('menu', { name: /^Actions for/ })
  await menu.waitFor()
  const names = await menu.getByRole('menuitem').allInnerTexts()
  await page.keyboard.press('Escape')
  return names.join('\n')
}

async function fetchChannelNames(user: TestUser): Promise<string[]> {
  const { streams } = await user.call('GET', '/streams', { include_all: true })
  return streams.map(({ name }) => name)
}

async function isSubscribed(user: TestUser, name: string): Promise<boolean> {
  const { subscriptions } = await user.call('GET', '/users/me/subscriptions')
  return subscriptions.some((one) => one.name === name)
}

async function createPrivateChannel(people: readonly [TestUser, ...TestUser[]], name = 'cellar'): Promise<number> {
  const [maker] = people
  await maker.call('POST', '/users/me/subscriptions', {
    subscriptions: [{ name }],
    principals: people.map(({ id }) => id),
    invite_only: true,
    send_new_subscription_messages: false,
  })
  return (await maker.call('GET', '/get_stream_id', { stream: name }))['stream_id']
}

const POLL_COMMAND = '/poll Which beans?\nRunner\nBroad'

describe.skipIf(!hasBrowser)('joining channels', () => {
  it('shows "Page not found" for unknown channels, and offers admins no way to join private channels', async () => {
    const { owner, friend } = await team()
    const before = await fetchChannelNames(owner)
    const page = await visit(owner)
    for (const path of ['/c/99999', '/c/99999/t/beans']) {
      await show(page, path)
      await page.getByRole('heading', { name: 'Page not found', level: 1 }).waitFor()
      expect(await page.getByRole('button', { name: 'Join' }).count()).toBe(0)
    }
    expect(await fetchChannelNames(owner)).toEqual(before)
    // Admins can see private channels that they are not in.
    await show(page, `/c/${await createPrivateChannel([friend])}`)
    await page.getByRole('heading', { name: 'cellar', level: 1 }).waitFor()
    await page.getByRole('searchbox', { name: 'Find or start a topic' }).waitFor()
    expect(await page.getByRole('button', { name: 'Join' }).count()).toBe(0)
  })
})

describe.skipIf(!hasBrowser)('leaving channels', () => {
  it('asks for confirmation before a guest leaves a public channel', async () => {
    const { owner, user, channelId } = await team()
    const guest = await user('Gus Guest', { role: ROLE.guest })
    await owner.call('POST', '/users/me/subscriptions', {
      subscriptions: [{ name: 'garden' }],
      principals: [guest.id],
    })
    const page = await openPage(guest, `/c/${channelId}`)
    await chooseViewAction(page, 'Leave')
    await page.getByRole('dialog', { name: 'Leave' }).getByText('can’t rejoin on your own').waitFor()
    expect(await isSubscribed(guest, 'garden')).toBe(true)
    await page.getByRole('dialog', { name: 'Leave' }).getByRole('button', { name: 'Leave' }).press('Enter')
    await page.getByText('Left garden').waitFor()
    expect(await undoButton(page).count()).toBe(0)
  })

  it('asks for confirmation before people remove themselves in the member list of a channel', async () => {
    const { owner, friend } = await team()
    const channelId = await createPrivateChannel([owner, friend], 'vault')
    const page = await visit(friend, `/c/${channelId}`)
    await chooseViewAction(page, 'People')
    await page.getByRole('button', { name: 'Remove Fred Friend' }).press('Enter')
    const question = page.getByRole('dialog', { name: 'Leave' })
    await question.getByRole('button', { name: 'Cancel' }).press('Enter')
    await question.waitFor({ state: 'hidden' })
    expect(await isSubscribed(friend, 'vault')).toBe(true)
  })
})

describe.skipIf(!hasBrowser)('undo', () => {
  it('offers no undo for adding people whom the person cannot remove', async () => {
    const { friend, user, channelId } = await team()
    await user('Ann Alder')
    const page = await visit(friend, `/c/${channelId}`)
    await chooseViewAction(page, 'People')
    const search = page.getByRole('searchbox', { name: 'Find a person to add' })
    await search.fill('ann')
    await search.press('Enter')
    await page.getByRole('button', { name: 'Add 1 person' }).click()
    await page.getByText('1 person added to garden').waitFor()
    expect(await undoButton(page).count()).toBe(0)
  })

  it('makes a channel a default channel again when its archiving is undone', async () => {
    const { owner, channelId } = await makeTeam()
    const isDefault = async (): Promise<boolean> => {
      const state = await owner.call('POST', '/register', { fetch_event_types: ['default_streams'] })
      return state['realm_default_streams'].includes(channelId)
    }
    await owner.call('PATCH', `/streams/${channelId}`, { is_default_stream: true })
    const page = await openPage(owner, `/c/${channelId}`)
    await chooseViewAction(page, 'Channel settings')
    await page.getByRole('button', { name: 'Archive channel' }).click()
    await page.getByRole('dialog').getByRole('button', { name: 'Archive channel' }).click()
    await page.getByText('garden archived').waitFor()
    expect(await isDefault()).toBe(false)
    await undoButton(page).click()
    await expect.poll(isDefault).toBe(true)
  })
})

describe.skipIf(!hasBrowser)('archived channels', () => {
  it('offers no changes in an archived channel, and counts none of its messages as unread', async () => {
    const { owner, friend, channelId } = await makeTeam()
    const own = await say(owner, channelId, 'beans', 'My own bean')
    await friend.call('POST', `/messages/${own}/reactions`, { emoji_name: 'tada' })
    await say(owner, channelId, 'beans', POLL_COMMAND)
    const page = await openPage(owner, `/c/${channelId}/t/beans`)
    const vote = page.getByRole('button', { name: /^Runner/ })
    await vote.waitFor()
    const before = await messageActions(page, 'My own bean')
    for (const item of ['Edit', 'Delete', 'Move', 'Add reaction']) expect(before).toContain(item)
    expect(await viewActions(page)).toContain('Mark as resolved')
    // A poll can be answered, but not edited.
    expect(await messageActions(page, 'Which beans?')).not.toContain('Edit')
    await say(friend, channelId, 'peas', '@**Olivia Owner** read it later')
    const inbox = page.getByRole('navigation').getByRole('link', { name: /^Inbox/ })
    await inbox.getByText('1 unread message').waitFor()
    await owner.call('DELETE', `/streams/${channelId}`)
    await expect.poll(() => vote.isDisabled()).toBe(true)
    const after = await messageActions(page, 'My own bean')
    for (const item of ['Edit', 'Delete', 'Move', 'reaction', 'React']) expect(after).not.toContain(item)
    expect(await viewActions(page)).not.toContain('Mark as resolved')
    await row(page, 'My own bean').hover()
    expect(await row(page, 'My own bean').getByRole('button', { name: 'Add reaction' }).count()).toBe(0)
    expect(await page.getByRole('textbox', { name: 'New option' }).count()).toBe(0)
    await inbox.click()
    await page.getByText('You’re all caught up').waitFor()
    await expect.poll(() => page.title()).not.toContain('(')
  })
})

describe.skipIf(!hasBrowser)('topics of muted channels', () => {
  it('unmutes and mutes a topic of a muted channel from the topic menu', async () => {
    const { owner, friend, channelId } = await team()
    await say(friend, channelId, 'beans', 'A bean')
    await owner.call('POST', '/users/me/subscriptions/properties', {
      subscription_data: [{ stream_id: channelId, property: 'is_muted', value: true }],
    })
    const policy = async (): Promise<unknown> => {
      const { user_topics } = await owner.call('POST', '/register', { fetch_event_types: ['user_topic'] })
      return user_topics[0]?.visibility_policy
    }
    const page = await visit(owner, `/c/${channelId}/t/beans`)
    await row(page, 'A bean').waitFor()
    await chooseViewAction(page, 'Unmute topic')
    await expect.poll(policy).toBe(2)
    await chooseViewAction(page, 'Mute topic')
    await expect.poll(policy).toBe(1)
    await chooseViewAction(page, 'Unmute topic')
    await expect.poll(policy).toBe(2)
  })
})
