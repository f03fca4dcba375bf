import { describe, expect, it, onTestFinished } from 'vitest'
import { startTestServer, startTestServerOn, useTestServer } from '../../server/src/testing/server.ts'
import { signIn } from '../../server/src/testing/browser.ts'
import { addressOf, hasBrowser, LOCAL_DOMAIN, loseAnswers, openAs, openWindow, useBrowser } from './browser.ts'
import { composer, contentsOf, hasRead, list, PASSWORD, say, teamOn, type Team } from './team.ts'

const server = useTestServer(LOCAL_DOMAIN)
const browser = useBrowser()
const team = async (): Promise<Team> => teamOn(server())

describe.skipIf(!hasBrowser)('signing in', () => {
  it('takes the e-mail address and the password, and says what is wrong', async () => {
    const { owner } = await team()
    const page = await (await openWindow(browser())).newPage()
    await page.goto(addressOf(owner, '/inbox'))
    await page.getByRole('heading', { name: 'Sign in to Hill & Valley' }).waitFor()
    await page.getByLabel('E-mail address').fill('owner@example.com')
    await page.getByLabel('Password').fill('wrong')
    await page.getByRole('button', { name: 'Sign in' }).click()
    await page
      .getByRole('alert')
      .filter({ hasText: /password/i })
      .waitFor()
    await page.getByLabel('Password').fill(PASSWORD)
    await page.keyboard.press('Enter')
    await page.getByRole('heading', { name: 'Inbox' }).waitFor()
    expect(page.url()).toBe(addressOf(owner, '/inbox'))
  })

  it('keeps no key where scripts read it, and ends with signing out', async () => {
    const { friend } = await team()
    const page = await openAs(browser(), friend)
    const kept = await page.evaluate(() => [document.cookie, localStorage.length, sessionStorage.length])
    expect(kept).toEqual(['', 0, 0])
    await page.getByRole('button', { name: /Fred Friend/ }).click()
    await page.getByRole('menuitem', { name: 'Sign out' }).click()
    await page.getByLabel('Password').waitFor()
    await page.goto(addressOf(friend, '/inbox'))
    await page.getByLabel('Password').waitFor()
  })

  it('is asked for again where the session was ended elsewhere, and shows the next person only what is theirs', async () => {
    const { owner, friend, channelId } = await team()
    await say(friend, channelId, 'beans', 'For both')
    await owner.call('POST', '/messages', { type: 'direct', to: [owner.id], content: 'For me alone' })
    const page = await openAs(browser(), friend)
    await page.getByRole('main').getByRole('heading', { name: 'Inbox' }).waitFor()
    const elsewhere = await signIn(friend)
    const { sessions } = await elsewhere.call('GET', '/sessions')
    for (const { id, is_current } of sessions as { id: number; is_current: boolean }[]) {
      if (!is_current) await elsewhere.call('DELETE', `/sessions/${id}`)
    }
    await page.getByLabel('E-mail address').fill('owner@example.com')
    await page.getByLabel('Password').fill(PASSWORD)
    await page.keyboard.press('Enter')
    await page.getByRole('button', { name: /Olivia Owner/ }).waitFor()
    expect(await page.getByText('Fred Friend').count()).toBe(1)
    await page.keyboard.press('?')
    await page.getByRole('dialog').first().waitFor()
    expect(await page.getByRole('dialog').count()).toBe(1)
  })

  it('refuses a link that is not good, and asks for the password', async () => {
    const { owner } = await team()
    const page = await (await openWindow(browser())).newPage()
    await page.goto(addressOf(owner, `/login#link=${'x'.repeat(43)}`))
    await page.getByRole('alert').filter({ hasText: 'no longer good' }).waitFor()
    expect(page.url()).toBe(addressOf(owner))
  })
})

