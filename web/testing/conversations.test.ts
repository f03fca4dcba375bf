import { describe, expect, it } from 'vitest'
import type { Page } from 'playwright-core'
import { addressOf, hasBrowser } from './browser.ts'
import { startAt, useShared, useTeam } from './shared.ts'
import { composer, hasRead, list, say, teamOn, type Team } from './team.ts'

const { server, browser, makeTeam, openPage } = useTeam()

interface Reader extends Team {
  readonly page: Page
}

const shared = useShared(browser, async (open): Promise<Reader> => {
  const team = await teamOn(server())
  return { ...team, page: await open(team.owner) }
})

/** A team and a page of its owner, who has read everything. Each test is about topics of its own. */
async function reader(): Promise<Reader> {
  const found = await shared()
  await found.owner.call('POST', '/mark_all_as_read')
  await startAt(found.page, '/settings')
  return found
}

describe.skipIf(!hasBrowser)('the inbox', () => {
  it('lists what is unread, marks a conversation read, and undoes that', async () => {
    const { owner, friend, channelId, page } = await reader()
    const id = await say(friend, channelId, 'beans', 'Read me')
    await friend.call('POST', '/messages', { type: 'direct', to: [owner.id], content: 'Only you' })
    await startAt(page, '/inbox')
    const main = page.getByRole('main')
    await main.getByRole('link', { name: /Fred Friend.*Only you/ }).waitFor()
    await main.getByRole('link', { name: /beans.*Read me/ }).waitFor()
    await main.getByRole('button', { name: 'Mark as read: beans in garden' }).click()
    await expect.poll(() => main.getByRole('link', { name: /beans/ }).count()).toBe(0)
    expect(await hasRead(owner, id)).toBe(true)
    await page.getByRole('button', { name: 'Undo' }).click()
    await main.getByRole('link', { name: /beans/ }).waitFor()
    expect(await hasRead(owner, id)).toBe(false)
  })

  it('leads through everything unread by one key', async () => {
    const { owner, friend, channelId, page } = await reader()
    await say(friend, channelId, 'chard', 'Chard')
    await friend.call('POST', '/messages', { type: 'direct', to: [owner.id], content: 'You alone' })
    await startAt(page, '/inbox')
    await page.getByRole('main').getByRole('link', { name: /chard/ }).waitFor()
    await page.keyboard.press('n')
    await list(page).getByText('You alone').waitFor()
    await page.keyboard.press('n')
    await list(page).getByText('Chard').waitFor()
    await page.keyboard.press('i')
    await page.getByRole('heading', { name: 'Inbox' }).waitFor()
    expect(page.url()).toBe(addressOf(owner, '/inbox'))
  })
})

describe.skipIf(!hasBrowser)('recent conversations', () => {
  it('are all there, the newest first, and follow what happens', async () => {
    const { owner, friend, channelId } = await makeTeam()
    await say(owner, channelId, 'beans', 'Beans')
    await say(friend, channelId, 'peas', 'Peas')
    await friend.call('POST', '/messages', { type: 'direct', to: [owner.id], content: 'Only you' })
    const page = await openPage(owner)
    await page.getByRole('heading', { name: 'Inbox' }).waitFor()
    await page.keyboard.press('t')
    const rows = page.getByRole('main').getByRole('listitem')
    await expect.poll(() => rows.allTextContents()).toHaveLength(3)
    const texts = await rows.allTextContents()
    expect(texts.map((text) => /Only you|Peas|Beans/.exec(text)?.[0])).toEqual(['Only you', 'Peas', 'Beans'])
    await page.getByRole('button', { name: 'Participated' }).click()
    await expect.poll(() => rows.count()).toBe(1)
    await page.getByRole('button', { name: 'Participated' }).click()
    await say(friend, channelId, 'beans', 'More beans')
    await expect.poll(() => rows.first().textContent()).toContain('More beans')
    await rows.first().getByRole('link').click()
    await list(page).getByText('More beans').waitFor()
  })
})

