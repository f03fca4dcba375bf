import { describe, expect, it } from 'vitest'
import type { Page } from 'playwright-core'
import { addressOf, hasBrowser, openAs, pressShortcut } from './browser.ts'
import { useTeam } from './shared.ts'
import { composer, fetchContents, hasRead, leaveComposer, list, say, type Team } from './team.ts'
import { showView } from './views.ts'

const { browser, team, visit, makeTeam, openPage } = useTeam()

interface TeamWithPage extends Team {
  readonly page: Page
}

/** Returns a team and a page of its owner, who has read everything. Each test uses its own topics. */
async function teamWithPage(): Promise<TeamWithPage> {
  const made = await team()
  await made.owner.call('POST', '/mark_all_as_read')
  return { ...made, page: await visit(made.owner, '/settings') }
}

describe.skipIf(!hasBrowser)('inbox', () => {
  it('lists unread conversations, marks a conversation as read, and undoes that', async () => {
    const { owner, friend, channelId, page } = await teamWithPage()
    const id = await say(friend, channelId, 'beans', 'Read me')
    await friend.call('POST', '/messages', { type: 'direct', to: [owner.id], content: 'Only you' })
    await showView(page, '/inbox')
    const main = page.getByRole('main')
    await main.getByRole('link', { name: /Fred Friend.*Only you/ }).waitFor()
    await main.getByRole('link', { name: /beans.*Read me/ }).waitFor()
    await main.getByRole('button', { name: 'Mark as read: beans in garden' }).click()
    // Rows stay while the pointer is in the list.
    await page.mouse.move(-1, -1)
    await expect.poll(() => main.getByRole('link', { name: /beans/ }).count()).toBe(0)
    expect(await hasRead(owner, id)).toBe(true)
    await page.getByRole('button', { name: 'Undo' }).click()
    await main.getByRole('link', { name: /beans/ }).waitFor()
    expect(await hasRead(owner, id)).toBe(false)
  })

  it('goes through all unread conversations with one key', async () => {
    const { owner, friend, channelId, page } = await teamWithPage()
    await say(friend, channelId, 'chard', 'Chard')
    await friend.call('POST', '/messages', { type: 'direct', to: [owner.id], content: 'You alone' })
    await showView(page, '/inbox')
    await page.getByRole('main').getByRole('link', { name: /chard/ }).waitFor()
    await pressShortcut(page, 'n')
    await list(page).getByText('You alone').waitFor()
    await pressShortcut(page, 'n')
    await list(page).getByText('Chard').waitFor()
    await pressShortcut(page, 'i')
    await page.getByRole('heading', { name: 'Inbox' }).waitFor()
    expect(page.url()).toBe(addressOf(owner, '/inbox'))
  })
})

describe.skipIf(!hasBrowser)('conversation after sending', () => {
  it('marks answers as read, without scrolling, if the reader sent a message at the end of the topic', async () => {
    const { owner, friend, channelId, page } = await teamWithPage()
    await say(friend, channelId, 'sprouts', 'Any sprouts?')
    await showView(page, `/c/${channelId}/t/sprouts`)
    await list(page).getByText('Any sprouts?').waitFor()
    await composer(page).fill('Many sprouts')
    await page.keyboard.press('Control+Enter')
    await list(page).getByText('Many sprouts').first().waitFor()
    const answer = await say(friend, channelId, 'sprouts', 'Thank you')
    await list(page).getByText('Thank you').waitFor()
    await page.mouse.move(600, 300)
    await expect.poll(() => hasRead(owner, answer)).toBe(true)
  })

  it('opens the group conversation if the sender added people to a DM', async () => {
    const { friend, user, page } = await teamWithPage()
    await user('Greta Green')
    await showView(page, `/dm/${friend.id}`)
    await page.getByRole('heading', { name: 'Fred Friend', level: 1 }).waitFor()
    await page.getByRole('combobox', { name: 'Add person' }).fill('greta')
    await page.getByRole('option', { name: /Greta Green/ }).waitFor()
    await page.keyboard.press('Enter')
    await composer(page).fill('Both of you')
    await page.keyboard.press('Control+Enter')
    await page.getByRole('heading', { name: 'Fred Friend and Greta Green', level: 1 }).waitFor()
    await list(page).getByText('Both of you').waitFor()
    await expect.poll(() => fetchContents(friend)).toContain('<p>Both of you</p>')
  })
})

