import type { Page } from 'playwright-core'
import { describe, expect, it } from 'vitest'
import type { TestUser } from '../../server/src/testing/user.ts'
import { addressOf, createGate, hasBrowser, pressShortcut, show } from './browser.ts'
import { useTeam } from './shared.ts'
import { composer, hasRead, leaveComposer, list, say, withChannel } from './team.ts'

const { team, visit, openPage } = useTeam()

const row = (page: Page, text: string) => list(page).getByRole('article').filter({ hasText: text })

async function chooseMessageAction(page: Page, text: string, item: string): Promise<void> {
  await row(page, text).hover()
  await row(page, text).getByRole('button', { name: 'More' }).click()
  await page.getByRole('menuitem', { name: item, exact: true }).click()
}

async function chooseViewAction(page: Page, item: string): Promise<void> {
  await page.getByRole('main').getByRole('button', { name: 'More', exact: true }).first().click()
  await page.getByRole('menuitem', { name: item, exact: true }).click()
}

const undo = async (page: Page): Promise<void> => page.getByRole('button', { name: 'Undo' }).last().click()

async function fetchMessage(user: TestUser, id: number) {
  const { message } = await user.call('GET', `/messages/${id}`)
  return message
}

async function fetchTopic(user: TestUser, id: number): Promise<string> {
  return (await fetchMessage(user, id)).subject
}

async function fetchChannelContents(user: TestUser, channelId: number): Promise<string[]> {
  const narrow = [{ operator: 'channel', operand: channelId }]
  const { messages } = await user.call('GET', '/messages', { anchor: 'newest', num_before: 50, num_after: 0, narrow })
  return messages.map(({ content }) => content)
}

async function fetchSubscription(user: TestUser, channel = 'garden'): Promise<Record<string, unknown> | undefined> {
  const { subscriptions } = await user.call('GET', '/users/me/subscriptions')
  return subscriptions.find(({ name }) => name === channel)
}

async function fetchTopicPolicy(user: TestUser, topic: string): Promise<unknown> {
  const { user_topics } = await user.call('POST', '/register', { event_types: ['user_topic'] })
  return user_topics.find(({ topic_name }) => topic_name === topic)?.['visibility_policy']
}