describe.skipIf(!hasBrowser)('a message', () => {
  it('is edited, quoted, starred and deleted from its menu', async () => {
    const { owner, channelId } = await makeTeam()
    const id = await say(owner, channelId, 'beans', 'Mine')
    const page = await openPage(owner, `/c/${channelId}/t/beans`)
    const row = list(page).getByRole('article').first()
    await row.hover()
    await row.getByRole('button', { name: 'Edit' }).click()
    await page.getByRole('textbox', { name: 'Edit message' }).fill('Mine, mended')
    await page.keyboard.press('Control+Enter')
    await list(page).getByText('Mine, mended').waitFor()
    await row.hover()
    await row.getByRole('button', { name: 'Star' }).click()
    await row.getByText('starred').waitFor()
    await row.getByRole('button', { name: 'Quote' }).click()
    await expect.poll(() => composer(page).inputValue()).toContain('```quote\nMine, mended\n```')
    await composer(page).fill('')
    await row.hover()
    await row.getByRole('button', { name: 'More' }).click()
    await page.getByRole('menuitem', { name: 'Delete' }).click()
    await row.getByText('Message deleted').waitFor()
    await page.close()
    await expect.poll(async () => (await owner.try('GET', `/messages/${id}`)).status).toBe(400)
  })

  it('is reached and acted on by the keyboard alone', async () => {
    const { owner, friend, channelId, page } = await reader()
    await say(friend, channelId, 'leeks', 'One')
    const id = await say(friend, channelId, 'leeks', 'Two')
    await startAt(page, `/c/${channelId}/t/leeks`)
    await list(page).getByText('Two').waitFor()
    await page.keyboard.press('k')
    await expect.poll(() => page.evaluate(() => document.activeElement?.textContent)).toContain('Two')
    await page.keyboard.press('+')
    await page.getByRole('button', { name: /you reacted with :\+1:/ }).waitFor()
    await page.keyboard.press('k')
    await expect.poll(() => page.evaluate(() => document.activeElement?.textContent)).toContain('One')
    await page.keyboard.press('r')
    await page.keyboard.type('Good')
    await page.keyboard.press('Control+Enter')
    await list(page).getByText('Good').waitFor()
    const { message } = await owner.call('GET', `/messages/${id}`)
    expect(message).toMatchObject({ reactions: [{ emoji_name: '+1', user_id: owner.id }] })
  })
})