describe.skipIf(!hasBrowser)('a topic', () => {
  it('shows what the other writes, and what one writes oneself, at once', async () => {
    const { owner, friend, channelId } = await team()
    await say(friend, channelId, 'beans', 'They are **sprouting**')
    const [mine, theirs] = [
      await openAs(browser(), owner, `/c/${channelId}/t/beans`),
      await openAs(browser(), friend, `/c/${channelId}/t/beans`),
    ]
    await list(mine).getByText('sprouting').waitFor()
    await composer(mine).fill('How *tall*?')
    await mine.getByRole('button', { name: 'Send', exact: true }).click()
    await list(theirs).getByText('How tall?').waitFor()
    await expect.poll(() => list(mine).getByRole('article').count()).toBe(2)
    expect(await composer(mine).inputValue()).toBe('')
    await composer(theirs).fill('Two hands')
    await theirs.keyboard.press('Control+Enter')
    await list(mine)
      .getByRole('article', { name: /Fred Friend/ })
      .getByText('Two hands')
      .waitFor()
  })

  it('marks messages read only when the reader has seen them and done something', async () => {
    const { owner, friend, channelId } = await team()
    const id = await say(friend, channelId, 'beans', 'Look at this')
    const page = await openAs(browser(), owner, `/c/${channelId}/t/beans`)
    await list(page).getByText('Look at this').waitFor()
    const nav = page.getByRole('navigation', { name: 'Conversations' })
    await nav.getByRole('link', { name: /^Inbox.*1 unread message/ }).waitFor()
    expect(await hasRead(owner, id)).toBe(false)
    await page.mouse.move(600, 300)
    await nav.getByRole('link', { name: 'Inbox', exact: true }).waitFor()
    await expect.poll(() => hasRead(owner, id)).toBe(true)
  })

  it('opens at the first unread message, and stays there when more arrive', async () => {
    const { owner, friend, channelId } = await team()
    const ids: number[] = []
    for (let index = 1; index <= 120; index += 1) ids.push(await say(friend, channelId, 'beans', `Bean ${index}`))
    await owner.call('POST', '/messages/flags', { messages: ids.slice(0, 60), op: 'add', flag: 'read' })
    const page = await openAs(browser(), owner, `/c/${channelId}/t/beans`)
    const first = list(page).getByText('Bean 61', { exact: true })
    await first.waitFor()
    const { y = 0 } = (await first.boundingBox()) ?? {}
    expect(y).toBeGreaterThan(100)
    expect(y).toBeLessThan(500)
    await say(friend, channelId, 'beans', 'One more')
    await expect.poll(async () => (await first.boundingBox())?.y).toBeCloseTo(y, 0)
    await page.getByRole('button', { name: /newest|new message/ }).click()
    await list(page).getByText('One more').waitFor()
  })

  it('follows edits, reactions, moves and deletions of the other', async () => {
    const { owner, friend, channelId } = await team()
    const [kept, gone] = [
      await say(friend, channelId, 'beans', 'First'),
      await say(friend, channelId, 'beans', 'Second'),
    ]
    const page = await openAs(browser(), owner, `/c/${channelId}/t/beans`)
    await list(page).getByText('Second').waitFor()
    await friend.call('PATCH', `/messages/${kept}`, { content: 'First, mended' })
    await list(page).getByText('First, mended').waitFor()
    await list(page).getByText('edited').waitFor()
    await friend.call('POST', `/messages/${kept}/reactions`, { emoji_name: 'tada' })
    await page.getByRole('button', { name: /Fred Friend reacted with :tada:/ }).click()
    await page.getByRole('button', { name: /Fred Friend and you reacted/, pressed: true }).waitFor()
    await friend.call('PATCH', `/messages/${gone}`, { topic: 'peas' })
    await expect.poll(() => list(page).getByText('Second').count()).toBe(0)
    await owner.call('DELETE', `/messages/${kept}`)
    await expect.poll(() => list(page).getByRole('article').count()).toBe(0)
  })

  it('keeps what is written without a connection, and sends it once there is one, in order', async () => {
    const { owner, friend, channelId } = await team()
    const page = await openAs(browser(), owner, `/c/${channelId}/t/beans`)
    await composer(page).waitFor()
    await page.context().setOffline(true)
    for (const text of ['First on the train', 'Second on the train']) {
      await composer(page).fill(text)
      await page.keyboard.press('Control+Enter')
    }
    await list(page).getByText('Waits for a connection').first().waitFor()
    await page.context().setOffline(false)
    await expect
      .poll(() =>
        list(page)
          .getByRole('article', { name: /Olivia Owner, \d/ })
          .count(),
      )
      .toBe(2)
    expect(await contentsOf(friend)).toEqual(['<p>First on the train</p>', '<p>Second on the train</p>'])
  })

  it('sends what was written once, also when the window was closed and the answer lost', async () => {
    const { owner, friend, channelId } = await team()
    const path = `/c/${channelId}/t/beans`
    const page = await openAs(browser(), owner, path)
    await composer(page).waitFor()
    // The server gets the message, and its answer never comes back.
    await loseAnswers(page, '*/api/v1/messages')
    await composer(page).fill('Once')
    await page.keyboard.press('Control+Enter')
    await expect.poll(() => contentsOf(friend)).toEqual(['<p>Once</p>'])
    const again = await page.context().newPage()
    await page.close()
    await again.goto(addressOf(owner, path))
    await expect
      .poll(() =>
        list(again)
          .getByRole('article', { name: /Olivia Owner, \d/ })
          .count(),
      )
      .toBe(1)
    await expect.poll(() => list(again).getByRole('article').count()).toBe(1)
    expect(await contentsOf(friend)).toEqual(['<p>Once</p>'])
  })

  it('says why a message was refused, and sends it when asked again', async () => {
    const { owner, friend, channelId } = await team()
    const page = await openAs(browser(), friend, `/c/${channelId}/t/beans`)
    await composer(page).waitFor()
    await owner.call('PATCH', `/streams/${channelId}`, {
      can_send_message_group: { new: { direct_members: [owner.id], direct_subgroups: [] } },
    })
    await composer(page).fill('May I?')
    await page.keyboard.press('Control+Enter')
    await list(page)
      .getByText(/^Not sent: /)
      .waitFor()
    await owner.call('PATCH', `/streams/${channelId}`, {
      can_send_message_group: { new: { direct_members: [owner.id, friend.id], direct_subgroups: [] } },
    })
    await list(page).getByRole('button', { name: 'Try again' }).click()
    await expect.poll(() => contentsOf(owner)).toEqual(['<p>May I?</p>'])
  })

  it('shows what another client made of a draft that was begun here', async () => {
    const { owner, channelId } = await team()
    const page = await openAs(browser(), owner, `/c/${channelId}/t/beans`)
    await composer(page).fill('Half a thought')
    await expect.poll(async () => (await owner.call('GET', '/drafts'))['count']).toBe(1)
    const { drafts } = await owner.call('GET', '/drafts')
    const [{ id }] = drafts as [{ id: number }]
    const nav = page.getByRole('navigation', { name: 'Conversations' })
    await nav.getByRole('link', { name: /^Drafts/ }).click()
    await page.getByRole('main').getByText('Half a thought').waitFor()
    const draft = { type: 'stream', to: [channelId], topic: 'beans', content: 'A whole thought' }
    await owner.call('PATCH', `/drafts/${id}`, { draft })
    await page.getByRole('main').getByText('A whole thought').waitFor()
    await page.getByRole('main').getByRole('link', { name: /beans/ }).click()
    await expect.poll(() => composer(page).inputValue()).toBe('A whole thought')
  })

  it('keeps a draft through a reload and in the other browser', async () => {
    const { owner, channelId } = await team()
    const path = `/c/${channelId}/t/beans`
    const page = await openAs(browser(), owner, path)
    await composer(page).fill('Half a thought')
    await expect.poll(async () => (await owner.call('GET', '/drafts'))['count']).toBe(1)
    await page.reload()
    await expect.poll(() => composer(page).inputValue()).toBe('Half a thought')
    const other = await openAs(browser(), owner, path)
    await expect.poll(() => composer(other).inputValue()).toBe('Half a thought')
    await other.keyboard.press('r')
    await other.keyboard.press('Control+Enter')
    await expect.poll(async () => (await owner.call('GET', '/drafts'))['count']).toBe(0)
  })
})