describe.skipIf(!hasBrowser)('actions on messages', () => {
  it('undoes an edit, a reaction, and a star by keyboard, latest first', async () => {
    const { owner, channelId } = await team()
    const id = await say(owner, channelId, 'beans', 'Tall beans')
    const page = await visit(owner, `/c/${channelId}/t/beans`)
    await row(page, 'Tall beans').waitFor()
    await leaveComposer(page)
    await pressShortcut(page, 'k')
    await pressShortcut(page, 'Control+s')
    await row(page, 'Tall beans').getByText('starred').waitFor()
    await pressShortcut(page, '+')
    await expect.poll(async () => (await fetchMessage(owner, id)).reactions.length).toBe(1)
    await pressShortcut(page, 'e')
    await page.getByRole('textbox', { name: 'Edit message' }).fill('Taller beans')
    await pressShortcut(page, 'Control+Enter')
    await row(page, 'Taller beans').focus()
    await pressShortcut(page, 'Control+z')
    await row(page, 'Tall beans').waitFor()
    await pressShortcut(page, 'Control+z')
    await expect.poll(async () => (await fetchMessage(owner, id)).reactions.length).toBe(0)
    await pressShortcut(page, 'Control+z')
    await expect.poll(async () => (await fetchMessage(owner, id)).flags.includes('starred')).toBe(false)
    await page.getByText('Undone: Message starred').waitFor()
    await pressShortcut(page, 'Control+z')
    await page.getByText('Nothing to undo').waitFor()
    expect((await fetchMessage(owner, id)).content).toBe('<p>Tall beans</p>')
  })

  it('shows a reaction immediately, and removes it if the server refuses it', async () => {
    const { owner, friend, channelId } = await team()
    const id = await say(friend, channelId, 'leeks', 'Short lived')
    const page = await visit(owner, `/c/${channelId}/t/leeks`)
    await row(page, 'Short lived').waitFor()
    const { promise: answer, resolve: refuse } = createGate()
    await page.route('**/reactions', async (route) => {
      await answer
      await route.fulfill({ status: 400, json: { result: 'error', code: 'BAD_REQUEST', msg: 'Not this one' } })
    })
    await leaveComposer(page)
    await pressShortcut(page, 'k')
    await pressShortcut(page, '+')
    await row(page, 'Short lived').getByRole('button', { name: 'you reacted with :+1:', pressed: true }).waitFor()
    refuse()
    await page.getByText('Not this one').waitFor()
    await expect
      .poll(() =>
        row(page, 'Short lived')
          .getByRole('button', { name: /reacted/ })
          .count(),
      )
      .toBe(0)
    expect((await fetchMessage(owner, id)).reactions).toEqual([])
  })

  it('undoes typing while the composer has the focus, and no action before a sent message', async () => {
    const { owner, channelId } = await team()
    const id = await say(owner, channelId, 'onions', 'Tall beans')
    const page = await visit(owner, `/c/${channelId}/t/onions`)
    await row(page, 'Tall beans').waitFor()
    await leaveComposer(page)
    await pressShortcut(page, 'k')
    await pressShortcut(page, 'Control+s')
    await row(page, 'Tall beans').getByText('starred').waitFor()
    await pressShortcut(page, 'r')
    await page.keyboard.type('abc')
    await pressShortcut(page, 'Control+z')
    await pressShortcut(page, 'Escape')
    await row(page, 'Tall beans').getByText('starred').waitFor()
    await composer(page).fill('Short beans')
    await pressShortcut(page, 'Control+Enter')
    await row(page, 'Short beans').waitFor()
    await pressShortcut(page, 'Escape')
    await pressShortcut(page, 'Control+z')
    await page.getByText('Nothing to undo').waitFor()
    await row(page, 'Tall beans').getByText('starred').waitFor()
    // The client shows the star before the server has it.
    await expect.poll(async () => (await fetchMessage(owner, id)).flags).toContain('starred')
  })

  it('reports when the server refuses to undo a reaction', async () => {
    const { owner, friend, channelId } = await team()
    const id = await say(friend, channelId, 'turnips', 'Soon gone')
    const page = await visit(owner, `/c/${channelId}/t/turnips`)
    await row(page, 'Soon gone').waitFor()
    await leaveComposer(page)
    await pressShortcut(page, 'k')
    await pressShortcut(page, '+')
    await expect.poll(async () => (await fetchMessage(owner, id)).reactions.length).toBe(1)
    await owner.call('DELETE', `/messages/${id}/reactions`, { emoji_name: '+1' })
    // Undo becomes available only after the server has answered.
    await expect
      .poll(async () => {
        await pressShortcut(page, 'Control+z')
        return page.getByText(/^Couldn’t undo: Reacted with :\+1:\. /).count()
      })
      .toBe(1)
  })

  it('moves messages and opens their new topic, and on undo moves them back and reopens the old topic', async () => {
    const { owner, friend, channelId } = await team()
    const [first, second] = [
      await say(friend, channelId, 'melons', 'First bean'),
      await say(friend, channelId, 'melons', 'Second bean'),
    ]
    await say(friend, channelId, 'peas', 'A pea')
    const page = await visit(owner, `/c/${channelId}/t/melons`)
    await row(page, 'Second bean').waitFor()
    await chooseMessageAction(page, 'First bean', 'Move')
    await page.getByRole('dialog').getByRole('combobox', { name: 'Topic' }).fill('peas')
    await page.getByRole('dialog').getByRole('button', { name: 'Move', exact: true }).click()
    await page.getByText('2 messages moved to peas').waitFor()
    await row(page, 'A pea').waitFor()
    await undo(page)
    await expect.poll(() => fetchTopic(owner, second)).toBe('melons')
    expect(await fetchTopic(owner, first)).toBe('melons')
    await page.getByRole('heading', { name: /melons/ }).waitFor()
    await row(page, 'First bean').waitFor()
    const { messages } = await owner.call('GET', '/messages', {
      anchor: 'newest',
      num_before: 9,
      num_after: 0,
      narrow: [
        { operator: 'channel', operand: channelId },
        { operator: 'topic', operand: 'peas' },
      ],
    })
    expect(messages[0]?.content).toBe('<p>A pea</p>')
  })

  it('deletes the notices about a move on undo, also for people who cannot delete them', async () => {
    const { owner, friend, channelId } = await withChannel(await team())
    const id = await say(friend, channelId, 'beans', 'A bean')
    await owner.call('PATCH', '/realm', {
      can_move_messages_between_topics_group: { new: { direct_members: [friend.id], direct_subgroups: [] } },
    })
    const page = await visit(friend, `/c/${channelId}/t/beans`)
    await row(page, 'A bean').waitFor()
    await chooseMessageAction(page, 'A bean', 'Move')
    await page.getByRole('dialog').getByRole('combobox', { name: 'Topic' }).fill('peas')
    await page.getByRole('dialog').getByRole('checkbox', { name: 'Notify the old topic' }).check()
    await page.getByRole('dialog').getByRole('button', { name: 'Move', exact: true }).click()
    await page.getByText('1 message moved to peas').waitFor()
    await list(page).getByText('This topic was moved here').waitFor()
    expect(await fetchChannelContents(owner, channelId)).toHaveLength(3)
    await undo(page)
    await expect.poll(() => fetchTopic(owner, id)).toBe('beans')
    expect(await fetchChannelContents(owner, channelId)).toEqual(['<p>A bean</p>'])
  })

  it('deletes a message only when the deletion can no longer be undone', async () => {
    const { owner, friend, channelId } = await team()
    const id = await say(friend, channelId, 'radishes', 'Said too much')
    const page = await visit(friend, `/c/${channelId}/t/radishes`, { hasClock: true })
    await row(page, 'Said too much').press('Delete')
    const gone = row(page, 'Message deleted')
    await gone.waitFor()
    expect(await row(page, 'Said too much').count()).toBe(0)
    await pressShortcut(page, 'Control+z')
    await row(page, 'Said too much').waitFor()
    await chooseMessageAction(page, 'Said too much', 'Delete')
    await gone.getByRole('button', { name: 'Undo' }).click()
    await row(page, 'Said too much').waitFor()
    await page.clock.runFor(20_000)
    expect((await fetchMessage(owner, id)).content).toBe('<p>Said too much</p>')
    const answered = page.waitForResponse('**/api/v1/messages/flags')
    await chooseMessageAction(page, 'Said too much', 'Star')
    await row(page, 'Said too much').getByText('starred').waitFor()
    // The star shows before it can be undone.
    await (await answered).finished()
    await page.clock.fastForward(6 * 60_000)
    await pressShortcut(page, 'Control+z')
    await page.getByText('Nothing to undo').waitFor()
    expect(await row(page, 'Said too much').getByText('starred').count()).toBe(1)
    await chooseMessageAction(page, 'Said too much', 'Delete')
    await page.clock.runFor(20_000)
    await expect.poll(async () => (await owner.try('GET', `/messages/${id}`)).status).toBe(400)
    await expect.poll(() => list(page).getByRole('article').count()).toBe(0)
  })

  it('completes a pending deletion when the tab closes, and reports a refused deletion', async () => {
    const { owner, friend, channelId } = await team()
    const [id, kept] = [
      await say(friend, channelId, 'cress', 'Closing'),
      await say(friend, channelId, 'cress', 'Staying'),
    ]
    const page = await visit(friend, `/c/${channelId}/t/cress`, { hasClock: true })
    await row(page, 'Closing').waitFor()
    await chooseMessageAction(page, 'Staying', 'Delete')
    await owner.call('PATCH', '/realm', {
      can_delete_own_message_group: { new: { direct_members: [owner.id], direct_subgroups: [] } },
    })
    // Not `runFor`, which would also fire the timer that hides the notice about the refusal.
    await page.clock.fastForward(20_000)
    await page.getByText("You don't have permission to delete this message").waitFor()
    await row(page, 'Staying').waitFor()
    await owner.call('PATCH', '/realm', {
      can_delete_own_message_group: { new: { direct_members: [owner.id, friend.id], direct_subgroups: [] } },
    })
    await chooseMessageAction(page, 'Closing', 'Delete')
    await row(page, 'Message deleted').waitFor()
    expect((await fetchMessage(owner, id)).content).toBe('<p>Closing</p>')
    await page.close()
    await expect.poll(async () => (await owner.try('GET', `/messages/${id}`)).status).toBe(400)
    expect((await fetchMessage(owner, kept)).content).toBe('<p>Staying</p>')
  })
})

