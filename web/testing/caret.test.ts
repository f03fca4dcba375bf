import type { Page } from 'playwright-core'
import { describe, expect, it } from 'vitest'
import { addressOf, focusedField, hasBrowser, show } from './browser.ts'
import { useTeam } from './shared.ts'
import { composer, fetchTopicContents, list, say, withChannel, type Team } from './team.ts'

const { team, visit } = useTeam()

const main = (page: Page) => page.getByRole('main')

const TEXT = 'Lunch, i think; news to come?'

interface Garden extends Team {
  readonly channel: string
}

describe.skipIf(!hasBrowser)('caret in an opened conversation', () => {
  /** Ways to open the topic `beans`; each ends with a click or a key. */
  const WAYS: readonly { name: string; from: string; open: (page: Page, garden: Garden) => Promise<void> }[] = [
    {
      name: 'the topic list',
      from: '',
      open: async (page) =>
        main(page)
          .getByRole('link', { name: /^beans/ })
          .click(),
    },
    {
      name: 'the topic list by keyboard',
      from: '',
      open: async (page) =>
        main(page)
          .getByRole('link', { name: /^beans/ })
          .press('Enter'),
    },
    {
      name: 'the sidebar',
      from: '/t/peas',
      open: async (page) =>
        page
          .locator('.sidebar')
          .getByRole('link', { name: /^beans/ })
          .click(),
    },
    {
      name: 'the palette',
      from: '/t/peas',
      open: async (page, { channel }) => {
        await page.keyboard.press('Control+k')
        await page.getByRole('combobox', { name: 'Go to a conversation or run a command' }).fill(`beans ${channel}`)
        await page.getByRole('option', { name: /beans/ }).first().waitFor()
        await page.keyboard.press('Enter')
      },
    },
    {
      name: 'a link in a message',
      from: '/t/peas',
      open: async (page) => list(page).getByRole('link', { name: 'the beans' }).click(),
    },
    {
      name: 'a feed',
      from: '/feed',
      open: async (page) => main(page).getByRole('link', { name: /beans/ }).first().click(),
    },
    {
      name: 'the previous page with Back',
      from: '/t/beans',
      open: async (page, { channelId }) => {
        await show(page, `/c/${channelId}`)
        await main(page).getByRole('link', { name: /peas/ }).waitFor()
        await page.goBack()
      },
    },
    {
      name: 'the sidebar while the topic is already open',
      from: '/t/beans',
      open: async (page) => page.locator('.sidebar').getByRole('link', { name: /beans/ }).click(),
    },
  ]

  it.each(WAYS)('puts the caret in the composer of a topic opened from $name', async ({ from, open }) => {
    const garden = await withChannel(await team())
    const { owner, friend, channelId, channel } = garden
    await say(friend, channelId, 'beans', 'Runner beans')
    await say(friend, channelId, 'peas', `See [the beans](${addressOf(owner, `/c/${channelId}/t/beans`)})`)
    const page = await visit(owner, `/c/${channelId}${from}`)
    await open(page, garden)
    await page.keyboard.type(TEXT)
    const name = `Message to beans in ${channel}`
    await expect.poll(() => focusedField(page)).toEqual([name, TEXT, TEXT.length, TEXT.length])
    expect(new URL(page.url()).pathname).toMatch(/\/t\/beans$/)
    expect(await page.getByRole('dialog').count()).toBe(0)
    await composer(page).fill('')
  })

  it('puts the caret in the composer of a new topic, and of a topic opened by URL', async () => {
    const { owner, friend, channelId, channel } = await withChannel(await team())
    await say(friend, channelId, 'peas', 'Sweet peas')
    const page = await visit(owner, `/c/${channelId}`)
    await page.getByRole('searchbox', { name: 'Find or start a topic' }).fill('lunch')
    await page.keyboard.press('Enter')
    await page.keyboard.type(TEXT)
    const name = `Message to lunch in ${channel}`
    await expect.poll(() => focusedField(page)).toEqual([name, TEXT, TEXT.length, TEXT.length])
    await page.keyboard.press('Control+Enter')
    await expect.poll(() => fetchTopicContents(friend, channelId, 'lunch')).toEqual([`<p>${TEXT}</p>`])
    await page.goto(addressOf(owner, `/c/${channelId}/t/peas`))
    await composer(page).waitFor()
    await page.keyboard.type(TEXT)
    await expect
      .poll(() => focusedField(page))
      .toEqual([`Message to peas in ${channel}`, TEXT, TEXT.length, TEXT.length])
    // Escape leaves the composer, so that letters are shortcuts again.
    await page.keyboard.press('Escape')
    await page.keyboard.press('i')
    await page.getByRole('heading', { name: 'Inbox', level: 1 }).waitFor()
    expect(await fetchTopicContents(friend, channelId, 'peas')).toEqual(['<p>Sweet peas</p>'])
  })

  it('puts the caret in the composer of an opened channel, and sends the text after a topic is chosen', async () => {
    const { owner, friend, channelId, channel } = await withChannel(await team())
    await say(friend, channelId, 'peas', 'Sweet peas')
    const page = await visit(owner, '/settings')
    const sidebar = page.getByRole('navigation', { name: 'Conversations' })
    await sidebar.getByRole('link', { name: new RegExp(`^${channel}`) }).click()
    await page.keyboard.type(TEXT)
    const name = `Message to ${channel}`
    await expect.poll(() => focusedField(page)).toEqual([name, TEXT, TEXT.length, TEXT.length])
    expect(new URL(page.url()).pathname).toMatch(new RegExp(`^/c/${channelId}-`))
    await page.keyboard.press('Control+Enter')
    await expect.poll(() => focusedField(page)).toEqual(['Topic', '', 0, 0])
    await page.keyboard.type('lunch')
    await page.keyboard.press('Enter')
    await expect
      .poll(() => focusedField(page))
      .toEqual([`Message to lunch in ${channel}`, TEXT, TEXT.length, TEXT.length])
    await page.keyboard.press('Control+Enter')
    await expect.poll(() => fetchTopicContents(friend, channelId, 'lunch')).toEqual([`<p>${TEXT}</p>`])
    await page.getByRole('heading', { name: 'lunch', level: 1 }).waitFor()
    expect(await fetchTopicContents(friend, channelId, 'peas')).toEqual(['<p>Sweet peas</p>'])
    await show(page, '/inbox')
    await sidebar.getByRole('link', { name: new RegExp(`^${channel}`) }).press('Enter')
    await expect.poll(() => focusedField(page)).toEqual([name, '', 0, 0])
    await page.keyboard.press('Escape')
    await page.keyboard.press('i')
    await page.getByRole('heading', { name: 'Inbox', level: 1 }).waitFor()
  })

  it('keeps the caret out of the composer after shortcuts, so that the shortcuts can be repeated', async () => {
    const { owner, friend, channelId, channel } = await withChannel(await team())
    await owner.call('POST', '/mark_all_as_read')
    const page = await visit(owner, '/settings')
    for (const topic of ['beans', 'peas']) await say(friend, channelId, topic, 'Unread')
    await show(page, '/inbox')
    await main(page).getByRole('link', { name: /beans/ }).waitFor()
    const heading = (name: RegExp) => page.getByRole('heading', { name, level: 1 })
    for (const name of [/peas/, /beans/, /peas/]) {
      await page.keyboard.press('n')
      // The view's heading changes before its composer appears.
      await page.keyboard.press('Shift')
      await heading(name).waitFor()
      expect(await focusedField(page)).toBeUndefined()
    }
    // The second key follows before the browser paints the view that the first key opens.
    for (const key of ['n', 'Control', 'n']) await page.keyboard.press(key)
    await heading(/peas/).waitFor()
    expect(await composer(page).inputValue()).toBe('')
    expect(await focusedField(page)).toBeUndefined()
    // Like a pause, Control separates shortcuts.
    await page.keyboard.press('Control')
    await page.keyboard.press('r')
    await expect.poll(() => focusedField(page)).toEqual([`Message to peas in ${channel}`, '', 0, 0])
    // Shortcuts that also work in fields move the caret to the composer of the next topic.
    await page.keyboard.press('Alt+ArrowDown')
    await heading(/peas/).waitFor({ state: 'hidden' })
    await page.keyboard.press('Alt+ArrowUp')
    await heading(/peas/).waitFor()
    await page.keyboard.type(TEXT)
    await expect
      .poll(() => focusedField(page))
      .toEqual([`Message to peas in ${channel}`, TEXT, TEXT.length, TEXT.length])
    await composer(page).fill('')
  })

  it('keeps the caret out of the composer on a touch screen', async () => {
    const { owner, friend, channelId } = await withChannel(await team())
    await say(friend, channelId, 'beans', 'Runner beans')
    const phone = { viewport: { width: 360, height: 700 }, hasTouch: true, isMobile: true }
    const page = await visit(owner, `/c/${channelId}`, phone)
    await main(page).getByRole('link', { name: /beans/ }).tap()
    await list(page).getByText('Runner beans').waitFor()
    expect(await focusedField(page)).toBeUndefined()
  })
})