describe.skipIf(!hasBrowser)('the inbox', () => {
  it('lists what is unread, marks a conversation read, and undoes that', async () => {
    const { owner, friend, channelId } = await team()
    const id = await say(friend, channelId, 'beans', 'Read me')
    await friend.call('POST', '/messages', { type: 'direct', to: [owner.id], content: 'Only you' })
    const page = await openAs(browser(), owner)
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
    const { owner, friend, channelId } = await team()
    await say(friend, channelId, 'beans', 'Beans')
    await friend.call('POST', '/messages', { type: 'direct', to: [owner.id], content: 'Only you' })
    const page = await openAs(browser(), owner)
    await page.getByRole('main').getByRole('link', { name: /beans/ }).waitFor()
    await page.keyboard.press('n')
    await list(page).getByText('Only you').waitFor()
    await page.keyboard.press('n')
    await list(page).getByText('Beans').waitFor()
    await page.keyboard.press('i')
    await page.getByRole('heading', { name: 'Inbox' }).waitFor()
    expect(page.url()).toBe(addressOf(owner, '/inbox'))
  })
})

describe.skipIf(!hasBrowser)('recent conversations', () => {
  it('are all there, the newest first, and follow what happens', async () => {
    const { owner, friend, channelId } = await team()
    await say(owner, channelId, 'beans', 'Beans')
    await say(friend, channelId, 'peas', 'Peas')
    await friend.call('POST', '/messages', { type: 'direct', to: [owner.id], content: 'Only you' })
    const page = await openAs(browser(), owner)
    await page.getByRole('heading', { name: 'Inbox' }).waitFor()
    await page.keyboard.press('t')
    const rows = page.getByRole('main').getByRole('listitem')
    await expect.poll(() => rows.allTextContents()).toHaveLength(3)
    const texts = await rows.allTextContents()
    expect(texts.map((text) => /Only you|Peas|Beans/.exec(text)?.[0])).toEqual(['Only you', 'Peas', 'Beans'])
    await page.getByRole('button', { name: 'I wrote' }).click()
    await expect.poll(() => rows.count()).toBe(1)
    await page.getByRole('button', { name: 'I wrote' }).click()
    await say(friend, channelId, 'beans', 'More beans')
    await expect.poll(() => rows.first().textContent()).toContain('More beans')
    await rows.first().getByRole('link').click()
    await list(page).getByText('More beans').waitFor()
  })
})