describe.skipIf(!hasBrowser)('times to choose from', () => {
  it('lists this evening before an hour from now if it comes first', async () => {
    const { friend } = await team()
    const page = await openAs(browser(), friend, '/inbox')
    await page.clock.setFixedTime(new Date(2030, 4, 1, 17, 30))
    await page
      .getByRole('navigation')
      .getByRole('button', { name: /Fred Friend/ })
      .click()
    await page.getByRole('menuitem', { name: 'Pause notifications' }).click()
    await page.getByRole('menuitem', { name: /^In an hour/ }).waitFor()
    const titles = await page.getByRole('menuitem').allTextContents()
    expect(titles.map((title) => title.slice(0, 4))).toEqual(['This', 'In a', 'Tomo', 'Mond', 'Choo'])
  })
})

describe.skipIf(!hasBrowser)('recent conversations', () => {
  it('lists recent conversations newest first, and updates them live', async () => {
    const { owner, friend, channelId } = await makeTeam()
    await say(owner, channelId, 'beans', 'Beans')
    await say(friend, channelId, 'peas', 'Peas')
    await friend.call('POST', '/messages', { type: 'direct', to: [owner.id], content: 'Only you' })
    const page = await openPage(owner)
    await page.getByRole('heading', { name: 'Inbox' }).waitFor()
    await pressShortcut(page, 't')
    const rows = page.getByRole('main').getByRole('listitem')
    await expect.poll(() => rows.allTextContents()).toHaveLength(3)
    const texts = await rows.allTextContents()
    expect(texts.map((text) => /Only you|Peas|Beans/.exec(text)?.[0])).toEqual(['Only you', 'Peas', 'Beans'])
    await page.getByRole('button', { name: 'Participated' }).click()
    await expect.poll(() => rows.count()).toBe(1)
    await page.getByRole('button', { name: 'Participated' }).click()
    // Rows keep their order while the pointer is in the list.
    await page.mouse.move(-1, -1)
    await say(friend, channelId, 'beans', 'More beans')
    await expect.poll(() => rows.first().textContent()).toContain('More beans')
    await rows.first().getByRole('link').click()
    await list(page).getByText('More beans').waitFor()
  })
})

describe.skipIf(!hasBrowser)('message actions', () => {
  it('edits, quotes, stars, and deletes a message from its menu', async () => {
    const { owner, channelId } = await makeTeam()
    const id = await say(owner, channelId, 'beans', 'Mine')
    const page = await openPage(owner, `/c/${channelId}/t/beans`)
    const row = list(page).getByRole('article').first()
    await row.hover()
    await row.getByRole('button', { name: 'Edit' }).click()
    await page.getByRole('textbox', { name: 'Edit message' }).fill('Mine, mended')
    await pressShortcut(page, 'Control+Enter')
    await list(page).getByText('Mine, mended').waitFor()
    await row.hover()
    await row.getByRole('button', { name: 'Star' }).click()
    await row.getByText('starred').waitFor()
    await row.getByRole('button', { name: 'Reply', exact: true }).click()
    await page.getByRole('group', { name: 'Replying to Olivia Owner' }).getByText('Mine, mended').waitFor()
    await page.getByRole('button', { name: 'Remove quote' }).click()
    await row.hover()
    await row.getByRole('button', { name: 'More' }).click()
    await page.getByRole('menuitem', { name: 'Delete' }).click()
    await row.getByText('Message deleted').waitFor()
    await page.close()
    await expect.poll(async () => (await owner.try('GET', `/messages/${id}`)).status).toBe(400)
  })

  it('selects, reacts to, and replies to messages by keyboard', async () => {
    const { owner, friend, channelId, page } = await teamWithPage()
    await say(friend, channelId, 'leeks', 'One')
    const id = await say(friend, channelId, 'leeks', 'Two')
    await showView(page, `/c/${channelId}/t/leeks`)
    await list(page).getByText('Two').waitFor()
    await leaveComposer(page)
    await pressShortcut(page, 'k')
    await expect.poll(() => page.evaluate(() => document.activeElement?.textContent)).toContain('Two')
    await pressShortcut(page, '+')
    await page.getByRole('button', { name: /you reacted with :\+1:/ }).waitFor()
    await pressShortcut(page, 'k')
    await expect.poll(() => page.evaluate(() => document.activeElement?.textContent)).toContain('One')
    await pressShortcut(page, 'r')
    await page.keyboard.type('Good')
    await pressShortcut(page, 'Control+Enter')
    await list(page).getByText('Good').waitFor()
    const { message } = await owner.call('GET', `/messages/${id}`)
    expect(message).toMatchObject({ reactions: [{ emoji_name: '+1', user_id: owner.id }] })
  })
})