describe.skipIf(!hasBrowser)('caret while another person acts', () => {
  const CHANGES = [
    { name: 'resolves the topic', topic: '✔ beans' },
    { name: 'renames the topic', topic: 'runner beans' },
    { name: 'merges the topic into another topic', topic: 'peas' },
    { name: 'moves the topic to another channel', topic: 'beans', isToOther: true },
  ]

  it.each(CHANGES)('keeps text and selection in the composer if someone $name', async ({ topic, isToOther }) => {
    const { owner, friend, channelId } = await withChannel(await team())
    const other = await withChannel(await team())
    await say(friend, channelId, 'peas', 'Sweet peas')
    const own = await say(owner, channelId, 'beans', 'Tall beans')
    const page = await visit(owner, `/c/${channelId}/t/beans`)
    await list(page).getByText('Tall beans').waitFor()
    const move = async (to: string, from: number, into: number): Promise<void> => {
      const channel = into === from ? {} : { stream_id: into }
      await friend.call('PATCH', `/messages/${own}`, { topic: to, propagate_mode: 'change_all', ...channel })
      await page.getByRole('heading', { name: new RegExp(to.replace('✔ ', '')), level: 1 }).waitFor()
      await expect.poll(() => decodeURIComponent(new URL(page.url()).pathname)).toContain(`/t/${to}`)
    }
    const into = isToOther === true ? other.channelId : channelId
    await composer(page).fill('abcdef')
    await composer(page).evaluate((field: HTMLTextAreaElement) => field.setSelectionRange(2, 4))
    await move(topic, channelId, into)
    expect((await focusedField(page))?.slice(1)).toEqual(['abcdef', 2, 4])
    await page.keyboard.type('X')
    expect((await focusedField(page))?.slice(1)).toEqual(['abXef', 3, 3])
    // The text has become the draft of the changed topic, and of no other topic.
    await list(page).getByText('Tall beans').hover()
    await list(page)
      .getByRole('article')
      .filter({ hasText: 'Tall beans' })
      .getByRole('button', { name: 'Edit' })
      .click()
    const editor = page.getByRole('textbox', { name: 'Edit message' })
    await editor.fill('ghijkl')
    await editor.evaluate((field: HTMLTextAreaElement) => field.setSelectionRange(1, 5))
    await move('beans', into, channelId)
    expect(await focusedField(page)).toEqual(['Edit message', 'ghijkl', 1, 5])
    await page.keyboard.press('Escape')
    await expect.poll(() => composer(page).inputValue()).toBe('abXef')
    const draft = async (): Promise<unknown> => {
      const { drafts } = await owner.call('GET', '/drafts')
      return drafts.filter(({ to }) => [channelId, other.channelId].includes(to[0] ?? 0))
    }
    await expect.poll(draft).toMatchObject([{ content: 'abXef', topic: 'beans', to: [channelId] }])
    await composer(page).fill('')
    await expect.poll(draft).toEqual([])
  })

  it('keeps text and selection in the composer if someone moves a topic with a draft into the open topic', async () => {
    const { owner, friend, channelId } = await withChannel(await team())
    await say(friend, channelId, 'peas', 'Sweet peas')
    const id = await say(friend, channelId, 'beans', 'Tall beans')
    const page = await visit(owner, `/c/${channelId}/t/beans`)
    await composer(page).fill('abcdef')
    await show(page, `/c/${channelId}/t/peas`)
    await list(page).getByText('Sweet peas').waitFor()
    await composer(page).fill('ghijkl')
    await composer(page).evaluate((field: HTMLTextAreaElement) => field.setSelectionRange(2, 4))
    await friend.call('PATCH', `/messages/${id}`, { topic: 'peas', propagate_mode: 'change_all' })
    await expect.poll(() => composer(page).inputValue()).toBe('ghijkl\n\nabcdef')
    await page.keyboard.type('X')
    expect(await composer(page).inputValue()).toBe('ghXkl\n\nabcdef')
    const drafts = async (): Promise<unknown> =>
      (await owner.call('GET', '/drafts')).drafts.filter(({ to }) => to[0] === channelId)
    await expect.poll(drafts).toMatchObject([{ content: 'ghXkl\n\nabcdef', topic: 'peas' }])
    await composer(page).fill('')
  })

  it('keeps the caret in the composer after the person reacts to or stars a message by mouse', async () => {
    const { owner, friend, channelId } = await withChannel(await team())
    const id = await say(friend, channelId, 'beans', 'Tall beans')
    await friend.call('POST', `/messages/${id}/reactions`, { emoji_name: 'tada' })
    const page = await visit(owner, `/c/${channelId}/t/beans`)
    await composer(page).fill('abcdef')
    await composer(page).evaluate((field: HTMLTextAreaElement) => field.setSelectionRange(2, 4))
    const row = list(page).getByRole('article').filter({ hasText: 'Tall beans' })
    await row.getByRole('button', { name: /tada/ }).click()
    await row.getByRole('button', { name: /you.*tada|tada.*you/i }).waitFor()
    expect((await focusedField(page))?.slice(1)).toEqual(['abcdef', 2, 4])
    await row.hover()
    await row.getByRole('toolbar').getByRole('button', { name: 'Add reaction' }).click()
    await page.getByRole('dialog').getByRole('button', { name: 'red heart', exact: true }).click()
    await row.getByRole('button', { name: /reacted with :heart:/ }).waitFor()
    await row.hover()
    await row.getByRole('button', { name: 'More' }).click()
    await page.getByRole('menuitem', { name: 'Star', exact: true }).click()
    await row.getByText('Starred').waitFor()
    expect((await focusedField(page))?.slice(1)).toEqual(['abcdef', 2, 4])
    await composer(page).fill('')
  })
})