describe.skipIf(!hasBrowser)('a message', () => {
  it('is edited, quoted, starred and deleted from its menu', async () => {
    const { owner, channelId } = await team()
    const id = await say(owner, channelId, 'beans', 'Mine')
    const page = await openAs(browser(), owner, `/c/${channelId}/t/beans`)
    const row = list(page).getByRole('article').first()
    await row.hover()
    await row.getByRole('button', { name: 'Edit' }).click()
    await page.getByRole('textbox', { name: 'Edit message' }).fill('Mine, mended')
    await page.keyboard.press('Enter')
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
    await row.getByText('The message was deleted').waitFor()
    await page.close()
    await expect.poll(async () => (await owner.try('GET', `/messages/${id}`)).status).toBe(400)
  })

  it('is reached and acted on by the keyboard alone', async () => {
    const { owner, friend, channelId } = await team()
    await say(friend, channelId, 'beans', 'One')
    const id = await say(friend, channelId, 'beans', 'Two')
    const page = await openAs(browser(), owner, `/c/${channelId}/t/beans`)
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
    const { owner, friend } = await team()
    const page = await openAs(browser(), owner, '/channels')
    await page.getByRole('button', { name: 'New channel' }).click()
    const dialog = page.getByRole('dialog')
    await dialog.getByLabel('Name').fill('kitchen')
    await dialog.getByLabel('Description').fill('Lunch')
    await dialog.getByRole('button', { name: 'New channel' }).click()
    await page.getByRole('heading', { name: 'kitchen' }).waitFor()
    const theirs = await openAs(browser(), friend, '/channels')
    await theirs.getByRole('button', { name: 'Join: kitchen' }).click()
    const nav = theirs.getByRole('navigation', { name: 'Conversations' })
    await nav.getByRole('link', { name: /^kitchen/ }).waitFor()
    await theirs.getByRole('button', { name: 'Leave: kitchen' }).click()
    await expect.poll(() => nav.getByRole('link', { name: /^kitchen/ }).count()).toBe(0)
    await theirs.getByRole('button', { name: 'Undo' }).last().click()
    await nav.getByRole('link', { name: /^kitchen/ }).waitFor()
  })

  it('open as the list of their topics, where a new one begins', async () => {
    const { owner, friend, channelId } = await team()
    await say(friend, channelId, 'beans', 'Beans')
    const page = await openAs(browser(), owner, `/c/${channelId}`)
    await page.getByRole('main').getByRole('link', { name: /beans/ }).waitFor()
    await say(friend, channelId, 'peas', 'Peas')
    await page.getByRole('main').getByRole('link', { name: /peas/ }).waitFor()
    await page.getByRole('searchbox', { name: 'Find a topic, or begin one' }).fill('roses')
    await page.getByRole('button', { name: 'New topic' }).click()
    await composer(page).fill('The first rose')
    await page.getByRole('button', { name: 'Send', exact: true }).click()
    await list(page).getByRole('article').getByText('The first rose').waitFor()
    expect(page.url()).toContain(`/c/${channelId}-garden/t/roses`)
  })
})