describe.skipIf(!hasBrowser)('channels', () => {
  it('creates, finds, joins, and leaves channels', async () => {
    const { friend, page } = await teamWithPage()
    await showView(page, '/channels')
    await page.getByRole('button', { name: 'Create channel' }).click()
    const dialog = page.getByRole('dialog')
    await dialog.getByLabel('Name').fill('kitchen')
    await dialog.getByLabel('Description').fill('Lunch')
    await dialog.getByRole('button', { name: 'Create channel' }).click()
    await page.getByRole('heading', { name: 'kitchen' }).waitFor()
    const theirs = await openPage(friend, '/channels')
    await theirs.getByRole('button', { name: 'Join: kitchen' }).click()
    const nav = theirs.getByRole('navigation', { name: 'Conversations' })
    await nav.getByRole('link', { name: /^kitchen/ }).waitFor()
    await theirs.getByRole('button', { name: 'Leave: kitchen' }).click()
    await expect.poll(() => nav.getByRole('link', { name: /^kitchen/ }).count()).toBe(0)
    await theirs.getByRole('button', { name: 'Undo' }).last().click()
    await nav.getByRole('link', { name: /^kitchen/ }).waitFor()
  })

  it('opens a channel as a list of topics, and starts a new topic from the list', async () => {
    const { friend, channelId, page } = await teamWithPage()
    await say(friend, channelId, 'onions', 'Onions')
    await showView(page, `/c/${channelId}`)
    await page
      .getByRole('main')
      .getByRole('link', { name: /onions/ })
      .waitFor()
    await say(friend, channelId, 'melons', 'Melons')
    await page
      .getByRole('main')
      .getByRole('link', { name: /melons/ })
      .waitFor()
    await page.getByRole('searchbox', { name: 'Find or start a topic' }).fill('roses')
    await page.getByRole('button', { name: 'New topic' }).click()
    // Not the composer of the channel, which the view replaces after a paint.
    await page.getByRole('textbox', { name: /^Message to roses in / }).fill('The first rose')
    await page.getByRole('button', { name: 'Send', exact: true }).click()
    await list(page).getByRole('article').getByText('The first rose').waitFor()
    expect(page.url()).toContain(`/c/${channelId}-garden/t/roses`)
  })
})