describe.skipIf(!hasBrowser)('channels', () => {
  it('are made, found, joined and left', async () => {
    const { friend, page } = await reader()
    await startAt(page, '/channels')
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

  it('open as the list of their topics, where a new one begins', async () => {
    const { friend, channelId, page } = await reader()
    await say(friend, channelId, 'onions', 'Onions')
    await startAt(page, `/c/${channelId}`)
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
    await composer(page).fill('The first rose')
    await page.getByRole('button', { name: 'Send', exact: true }).click()
    await list(page).getByRole('article').getByText('The first rose').waitFor()
    expect(page.url()).toContain(`/c/${channelId}-garden/t/roses`)
  })
})

describe.skipIf(!hasBrowser)('people', () => {
  it('are added to a channel, and seen to have read a message', async () => {
    const { owner, friend, channelId, user, page } = await reader()
    const guest = await user('Gina Green')
    await owner.call('PATCH', '/realm', { enable_read_receipts: true })
    const id = await say(owner, channelId, 'receipts', 'Who has read this?')
    await friend.call('POST', '/messages/flags', { messages: [id], op: 'add', flag: 'read' })
    await startAt(page, `/c/${channelId}`)
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
    await page.keyboard.press('Escape')
    await startAt(page, `/c/${channelId}/t/receipts`)
    await list(page).getByRole('article').first().focus()
    await page.getByRole('toolbar').getByRole('button', { name: 'More' }).click()
    await page.getByRole('menuitem', { name: 'Read by' }).click()
    await page.getByRole('dialog', { name: 'Read by' }).getByText('Fred Friend').waitFor()
    expect(await page.getByRole('dialog').getByRole('listitem').count()).toBe(1)
    await page.keyboard.press('Escape')
  })
})

describe.skipIf(!hasBrowser)('messages', () => {
  it('are moved to another topic, and the reader with them', async () => {
    const { owner, friend, channelId, page } = await reader()
    await say(friend, channelId, 'turnips', 'Stays')
    const id = await say(friend, channelId, 'turnips', 'Goes')
    await startAt(page, `/c/${channelId}/t/turnips?near=${id}`)
    await list(page).getByText('Goes').waitFor()
    await page.keyboard.press('k')
    await page.keyboard.press('m')
    await page.getByRole('dialog').getByRole('combobox', { name: 'Topic' }).fill('gourds')
    await page.getByRole('dialog').getByRole('button', { name: 'Move', exact: true }).click()
    await page.getByRole('heading', { name: /gourds/ }).waitFor()
    await list(page).getByText('Goes').waitFor()
    expect(await list(page).getByText('Stays').count()).toBe(0)
    const { message } = await owner.call('GET', `/messages/${id}`)
    expect(message).toMatchObject({ subject: 'gourds' })
  })

  it('show what they were before', async () => {
    const { owner, channelId, page } = await reader()
    const id = await say(owner, channelId, 'counts', 'Seven beans')
    await owner.call('PATCH', `/messages/${id}`, { content: 'Eight beans' })
    await startAt(page, `/c/${channelId}/t/counts`)
    await list(page).getByText('Eight beans').waitFor()
    await page.keyboard.press('k')
    await page.getByRole('toolbar').getByRole('button', { name: 'More' }).click()
    await page.getByRole('menuitem', { name: 'Edit history' }).click()
    await page.getByRole('dialog').getByText('Seven').first().waitFor()
    expect(await page.getByRole('dialog').getByRole('listitem').count()).toBe(2)
    await page.keyboard.press('Escape')
  })

  it('that are polls are voted in, and have options added', async () => {
    const { friend, channelId, page: mine } = await reader()
    await say(friend, channelId, 'lunch', '/poll Where?\nIn\nOut')
    const path = `/c/${channelId}/t/lunch`
    await startAt(mine, path)
    const theirs = await openPage(friend, path)
    await mine.getByRole('group', { name: 'Poll: Where?' }).getByRole('button', { name: 'Out: 0 votes' }).click()
    await theirs.getByRole('button', { name: 'Out: 1 vote' }).click()
    await mine.getByRole('button', { name: 'Out: 2 votes' }).click()
    await theirs.getByRole('button', { name: 'Out: 1 vote' }).waitFor()
    await mine.getByRole('textbox', { name: 'New option' }).fill('At home')
    await mine.keyboard.press('Enter')
    await theirs.getByRole('button', { name: 'At home: 0 votes' }).waitFor()
    expect(await theirs.getByRole('button', { name: /: \d votes?$/ }).count()).toBe(3)
  })

  it('are found by words and by where they are, and lead to their conversation', async () => {
    const { friend, channelId, page } = await reader()
    await say(friend, channelId, 'thistles', 'The needle')
    await say(friend, channelId, 'nettles', 'A needle, too')
    await startAt(page, '/inbox')
    await page.keyboard.press('/')
    await page.getByRole('combobox', { name: 'Search messages' }).fill('channel:garden topic:thistles needle')
    await page.keyboard.press('Enter')
    await page.getByRole('region', { name: 'Messages' }).getByText('The needle').waitFor()
    expect(await page.getByText('A needle, too').count()).toBe(0)
    await page
      .getByRole('main')
      .getByRole('link', { name: /garden.*thistles/ })
      .click()
    await page.getByRole('heading', { name: /thistles/ }).waitFor()
    expect(page.url()).toContain('/t/thistles?near=')
  })

  it('are announced to screen readers where one is, and nothing else is', async () => {
    const { friend, channelId, page } = await reader()
    await startAt(page, `/c/${channelId}/t/radio`)
    await composer(page).waitFor()
    const announcer = page.locator('[data-announcer]')
    await say(friend, channelId, 'peas', 'Elsewhere')
    await say(friend, channelId, 'radio', 'Here and **now**')
    await expect.poll(() => announcer.textContent()).toBe('Fred Friend: Here and now')
    expect(await page.locator('[aria-live]').count()).toBe(3)
  })
})

describe.skipIf(!hasBrowser)('later', () => {
  it('messages are sent and read again, and both can be undone', async () => {
    const { owner, friend, channelId, page } = await reader()
    await say(friend, channelId, 'morning', 'Water them')
    await startAt(page, `/c/${channelId}/t/morning`)
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
    await page.keyboard.press('h')
    await page.getByRole('menuitem', { name: /In an hour/ }).click()
    await page.getByText(/^Reminder set: /).waitFor()
    await startAt(page, '/reminders')
    await page.getByRole('heading', { name: 'Reminders' }).waitFor()
    await page
      .getByRole('main')
      .getByRole('button', { name: /^Delete reminder: / })
      .click()
    await page.getByText('No reminders').waitFor()
    expect(await owner.call('GET', '/reminders')).toMatchObject({ reminders: [] })
  })
})

describe.skipIf(!hasBrowser)('German', () => {
  it('is chosen in the settings, and stays', async () => {
    const { owner } = await makeTeam()
    const page = await openPage(owner, '/settings')
    await page.getByLabel('Language').selectOption('Deutsch')
    await page.getByRole('heading', { name: 'Einstellungen' }).waitFor()
    await page.reload()
    await page.getByRole('link', { name: 'Eingang' }).click()
    await page.getByText('Alles gelesen').waitFor()
    expect(await page.evaluate(() => document.documentElement.lang)).toBe('de')
  })
})