describe.skipIf(!hasBrowser)('destination of a new message', () => {
  it('offers only people, never groups, for a new direct message', async () => {
    const { owner, friend, user, channelId } = await withChannel(await team())
    const ann = await user('Ann')
    await user('Ann Apple')
    await friend.call('POST', '/messages', { type: 'direct', to: [owner.id, ann.id], content: 'We three' })
    const page = await visit(owner, `/c/${channelId}/t/beans`)
    await composer(page).fill('For the topic')
    await page.getByRole('button', { name: 'New direct message' }).click()
    await expect.poll(async () => (await focusedField(page))?.[0]).toBe('Add person')
    await page.getByRole('option', { name: /Fred Friend/ }).waitFor()
    await page.keyboard.type('ann')
    await page.getByRole('option', { name: 'Ann Apple' }).waitFor()
    await page.keyboard.press('Enter')
    const chosen = page.getByRole('group', { name: 'To' }).getByRole('button', { name: /^Remove / })
    await expect.poll(() => chosen.count()).toBe(1)
    await page.keyboard.type('fred,')
    await expect.poll(() => chosen.count()).toBe(2)
    await page.keyboard.press('Backspace')
    await expect.poll(() => chosen.count()).toBe(1)
    await page.keyboard.type('nobody')
    await page.keyboard.press('Enter')
    expect(await focusedField(page)).toEqual(['Add person', 'nobody', 6, 6])
    await page.keyboard.press('Control+a')
    await page.keyboard.press('Delete')
    await page.keyboard.press('Enter')
    await page.keyboard.type('Only you')
    await expect.poll(() => focusedField(page)).toEqual(['Message to Ann', 'Only you', 8, 8])
    await page.getByRole('heading', { name: 'Ann', exact: true, level: 1 }).waitFor()
    await page.keyboard.press('Control+Enter')
    await list(page).getByText('Only you').waitFor()
    await show(page, `/c/${channelId}/t/beans`)
    await expect.poll(() => composer(page).inputValue()).toBe('For the topic')
    await composer(page).fill('')
  })

  it('asks for a topic before sending a message from the topic list', async () => {
    const { owner, friend, channelId, channel } = await withChannel(await team())
    await say(friend, channelId, 'beans', 'Runner beans')
    const page = await visit(owner, `/c/${channelId}`)
    const field = page.getByRole('textbox', { name: `Message to ${channel}` })
    const topic = page.getByRole('combobox', { name: 'Topic' })
    await field.fill('Which topic?')
    expect(await topic.getAttribute('placeholder')).toBe('Choose a topic')
    await page.keyboard.press('Control+Enter')
    await expect.poll(async () => (await focusedField(page))?.[0]).toBe('Topic')
    await page.getByRole('option', { name: 'beans' }).waitFor()
    expect(await fetchTopicContents(friend, channelId, '')).toEqual([])
    await page.keyboard.type('general')
    await page.getByRole('option', { name: 'general chat' }).click()
    expect(await focusedField(page)).toEqual([`Message to general chat in ${channel}`, 'Which topic?', 12, 12])
    await page.keyboard.press('Control+Enter')
    await expect.poll(() => fetchTopicContents(friend, channelId, '')).toEqual(['<p>Which topic?</p>'])
    await show(page, `/c/${channelId}`)
    await expect.poll(() => topic.getAttribute('placeholder')).toBe('Choose a topic')
  })
})
