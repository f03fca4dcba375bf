import type { Page } from 'playwright-core'
import { describe, expect, it } from 'vitest'
import { openAnotherTab, hasBrowser, openAs, show } from './browser.ts'
import { useTeam } from './shared.ts'
import { composer, fetchTopicContents, fetchContents, list, say, type Team, createTeamOn, withChannel } from './team.ts'

const { server, browser, team, visit } = useTeam()
const teamWithChannel = async (): Promise<Team> => withChannel(await team())

const rowOf = (page: Page, text: string) => list(page).getByRole('article').filter({ hasText: text })
const editors = (page: Page) => page.getByRole('textbox', { name: 'Edit message' })

describe.skipIf(!hasBrowser)('message editor', () => {
  it('keeps edits while another message is edited or another conversation is open', async () => {
    const { owner, friend, channelId } = await teamWithChannel()
    await say(owner, channelId, 'beans', 'First bean')
    await say(owner, channelId, 'beans', 'Second bean')
    await say(friend, channelId, 'peas', 'A pea')
    const page = await visit(owner, `/c/${channelId}/t/beans`)
    await rowOf(page, 'First bean').focus()
    await page.keyboard.press('e')
    await expect
      .poll(() =>
        editors(page)
          .first()
          .evaluate((field) => field === document.activeElement),
      )
      .toBe(true)
    await page.keyboard.type(' is tall')
    await rowOf(page, 'Second bean').focus()
    await page.keyboard.press('e')
    await expect.poll(() => editors(page).count()).toBe(2)
    await expect
      .poll(() =>
        editors(page)
          .last()
          .evaluate((field) => field === document.activeElement),
      )
      .toBe(true)
    await page.keyboard.type(' is short')
    await show(page, `/c/${channelId}/t/peas`)
    await rowOf(page, 'A pea').waitFor()
    await show(page, `/c/${channelId}/t/beans`)
    await expect.poll(() => editors(page).count()).toBe(2)
    expect(await editors(page).first().inputValue()).toBe('First bean is tall')
    expect(await editors(page).last().inputValue()).toBe('Second bean is short')
    expect(await editors(page).evaluateAll((all) => all.some((one) => one === document.activeElement))).toBe(false)
    await editors(page).last().press('Escape')
    await editors(page).press('Control+Enter')
    await expect.poll(() => fetchTopicContents(friend, channelId, 'beans')).toContain('<p>First bean is tall</p>')
    await rowOf(page, 'Second bean').waitFor()
    expect(await editors(page).count()).toBe(0)
  })

  it('offers to turn an edit into a new message if the time limit passes during editing', async () => {
    const { owner, friend, channelId } = await createTeamOn(server())
    await say(friend, channelId, 'beans', 'A bean')
    const page = await openAs(browser(), friend, `/c/${channelId}/t/beans`)
    await rowOf(page, 'A bean').waitFor()
    await composer(page).press('ArrowUp')
    await editors(page).press('End')
    await page.keyboard.type(' grows')
    await owner.call('PATCH', '/realm', { message_content_edit_limit_seconds: 1 })
    await page.getByRole('alert').getByText('The time limit for editing this message has passed.').waitFor()
    expect(await page.getByRole('button', { name: 'Save', exact: true }).count()).toBe(0)
    expect(await editors(page).inputValue()).toBe('A bean grows')
    await page.getByRole('button', { name: 'Turn into new message' }).click()
    await expect.poll(() => composer(page).inputValue()).toBe('A bean grows')
    expect(await editors(page).count()).toBe(0)
    await composer(page).fill('')
    await composer(page).press('ArrowUp')
    await page.getByText('You can no longer edit this message: the time limit has passed').first().waitFor()
    expect(await editors(page).count()).toBe(0)
  })

  it('opens the conversation when an edit in a list of messages is turned into a new message', async () => {
    const { owner, friend, channelId } = await createTeamOn(server())
    await say(friend, channelId, 'beans', 'A bean')
    const page = await openAs(browser(), friend, '/feed')
    await page.getByRole('article').filter({ hasText: 'A bean' }).focus()
    await page.keyboard.press('e')
    await editors(page).fill('A bean grows')
    await owner.call('PATCH', '/realm', { message_content_edit_limit_seconds: 1 })
    await page.getByRole('button', { name: 'Turn into new message' }).click()
    await page.getByRole('heading', { name: /beans/, level: 1 }).waitFor()
    await expect.poll(() => composer(page).inputValue()).toBe('A bean grows')
    expect(await editors(page).count()).toBe(0)
  })

  it('restores a discarded edit on undo', async () => {
    const { owner, channelId } = await teamWithChannel()
    await say(owner, channelId, 'beans', 'A bean')
    const page = await visit(owner, `/c/${channelId}/t/beans`)
    await rowOf(page, 'A bean').focus()
    await page.keyboard.press('e')
    await editors(page).press('Escape')
    await expect.poll(() => editors(page).count()).toBe(0)
    expect(await page.getByText('Edit discarded').count()).toBe(0)
    await page.keyboard.press('e')
    await editors(page).fill('A bean of many words')
    await editors(page).press('Escape')
    await page.getByText('Edit discarded', { exact: true }).waitFor()
    await page.keyboard.press('Control+z')
    await expect.poll(() => editors(page).evaluate((field) => field === document.activeElement)).toBe(true)
    expect(await editors(page).inputValue()).toBe('A bean of many words')
    await page.keyboard.press('Control+Enter')
    await expect.poll(() => fetchTopicContents(owner, channelId, 'beans')).toEqual(['<p>A bean of many words</p>'])
  })

  it('formats, completes, previews, and uploads in the message editor as in the composer', async () => {
    const { owner, friend, channelId } = await teamWithChannel()
    await say(owner, channelId, 'beans', 'A bean')
    const page = await visit(owner, `/c/${channelId}/t/beans`)
    await rowOf(page, 'A bean').focus()
    await page.keyboard.press('e')
    const form = list(page)
      .locator('form')
      .filter({ has: editors(page) })
    await editors(page).fill('tall')
    await page.keyboard.press('Control+a')
    await form.getByRole('button', { name: 'Bold' }).click()
    await expect.poll(() => editors(page).inputValue()).toBe('**tall**')
    await page.keyboard.press('End')
    await page.keyboard.type(' @fred')
    await page.getByRole('option', { name: /Fred Friend/ }).waitFor()
    await page.keyboard.press('Enter')
    expect(await editors(page).inputValue()).toBe('**tall** @**Fred Friend** ')
    await form.getByRole('button', { name: 'Preview' }).click()
    await form.getByRole('region', { name: 'Preview' }).getByText('tall', { exact: true }).waitFor()
    await editors(page).evaluate((field) => {
      const clipboardData = new DataTransfer()
      clipboardData.items.add(new File(['x'], 'plan.txt'))
      field.dispatchEvent(new ClipboardEvent('paste', { clipboardData, bubbles: true, cancelable: true }))
    })
    await page.keyboard.press('Control+Enter')
    await expect
      .poll(async () => (await fetchTopicContents(friend, channelId, 'beans'))[0])
      .toMatch(/<strong>tall<\/strong> .*Fred Friend<\/span> <a href="\/user_uploads\/.*plan\.txt<\/a>/)
    await expect.poll(() => editors(page).count()).toBe(0)
  })

  it('shows the quote of a reply above the text, keeps it when the text is saved, and removes it on request', async () => {
    const { owner, friend, channelId } = await teamWithChannel()
    const quoted = await say(friend, channelId, 'quotes', 'A bean')
    const quote = `@_**Fred Friend|${friend.id}** [said](${owner.url}/c/${channelId}/t/quotes?near=${quoted}):\n\`\`\`quote\nA bean\n\`\`\`\n`
    const id = await say(owner, channelId, 'quotes', `${quote}My answer`)
    const fetchSource = async () =>
      (await owner.call('GET', `/messages/${id}`, { apply_markdown: false }))['raw_content']
    const page = await visit(owner, `/c/${channelId}/t/quotes`)
    const group = list(page).getByRole('group', { name: 'Replying to Fred Friend' })
    const edit = async (): Promise<void> => {
      await list(page).getByRole('article').last().focus()
      await page.keyboard.press('e')
      await group.getByText('A bean').waitFor()
    }
    await edit()
    expect(await editors(page).inputValue()).toBe('My answer')
    await editors(page).fill('My new answer')
    await page.keyboard.press('Control+Enter')
    await expect.poll(fetchSource).toBe(`${quote}My new answer`)
    await edit()
    await group.getByRole('button', { name: 'Remove quote' }).click()
    await group.waitFor({ state: 'hidden' })
    await page.keyboard.press('Control+Enter')
    await expect.poll(fetchSource).toBe('My new answer')
  })

  it('follows the Enter key setting, and returns the focus to the edited message', async () => {
    const { owner, friend, channelId } = await createTeamOn(server())
    await say(owner, channelId, 'beans', 'A bean')
    await say(friend, channelId, 'beans', 'Another')
    await owner.call('PATCH', '/settings', { enter_sends: false })
    const page = await openAs(browser(), owner, `/c/${channelId}/t/beans`, { viewport: { width: 320, height: 640 } })
    await composer(page).waitFor()
    const row = rowOf(page, 'A bean')
    const hasFocus = async (): Promise<boolean> => row.evaluate((element) => element === document.activeElement)
    await row.focus()
    await page.keyboard.press('e')
    await expect.poll(() => editors(page).evaluate((field) => field === document.activeElement)).toBe(true)
    expect(await editors(page).getAttribute('dir')).toBe('auto')
    await page.keyboard.press('Escape')
    await expect.poll(hasFocus).toBe(true)
    await page.keyboard.press('e')
    await expect.poll(() => editors(page).evaluate((field) => field === document.activeElement)).toBe(true)
    await page.keyboard.press('Enter')
    await page.keyboard.type('and a pea')
    expect(await editors(page).inputValue()).toBe('A bean\nand a pea')
    await page.keyboard.press('Control+Enter')
    await expect.poll(async () => (await fetchContents(friend))[0]).toMatch(/A bean<br>\s*and a pea/)
    await expect.poll(hasFocus).toBe(true)
    await page.keyboard.press('j')
    await expect.poll(() => rowOf(page, 'Another').evaluate((element) => element === document.activeElement)).toBe(true)
  })
})

describe.skipIf(!hasBrowser)('editor of a message that another person moves', () => {
  /** Starts editing the second of four messages, and selects a part of the new text. */
  async function edit({ owner, friend, channelId }: Team): Promise<{ readonly page: Page; readonly id: number }> {
    await say(friend, channelId, 'beans', 'First bean')
    const id = await say(owner, channelId, 'beans', 'Second bean')
    await say(friend, channelId, 'beans', 'Third bean')
    await say(friend, channelId, 'peas', 'A pea')
    const page = await visit(owner, `/c/${channelId}/t/beans`)
    await composer(page).fill('A draft for beans')
    await rowOf(page, 'Second bean').focus()
    await page.keyboard.press('e')
    await editors(page).fill('abcdef')
    await editors(page).evaluate((field: HTMLTextAreaElement) => field.setSelectionRange(2, 4, 'backward'))
    return { page, id }
  }

  const selected = async (page: Page): Promise<readonly unknown[] | undefined> =>
    page.evaluate(() => {
      const { activeElement: field } = document
      if (!(field instanceof HTMLTextAreaElement)) return undefined
      return [field.ariaLabel, field.value, field.selectionStart, field.selectionEnd, field.selectionDirection]
    })

  it.each(['change_one', 'change_later'])(
    'keeps an edit and the selection in it when its message is moved with the mode %s',
    async (propagate_mode) => {
      const made = await withChannel(await team())
      const { friend, channelId, channel } = made
      const { page, id } = await edit(made)
      await friend.call('PATCH', `/messages/${id}`, { topic: 'peas', propagate_mode })
      await page.getByRole('heading', { name: /peas/, level: 1 }).waitFor()
      expect(await selected(page)).toEqual(['Edit message', 'abcdef', 2, 4, 'backward'])
      await rowOf(page, 'A pea').waitFor()
      expect(await selected(page)).toEqual(['Edit message', 'abcdef', 2, 4, 'backward'])
      expect(await rowOf(page, 'First bean').count()).toBe(0)
      await page.keyboard.type('X')
      await page.keyboard.press('Control+Enter')
      await expect.poll(() => fetchTopicContents(friend, channelId, 'peas')).toContain('<p>abXef</p>')
      // The old topic keeps its draft.
      await page.getByRole('textbox', { name: `Message to peas in ${channel}` }).waitFor()
      expect(await composer(page).inputValue()).toBe('')
      await show(page, `/c/${channelId}/t/beans`)
      await rowOf(page, 'First bean').waitFor()
      await expect.poll(() => composer(page).inputValue()).toBe('A draft for beans')
    },
  )

  it('does not open the new topic of an edited message if the person writes elsewhere, but links to it', async () => {
    const made = await withChannel(await team())
    const { page, id } = await edit(made)
    await composer(page).focus()
    await made.friend.call('PATCH', `/messages/${id}`, { topic: 'peas', propagate_mode: 'change_one' })
    const status = page.getByRole('status').filter({ hasText: 'The message you’re editing was moved to peas.' })
    await status.waitFor()
    expect((await selected(page))?.slice(0, 2)).toEqual([`Message to beans in ${made.channel}`, 'A draft for beans'])
    await status.getByRole('button', { name: 'Go to message' }).click()
    await rowOf(page, 'A pea').waitFor()
    expect(await editors(page).inputValue()).toBe('abcdef')
  })

  it.each(['moved to an unreadable channel', 'deleted'])(
    'turns edits into drafts if the message is %s',
    async (how) => {
      const made = await withChannel(await team())
      const { owner, friend, channel } = made
      await friend.call('POST', '/users/me/subscriptions', {
        subscriptions: [{ name: `cellar of ${channel}` }],
        invite_only: true,
      })
      const { stream_id } = await friend.call('GET', '/get_stream_id', { stream: `cellar of ${channel}` })
      await owner.call('PATCH', `/users/${friend.id}`, { role: 200 })
      const { page, id } = await edit(made)
      if (how === 'deleted') await friend.call('DELETE', `/messages/${id}`)
      else await friend.call('PATCH', `/messages/${id}`, { stream_id, topic: 'hidden', propagate_mode: 'change_one' })
      await page
        .getByRole('status')
        .getByText('The message you were editing is gone. Your text is now a draft.')
        .waitFor()
      await page.keyboard.type('X')
      const text = 'A draft for beans\n\nabcdefX'
      await expect
        .poll(async () => (await selected(page))?.slice(0, 2))
        .toEqual([`Message to beans in ${channel}`, text])
      expect(await rowOf(page, 'Second bean').count()).toBe(0)
      await composer(page).fill('')
    },
  )

  it('keeps the caret in the composer when an edit is appended to a draft that ends in a space', async () => {
    const made = await withChannel(await team())
    await made.owner.call('PATCH', `/users/${made.friend.id}`, { role: 200 })
    const { page, id } = await edit(made)
    await composer(page).focus()
    await page.keyboard.press('Control+End')
    await page.keyboard.type(' and ')
    await made.friend.call('DELETE', `/messages/${id}`)
    await expect.poll(() => composer(page).inputValue()).toBe('A draft for beans and \n\nabcdef')
    await page.keyboard.type('peas')
    expect(await composer(page).inputValue()).toBe('A draft for beans and peas\n\nabcdef')
    await composer(page).fill('')
  })
})

describe.skipIf(!hasBrowser)('message edited in two tabs', () => {
  /** Starts editing a message in two tabs, and continues in the first tab. */
  async function inTwoTabs({ owner, friend, channelId }: Team) {
    await owner.call('PATCH', `/users/${friend.id}`, { role: 200 })
    const id = await say(owner, channelId, 'beans', 'A bean')
    const page = await visit(owner, `/c/${channelId}/t/beans`)
    await rowOf(page, 'A bean').focus()
    await page.keyboard.press('e')
    await editors(page).fill('A tall')
    const tab = await openAnotherTab(page, `/c/${channelId}/t/beans`)
    await expect.poll(() => editors(tab).inputValue()).toBe('A tall')
    await editors(page).fill('A tall bean')
    const remove = async (): Promise<void> => {
      await friend.call('DELETE', `/messages/${id}`)
      for (const one of [page, tab]) await list(one).getByRole('article').waitFor({ state: 'detached' })
    }
    const drafts = async (): Promise<unknown[]> =>
      (await owner.call('GET', '/drafts')).drafts.filter(({ to }) => to[0] === channelId)
    return { page, tab, remove, drafts }
  }

  it('turns an edit open in two tabs into one draft with the newest text if the message is deleted', async () => {
    const { page, tab, remove, drafts } = await inTwoTabs(await teamWithChannel())
    await remove()
    for (const one of [page, tab]) await expect.poll(() => composer(one).inputValue()).toBe('A tall bean')
    await expect.poll(drafts).toMatchObject([{ content: 'A tall bean' }])
    for (const one of [page, tab]) expect(await composer(one).inputValue()).toBe('A tall bean')
    await composer(page).fill('')
  })

  it('makes no draft of an edit that was saved before the message was deleted', async () => {
    const made = await teamWithChannel()
    const { page, tab, remove, drafts } = await inTwoTabs(made)
    await editors(page).press('Control+Enter')
    await expect.poll(() => fetchTopicContents(made.friend, made.channelId, 'beans')).toEqual(['<p>A tall bean</p>'])
    await expect.poll(() => editors(page).count()).toBe(0)
    await remove()
    for (const one of [page, tab]) expect(await composer(one).inputValue()).toBe('')
    expect(await drafts()).toEqual([])
  })

  it('shows the text saved in another tab before a second save replaces it', async () => {
    const { owner, friend, channelId } = await teamWithChannel()
    await say(owner, channelId, 'beans', 'A bean')
    const page = await visit(owner, `/c/${channelId}/t/beans`)
    const tab = await openAnotherTab(page, `/c/${channelId}/t/beans`)
    const begin = async (one: Page, text: string): Promise<void> => {
      await rowOf(one, 'bean').focus()
      await one.keyboard.press('e')
      await editors(one).fill(text)
    }
    await begin(page, 'A tall bean')
    await begin(tab, 'A short bean')
    await page.keyboard.press('Control+Enter')
    await expect.poll(() => fetchTopicContents(friend, channelId, 'beans')).toEqual(['<p>A tall bean</p>'])
    await tab.keyboard.press('Control+Enter')
    const changed = tab.getByRole('alert').filter({ hasText: 'This message has changed since you started editing.' })
    await changed.getByText('A tall bean', { exact: true }).waitFor()
    expect(await editors(tab).inputValue()).toBe('A short bean')
    expect(await fetchTopicContents(friend, channelId, 'beans')).toEqual(['<p>A tall bean</p>'])
    await tab.getByRole('button', { name: 'Save anyway' }).click()
    await expect.poll(() => fetchTopicContents(friend, channelId, 'beans')).toEqual(['<p>A short bean</p>'])
    await expect.poll(() => editors(tab).count()).toBe(0)
    await tab.getByText('Message edited', { exact: true }).waitFor()
    await tab.keyboard.press('Control+z')
    await expect.poll(() => fetchTopicContents(friend, channelId, 'beans')).toEqual(['<p>A tall bean</p>'])
    // Saving equal text in both tabs is not a conflict.
    await begin(page, 'A bean')
    await begin(tab, 'A bean')
    for (const one of [page, tab]) {
      await one.keyboard.press('Control+Enter')
      await expect.poll(() => editors(one).count()).toBe(0)
    }
    expect(await fetchTopicContents(friend, channelId, 'beans')).toEqual(['<p>A bean</p>'])
  })
})