describe.skipIf(!hasBrowser)('people', () => {
  it('are added to a channel, and seen to have read a message', async () => {
    const { owner, friend, channelId, user } = await team()
    const guest = await user('Gina Green')
    await owner.call('PATCH', '/realm', { enable_read_receipts: true })
    const id = await say(owner, channelId, 'beans', 'Who has read this?')
    await friend.call('POST', '/messages/flags', { messages: [id], op: 'add', flag: 'read' })
    const page = await openAs(browser(), owner, `/c/${channelId}`)
    await page.getByRole('main').getByRole('button', { name: 'More', exact: true }).click()
    await page.getByRole('menuitem', { name: 'People' }).click()
    const dialog = page.getByRole('dialog', { name: 'People in garden' })
    await dialog.getByText('Fred Friend').waitFor()
    await dialog.getByRole('searchbox').fill('gina')
    await dialog.getByRole('button', { name: 'Add: Gina Green' }).click()
    await expect.poll(() => dialog.getByRole('button', { name: 'Add: Gina Green' }).count()).toBe(0)
    const { subscribers } = await owner.call('GET', `/streams/${channelId}/members`)
    expect(subscribers).toContain(guest.id)
    await page.keyboard.press('Escape')
    await page.goto(addressOf(owner, `/c/${channelId}/t/beans`))
    await list(page).getByRole('article').first().focus()
    await page.getByRole('toolbar').getByRole('button', { name: 'More' }).click()
    await page.getByRole('menuitem', { name: 'Read by' }).click()
    await page.getByRole('dialog', { name: 'Read by' }).getByText('Fred Friend').waitFor()
    expect(await page.getByRole('dialog').getByRole('listitem').count()).toBe(1)
  })
})