describe.skipIf(!hasBrowser)('actions on conversations', () => {
  it('undoes muting, following, and resolving a topic', async () => {
    const { owner, friend, channelId } = await withChannel(await team())
    const id = await say(friend, channelId, 'lupins', 'A bean')
    const page = await visit(owner, `/c/${channelId}/t/lupins`, { viewport: { width: 320, height: 640 } })
    await row(page, 'A bean').waitFor()
    await chooseViewAction(page, 'Follow topic')
    await page.getByText('Following lupins').waitFor()
    await chooseViewAction(page, 'Mute topic')
    await page.getByText('lupins muted and unfollowed').waitFor()
    expect(await fetchTopicPolicy(owner, 'lupins')).toBe(1)
    await undo(page)
    await expect.poll(() => fetchTopicPolicy(owner, 'lupins')).toBe(3)
    await pressShortcut(page, 'Control+z')
    await expect.poll(() => fetchTopicPolicy(owner, 'lupins')).toBe(undefined)
    await chooseViewAction(page, 'Mark as resolved')
    await expect.poll(() => fetchTopic(owner, id)).toBe('✔ lupins')
    await page.getByRole('heading', { name: /Resolved: lupins/ }).waitFor()
    await row(page, 'A bean').waitFor()
    await page.setViewportSize({ width: 1440, height: 900 })
    // A check alone would not say what it does.
    await page.getByRole('main').getByRole('button').getByText('Mark as unresolved', { exact: true }).waitFor()
    await pressShortcut(page, 'Control+z')
    await expect.poll(() => fetchTopic(owner, id)).toBe('lupins')
    // Undoing at once also withdraws the notices that other people could see.
    expect(await fetchChannelContents(friend, channelId)).toEqual(['<p>A bean</p>'])
    await expect.poll(() => page.getByRole('heading', { name: /Resolved: lupins/ }).count()).toBe(0)
    await page.getByRole('main').getByRole('button', { name: 'Mark as resolved' }).waitFor()
  })

  it('offers no resolving of an empty topic, and reports that its first message follows it', async () => {
    const { owner, channelId } = await withChannel(await team())
    const page = await visit(owner, `/c/${channelId}/t/tulips`)
    await page.getByText('No messages yet').waitFor()
    expect(await page.getByRole('main').getByRole('button', { name: 'Mark as resolved' }).count()).toBe(0)
    await composer(page).fill('Spring')
    await page.getByRole('button', { name: 'Send', exact: true }).click()
    await page.getByText('Following tulips because you posted there').waitFor()
    await page.getByRole('main').getByRole('button', { name: 'Mark as resolved' }).waitFor()
    expect(await fetchTopicPolicy(owner, 'tulips')).toBe(3)
    await undo(page)
    await expect.poll(() => fetchTopicPolicy(owner, 'tulips')).toBe(undefined)
  })

  it('undoes muting, pinning, and leaving a channel', async () => {
    const { owner, friend, channelId } = await team()
    const page = await visit(owner, `/c/${channelId}`)
    await chooseViewAction(page, 'Mute')
    await page.getByText('garden muted').waitFor()
    await chooseViewAction(page, 'Pin')
    await page.getByText('garden pinned').waitFor()
    expect(await fetchSubscription(owner)).toMatchObject({ is_muted: true, pin_to_top: true })
    await pressShortcut(page, 'Control+z')
    await pressShortcut(page, 'Control+z')
    await expect.poll(() => fetchSubscription(owner)).toMatchObject({ is_muted: false, pin_to_top: false })
    const unread = await say(friend, channelId, 'left', 'Not read yet')
    await page.getByRole('main').getByText('Not read yet').waitFor()
    await chooseViewAction(page, 'Leave')
    const dialog = page.getByRole('dialog', { name: 'Leave' })
    await dialog.getByText('even if you rejoin').waitFor()
    await dialog.getByRole('button', { name: 'Cancel' }).click()
    expect(await hasRead(owner, unread)).toBe(false)
    await chooseViewAction(page, 'Leave')
    await dialog.getByRole('button', { name: 'Leave' }).click()
    await page.getByText('Left garden').waitFor()
    expect(await fetchSubscription(owner)).toBe(undefined)
    await pressShortcut(page, 'Control+z')
    await expect.poll(() => fetchSubscription(owner)).toMatchObject({ stream_id: channelId })
  })

  it('asks for confirmation before a member leaves a private channel', async () => {
    const { owner, friend, channelId, channel } = await withChannel(await team())
    await owner.call('PATCH', `/streams/${channelId}`, { is_private: true })
    const page = await visit(friend, `/c/${channelId}`, { hasClock: true })
    await chooseViewAction(page, 'Leave')
    const dialog = page.getByRole('dialog', { name: 'Leave' })
    await dialog.getByText('can’t rejoin on your own').waitFor()
    await dialog.getByRole('button', { name: 'Cancel' }).click()
    expect(await fetchSubscription(friend, channel)).toMatchObject({ stream_id: channelId })
    await chooseViewAction(page, 'Leave')
    await dialog.getByRole('button', { name: 'Leave' }).click()
    await page.getByText(`Left ${channel}`).waitFor()
    expect(await page.getByRole('button', { name: 'Undo' }).count()).toBe(0)
  })
})