describe.skipIf(!hasBrowser)('people', () => {
  it('adds people to a channel, and shows the readers of a message', async () => {
    const { owner, friend, channelId, user, page } = await teamWithPage()
    const guest = await user('Gina Green')
    await owner.call('PATCH', '/realm', { enable_read_receipts: true })
    const id = await say(owner, channelId, 'receipts', 'Who has read this?')
    await friend.call('POST', '/messages/flags', { messages: [id], op: 'add', flag: 'read' })
    await showView(page, `/c/${channelId}`)
    await page.getByRole('main').getByRole('button', { name: 'More', exact: true }).click()
    await page.getByRole('menuitem', { name: 'People' }).click()
    const dialog = page.getByRole('dialog', { name: 'garden' })
    await dialog.getByText('Fred Friend').waitFor()
    await dialog.getByRole('searchbox', { name: 'Find a person to add' }).fill('gina')
    await dialog.getByRole('button', { name: 'Gina Green' }).click()
    await dialog.getByRole('button', { name: 'Add 1 person' }).click()
    await page.getByText('1 person added to garden').waitFor()
    const { subscribers } = await owner.call('GET', `/streams/${channelId}/members`)
    expect(subscribers).toContain(guest.id)
    await pressShortcut(page, 'Escape')
    await showView(page, `/c/${channelId}/t/receipts`)
    await list(page).getByRole('article').first().focus()
    await page.getByRole('toolbar').getByRole('button', { name: 'More' }).click()
    await page.getByRole('menuitem', { name: 'Read by' }).click()
    await page.getByRole('dialog', { name: 'Read by' }).getByText('Fred Friend').waitFor()
    expect(await page.getByRole('dialog').getByRole('listitem').count()).toBe(1)
    await pressShortcut(page, 'Escape')
  })
})

describe.skipIf(!hasBrowser)('messages', () => {
  it('moves a message to another topic, and opens that topic', async () => {
    const { owner, friend, channelId, page } = await teamWithPage()
    await say(friend, channelId, 'turnips', 'Stays')
    const id = await say(friend, channelId, 'turnips', 'Goes')
    await showView(page, `/c/${channelId}/t/turnips?near=${id}`)
    await list(page).getByText('Goes').waitFor()
    await leaveComposer(page)
    await pressShortcut(page, 'k')
    await pressShortcut(page, 'm')
    await page.getByRole('dialog').getByRole('combobox', { name: 'Topic' }).fill('gourds')
    await page.getByRole('dialog').getByRole('button', { name: 'Move', exact: true }).click()
    await page.getByRole('heading', { name: /gourds/ }).waitFor()
    await list(page).getByText('Goes').waitFor()
    expect(await list(page).getByText('Stays').count()).toBe(0)
    const { message } = await owner.call('GET', `/messages/${id}`)
    expect(message).toMatchObject({ subject: 'gourds' })
  })

  it('shows the edit history of a message', async () => {
    const { owner, channelId, page } = await teamWithPage()
    const id = await say(owner, channelId, 'counts', 'Seven beans')
    await owner.call('PATCH', `/messages/${id}`, { content: 'Eight beans' })
    await showView(page, `/c/${channelId}/t/counts`)
    await list(page).getByText('Eight beans').waitFor()
    await leaveComposer(page)
    await pressShortcut(page, 'k')
    await page.getByRole('toolbar').getByRole('button', { name: 'More' }).click()
    await page.getByRole('menuitem', { name: 'Edit history' }).click()
    await page.getByRole('dialog').getByText('Seven').first().waitFor()
    expect(await page.getByRole('dialog').getByRole('listitem').count()).toBe(2)
    await pressShortcut(page, 'Escape')
  })

  it('votes in a poll, and adds an option', async () => {
    const { friend, channelId, page: mine } = await teamWithPage()
    await say(friend, channelId, 'lunch', '/poll Where?\nIn\nOut')
    const path = `/c/${channelId}/t/lunch`
    await showView(mine, path)
    const theirs = await openPage(friend, path)
    await mine.getByRole('group', { name: 'Poll: Where?' }).getByRole('button', { name: 'Out: 0 votes' }).click()
    await theirs.getByRole('button', { name: 'Out: 1 vote' }).click()
    await mine.getByRole('button', { name: 'Out: 2 votes' }).click()
    await theirs.getByRole('button', { name: 'Out: 1 vote' }).waitFor()
    await mine.getByRole('textbox', { name: 'New option' }).fill('At home')
    await mine.keyboard.press('Enter')
    await theirs.getByRole('button', { name: 'At home: 0 votes' }).waitFor()
    expect(await theirs.getByRole('button', { name: /: \d votes?, \d+%$/ }).count()).toBe(3)
  })

  it('finds messages by words, channel, and topic, and opens their conversation', async () => {
    const { friend, channelId, page } = await teamWithPage()
    await say(friend, channelId, 'thistles', 'The needle')
    await say(friend, channelId, 'nettles', 'A needle, too')
    await showView(page, '/inbox')
    await pressShortcut(page, '/')
    await page.getByRole('combobox', { name: 'Search messages' }).fill('channel:garden topic:thistles needle')
    await pressShortcut(page, 'Enter')
    await page.getByRole('region', { name: 'Messages' }).getByText('The needle').waitFor()
    expect(await page.getByText('A needle, too').count()).toBe(0)
    await page
      .getByRole('main')
      .getByRole('link', { name: /garden.*thistles/ })
      .click()
    await page.getByRole('heading', { name: /thistles/ }).waitFor()
    expect(page.url()).toContain('/t/thistles?near=')
  })

  it('announces only messages of the open conversation to screen readers', async () => {
    const { friend, channelId, page } = await teamWithPage()
    await showView(page, `/c/${channelId}/t/radio`)
    await composer(page).waitFor()
    const announcer = page.locator('[data-announcer]')
    await say(friend, channelId, 'peas', 'Elsewhere')
    await say(friend, channelId, 'radio', 'Here and **now**')
    await expect.poll(() => announcer.textContent()).toBe('Fred Friend: Here and now')
    expect(await page.locator('[aria-live]').count()).toBe(3)
  })
})