describe.skipIf(!hasBrowser)('messages', () => {
  it('are moved to another topic, and the reader with them', async () => {
    const { owner, friend, channelId } = await team()
    await say(friend, channelId, 'beans', 'Stays')
    const id = await say(friend, channelId, 'beans', 'Goes')
    const page = await openAs(browser(), owner, `/c/${channelId}/t/beans?near=${id}`)
    await list(page).getByText('Goes').waitFor()
    await page.keyboard.press('k')
    await page.keyboard.press('m')
    await page.getByRole('dialog').getByRole('textbox', { name: 'Topic' }).fill('peas')
    await page.getByRole('dialog').getByRole('button', { name: 'Move', exact: true }).click()
    await page.getByRole('heading', { name: /peas/ }).waitFor()
    await list(page).getByText('Goes').waitFor()
    expect(await list(page).getByText('Stays').count()).toBe(0)
    const { message } = await owner.call('GET', `/messages/${id}`)
    expect(message).toMatchObject({ subject: 'peas' })
  })

  it('show what they were before', async () => {
    const { owner, channelId } = await team()
    const id = await say(owner, channelId, 'beans', 'Seven beans')
    await owner.call('PATCH', `/messages/${id}`, { content: 'Eight beans' })
    const page = await openAs(browser(), owner, `/c/${channelId}/t/beans`)
    await list(page).getByText('Eight beans').waitFor()
    await page.keyboard.press('k')
    await page.getByRole('toolbar').getByRole('button', { name: 'More' }).click()
    await page.getByRole('menuitem', { name: 'Edit history' }).click()
    await page.getByRole('dialog').getByText('Seven').first().waitFor()
    expect(await page.getByRole('dialog').getByRole('listitem').count()).toBe(2)
  })

  it('that are polls are voted in, and have options added', async () => {
    const { owner, friend, channelId } = await team()
    await say(friend, channelId, 'lunch', '/poll Where?\nIn\nOut')
    const path = `/c/${channelId}/t/lunch`
    const [mine, theirs] = [await openAs(browser(), owner, path), await openAs(browser(), friend, path)]
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
    const { owner, friend, channelId } = await team()
    await say(friend, channelId, 'beans', 'The needle')
    await say(friend, channelId, 'peas', 'A needle, too')
    const page = await openAs(browser(), owner)
    await page.keyboard.press('/')
    await page.getByRole('searchbox', { name: 'Search messages' }).fill('channel:garden topic:beans needle')
    await page.keyboard.press('Enter')
    await page.getByRole('region', { name: 'Messages' }).getByText('The needle').waitFor()
    expect(await page.getByText('A needle, too').count()).toBe(0)
    await page
      .getByRole('main')
      .getByRole('link', { name: /garden.*beans/ })
      .click()
    await page.getByRole('heading', { name: /beans/ }).waitFor()
    expect(page.url()).toContain('/t/beans?near=')
  })

  it('are announced to screen readers where one is, and nothing else is', async () => {
    const { owner, friend, channelId } = await team()
    const page = await openAs(browser(), owner, `/c/${channelId}/t/beans`)
    await composer(page).waitFor()
    const announcer = page.locator('[data-announcer]')
    await say(friend, channelId, 'peas', 'Elsewhere')
    await say(friend, channelId, 'beans', 'Here and **now**')
    await expect.poll(() => announcer.textContent()).toBe('Fred Friend: Here and now')
    expect(await page.locator('[aria-live]').count()).toBe(3)
  })
})