describe.skipIf(!hasBrowser)('read positions', () => {
  it('marks messages as read and as unread by keyboard, and undoes both', async () => {
    const { owner, friend, channelId } = await withChannel(await team())
    await owner.call('POST', '/mark_all_as_read')
    const ids: number[] = []
    for (const text of ['Bean one', 'Bean two', 'Bean three']) ids.push(await say(friend, channelId, 'beans', text))
    const read = async (): Promise<boolean[]> => Promise.all(ids.map(async (id) => hasRead(owner, id)))
    // Scrolling must not mark messages as read.
    await owner.call('PATCH', '/settings', { web_mark_read_on_scroll_policy: 3 })
    const page = await visit(owner, `/c/${channelId}/t/beans`)
    await row(page, 'Bean two').focus()
    await pressShortcut(page, '.')
    await page.getByText('2 messages marked as read').waitFor()
    expect(await read()).toEqual([true, true, false])
    const own = { type: 'channel', to: channelId, topic: 'beans', content: 'My own bean', read_by_sender: true }
    await owner.call('POST', '/messages', own)
    await row(page, 'My own bean').waitFor()
    await pressShortcut(page, 'Shift+U')
    await page.getByText('1 message marked as unread').waitFor()
    expect(await read()).toEqual([true, false, false])
    await pressShortcut(page, 'Control+z')
    await expect.poll(read).toEqual([true, true, false])
    await pressShortcut(page, 'Control+z')
    await expect.poll(read).toEqual([false, false, false])
    await show(page, '/inbox')
    await pressShortcut(page, 'Shift+Escape')
    await page.getByText('Open a conversation to mark it as read').waitFor()
    await pressShortcut(page, 'Control+k')
    await page.getByRole('combobox').fill('all as read')
    await page.getByRole('option', { name: /Mark all conversations as read/ }).click()
    await page.getByText('3 messages marked as read').waitFor()
    expect(await read()).toEqual([true, true, true])
    await undo(page)
    await expect.poll(read).toEqual([false, false, false])
  })

  it('refuses to mark messages as unread in a channel that the person has not joined', async () => {
    const { friend, channelId, user } = await team()
    await say(friend, channelId, 'beans', 'A bean')
    const guest = await user('Gina Green')
    const page = await openPage(guest, `/c/${channelId}/t/beans`)
    await row(page, 'A bean').focus()
    await pressShortcut(page, 'Shift+U')
    await page.getByText('You can’t mark messages as unread in channels you haven’t joined').waitFor()
    expect(page.url()).toContain(addressOf(guest, `/c/${channelId}`))
  })
})