describe.skipIf(!hasBrowser)('scheduled messages and reminders', () => {
  it('schedules a message, undoes the scheduling, and sets and deletes a reminder', async () => {
    const { owner, friend, channelId, page } = await teamWithPage()
    await say(friend, channelId, 'morning', 'Water them')
    await showView(page, `/c/${channelId}/t/morning`)
    await composer(page).fill('Good morning')
    await page.getByRole('button', { name: 'Send later' }).click()
    await page.getByRole('menuitem', { name: /Tomorrow morning/ }).click()
    await page.getByText(/^Message scheduled: /).waitFor()
    expect(await owner.call('GET', '/scheduled_messages')).toMatchObject({
      scheduled_messages: [{ content: 'Good morning', to: channelId, topic: 'morning' }],
    })
    await page.getByRole('button', { name: 'Undo' }).click()
    await expect.poll(() => composer(page).inputValue()).toBe('Good morning')
    expect(await owner.call('GET', '/scheduled_messages')).toMatchObject({ scheduled_messages: [] })
    await composer(page).fill('')
    await list(page).getByRole('article').first().focus()
    await pressShortcut(page, 'h')
    await page.getByRole('menuitem', { name: /In an hour/ }).click()
    await page.getByText(/^Reminder set: /).waitFor()
    await showView(page, '/reminders')
    await page.getByRole('heading', { name: 'Reminders' }).waitFor()
    await page
      .getByRole('main')
      .getByRole('button', { name: /^Delete reminder: / })
      .click()
    await page.getByText('No reminders').waitFor()
    expect(await owner.call('GET', '/reminders')).toMatchObject({ reminders: [] })
  })
})

describe.skipIf(!hasBrowser)('language setting', () => {
  it('switches the client to German, and keeps the language after a reload', async () => {
    const { owner } = await makeTeam()
    const page = await openPage(owner, '/settings/appearance')
    await page.getByLabel('Language').selectOption('Deutsch')
    await page.getByRole('heading', { name: 'Einstellungen' }).waitFor()
    await page.reload()
    await page.getByRole('link', { name: 'Eingang' }).click()
    await page.getByText('Alles gelesen').waitFor()
    expect(await page.evaluate(() => document.documentElement.lang)).toBe('de')
  })
})