describe.skipIf(!hasBrowser)('later', () => {
  it('messages are sent and read again, and both can be undone', async () => {
    const { owner, friend, channelId } = await team()
    await say(friend, channelId, 'beans', 'Water them')
    const page = await openAs(browser(), owner, `/c/${channelId}/t/beans`)
    await composer(page).fill('Good morning')
    await page.getByRole('button', { name: 'Send later' }).click()
    await page.getByRole('menuitem', { name: /Tomorrow morning/ }).click()
    await page.getByText(/^Will be sent: /).waitFor()
    expect(await owner.call('GET', '/scheduled_messages')).toMatchObject({
      scheduled_messages: [{ content: 'Good morning', to: channelId, topic: 'beans' }],
    })
    await page.getByRole('button', { name: 'Undo' }).click()
    await expect.poll(() => composer(page).inputValue()).toBe('Good morning')
    expect(await owner.call('GET', '/scheduled_messages')).toMatchObject({ scheduled_messages: [] })
    await composer(page).fill('')
    await list(page).getByRole('article').first().focus()
    await page.keyboard.press('h')
    await page.getByRole('menuitem', { name: /In an hour/ }).click()
    await page.getByText(/^You will be reminded: /).waitFor()
    await page.goto(addressOf(owner, '/writing'))
    await page.getByRole('heading', { name: 'Reminders' }).waitFor()
    await page
      .getByRole('main')
      .getByRole('button', { name: /^Delete: / })
      .click()
    await page.getByText('Nothing is waiting to be sent').waitFor()
    expect(await owner.call('GET', '/reminders')).toMatchObject({ reminders: [] })
  })
})

describe.skipIf(!hasBrowser)('German', () => {
  it('is chosen in the settings, and stays', async () => {
    const { owner } = await team()
    const page = await openAs(browser(), owner, '/settings')
    await page.getByLabel('Language').selectOption('Deutsch')
    await page.getByRole('heading', { name: 'Einstellungen' }).waitFor()
    await page.reload()
    await page.getByRole('link', { name: 'Eingang' }).click()
    await page.getByText('Du hast alles gelesen').waitFor()
    expect(await page.evaluate(() => document.documentElement.lang)).toBe('de')
  })
})

describe.skipIf(!hasBrowser)('a tab that stays open', () => {
  it('goes on after a deploy, and offers to reload', async () => {
    const { owner, friend, channelId } = await team()
    const page = await openAs(browser(), owner, `/c/${channelId}/t/beans`)
    await composer(page).waitFor()
    await page.route('**/login', async (route) => {
      const body = '<!doctype html><meta name="parley-build" content="anotherbuild1" />'
      await route.fulfill({ contentType: 'text/html', body })
    })
    await page.evaluate(() => document.dispatchEvent(new Event('visibilitychange')))
    await page.getByText('A newer version of Parley is there.').waitFor()
    await say(friend, channelId, 'beans', 'Still here')
    await list(page).getByText('Still here').waitFor()
    await page.getByRole('button', { name: 'Reload' }).click()
    await list(page).getByText('Still here').waitFor()
    expect(await page.getByText('A newer version of Parley is there.').count()).toBe(0)
  })

  it('comes back by itself when the server was away, and has missed nothing', async () => {
    const away = await startTestServer(LOCAL_DOMAIN)
    const organization = await away.organization('Away')
    const { owner } = organization
    await owner.call('POST', '/users/me/subscriptions', { subscriptions: [{ name: 'garden' }] })
    const { stream_id } = await owner.call('GET', '/get_stream_id', { stream: 'garden' })
    const page = await openAs(browser(), owner, `/c/${String(stream_id)}/t/beans`)
    await composer(page).waitFor()
    await away.parley.close()
    await composer(page).fill('Written while it was away')
    await page.keyboard.press('Control+Enter')
    await list(page).getByText('Waits for a connection').waitFor()
    const again = await startTestServerOn(away.database, { ...LOCAL_DOMAIN, PORT: new URL(owner.url).port })
    onTestFinished(async () => again.close())
    await owner.call('POST', '/messages', { type: 'channel', to: stream_id, topic: 'beans', content: 'Said meanwhile' })
    await list(page).getByText('Said meanwhile').waitFor()
    await expect.poll(() => list(page).getByText('Waits for a connection').count()).toBe(0)
    const contents = await contentsOf(owner)
    expect(contents.toSorted()).toEqual(['<p>Said meanwhile</p>', '<p>Written while it was away</p>'])
  })
})
