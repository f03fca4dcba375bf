import type { Page } from 'playwright-core'
import { describe, expect, it } from 'vitest'
import { upload } from '../../server/src/testing/files.ts'
import { accessibilityFaults, hasBrowser, openAs, show } from './browser.ts'
import { loseConnection } from './kept.ts'
import { useTeam } from './shared.ts'
import { composer, createNewcomer, list, say, createTeamOn, type Team } from './team.ts'
import { openUnloaded } from './unloaded.ts'
import { showView } from './views.ts'

const { server, browser, team, visit } = useTeam()

/** Returns a team and a page of its owner, who has read everything. */
async function teamWithPage(): Promise<Team & { readonly page: Page }> {
  const made = await team()
  await made.owner.call('POST', '/mark_all_as_read')
  return { ...made, page: await visit(made.owner, '/settings') }
}

const field = (page: Page) => page.getByRole('combobox', { name: 'Search messages' })
const resultsOf = (page: Page) => page.getByRole('region', { name: 'Messages' })
const option = (page: Page, name: string | RegExp) => page.getByRole('option', { name })
const filterChip = (page: Page, name: string) => page.getByRole('button', { name: `Edit ${name}`, exact: true })

async function expectResultCount(page: Page, number: number): Promise<void> {
  await page
    .getByRole('main')
    .getByText(`${number} ${number === 1 ? 'result' : 'results'}`, { exact: true })
    .waitFor()
}

describe.skipIf(!hasBrowser)('search', () => {
  it('keeps text typed while the search or the palette is loading, and closes the palette on Escape', async () => {
    const { owner } = await createTeamOn(server())
    const [searching, releaseSearch] = await openUnloaded(browser(), owner)
    await searching.keyboard.press('/')
    await searching.keyboard.type('answer')
    expect(await field(searching).count()).toBe(0)
    releaseSearch()
    await expect.poll(async () => field(searching).inputValue()).toBe('answer')
    await expect.poll(() => searching.url()).toContain('answer')
    const [going, releasePalette] = await openUnloaded(browser(), owner)
    await going.keyboard.press('Control+k')
    await going.keyboard.press('Escape')
    expect(await going.getByRole('dialog').count()).toBe(0)
    await going.keyboard.press('Control+k')
    await going.keyboard.type('inbo')
    releasePalette()
    await going.getByRole('combobox', { name: /^Go to/ }).waitFor()
    await going.keyboard.type('x')
    expect(await going.getByRole('combobox', { name: /^Go to/ }).inputValue()).toBe('inbox')
  })

  it('opens a result in its conversation on click, unless the click selects text or follows a link', async () => {
    const { owner, friend, channelId } = await createTeamOn(server())
    const page = await visit(owner, '/settings')
    for (let number = 1; number <= 30; number += 1) await say(friend, channelId, 'quinces', `Quince pie ${number}`)
    const id = await say(friend, channelId, 'quinces', 'A quince [pie](https://example.com)')
    await showView(page, `/c/${channelId}/t/quinces`)
    await list(page).getByText('A quince').waitFor()
    await show(page, '/search?q=quince%20pie')
    await expectResultCount(page, 31)
    expect(await page.getByRole('button', { name: 'Jump to newest' }).count()).toBe(0)
    const result = resultsOf(page).getByRole('article').filter({ hasText: 'A quince' })
    await result.getByRole('link', { name: 'pie' }).evaluate((link) => {
      link.addEventListener('click', (event) => event.preventDefault())
    })
    await result.getByRole('link', { name: 'pie' }).click()
    expect(page.url()).toContain('/search')
    const { x, y, height } = (await result.getByText('A quince').boundingBox()) ?? { x: 0, y: 0, height: 0 }
    await page.mouse.move(x + 2, y + height / 2)
    await page.mouse.down()
    await page.mouse.move(x + 40, y + height / 2)
    await page.mouse.up()
    expect(await page.evaluate(() => String(getSelection()))).not.toBe('')
    expect(page.url()).toContain('/search')
    await page.evaluate(() => getSelection()?.empty())
    await result.getByText('A quince').click()
    const found = list(page).getByRole('article').filter({ hasText: 'A quince' })
    await expect.poll(() => found.evaluate((row) => row === document.activeElement)).toBe(true)
    expect(page.url()).toContain(`near=${id}`)
    expect(await accessibilityFaults(page)).toEqual([])
    await page.goBack()
    const older = resultsOf(page).getByText('Quince pie 3', { exact: true })
    await older.click()
    await list(page).getByText('A quince').waitFor()
    await page.goBack()
    const isInView = () => older.evaluate((row) => row.getBoundingClientRect().top > 0)
    await expect.poll(isInView).toBe(true)
  })

  it('offers to search all public channels, whose older messages a newcomer has not received', async () => {
    const made = await createTeamOn(server())
    await say(made.friend, made.channelId, 'lunch', 'At the lake')
    const newcomer = await createNewcomer(made)
    const page = await visit(newcomer, '/search?q=lake')
    await page.getByRole('link', { name: 'Search public channels' }).click()
    await resultsOf(page).getByRole('article').filter({ hasText: 'At the lake' }).waitFor()
    await show(page, '/search?q=channels:public%20ocean')
    await page.getByText('No messages found').waitFor()
    expect(await page.getByRole('link', { name: 'Search public channels' }).count()).toBe(0)
  })

  it('keeps text typed before the search page appears, without running shortcuts', async () => {
    const { owner } = await createTeamOn(server())
    const page = await openAs(browser(), owner, '/inbox')
    await page.getByRole('heading', { name: 'Inbox' }).waitFor()
    await page.evaluate(() => {
      window.requestAnimationFrame = () => 0
    })
    // Each letter is a shortcut.
    for (const key of '/cairn') await page.keyboard.press(key)
    await expect.poll(async () => field(page).inputValue()).toBe('cairn')
    expect(page.url()).toContain('/search')
  })

  it('turns filters into chips, highlights results, and updates the address', async () => {
    const { owner, friend, channelId, page } = await teamWithPage()
    await say(friend, channelId, 'beans', 'A needle in the beans')
    await say(friend, channelId, 'peas', 'A needle in the peas')
    await say(owner, channelId, 'beans', 'My own needle')
    await page.keyboard.press('/')
    await field(page).pressSequentially('sen')
    await option(page, /^sender:/)
      .first()
      .waitFor()
    await page.keyboard.press('ArrowDown')
    await page.keyboard.press('Enter')
    await expect.poll(() => field(page).inputValue()).toBe('sender:')
    await field(page).pressSequentially('fre')
    await option(page, /Fred Friend/).waitFor()
    await page.keyboard.press('Enter')
    await filterChip(page, 'sender: Fred Friend').waitFor()
    await expectResultCount(page, 2)
    await field(page).pressSequentially('-topic:"peas" need')
    await filterChip(page, 'not topic: peas').waitFor()
    await resultsOf(page).locator('.highlight', { hasText: 'needle' }).waitFor()
    await field(page).pressSequentially('le')
    await expectResultCount(page, 1)
    expect(await resultsOf(page).getByRole('article').count()).toBe(1)
    const { searchParams } = new URL(page.url())
    expect(searchParams.get('q')).toBe('sender:"Fred Friend" -topic:peas needle')
    await page.reload()
    await filterChip(page, 'sender: Fred Friend').waitFor()
    await resultsOf(page).getByText('in the beans').waitFor()
    expect(await accessibilityFaults(page)).toEqual([])
  })

  it('edits and removes filter chips by keyboard', async () => {
    const { friend, channelId, page } = await teamWithPage()
    await say(friend, channelId, 'beans', 'First')
    await showView(page, '/search?q=channel%3Agarden+is%3Aunread+-has%3Alink')
    await expectResultCount(page, 1)
    await field(page).focus()
    await page.keyboard.press('ArrowLeft')
    await expect
      .poll(() => filterChip(page, 'not has: link').evaluate((one) => one === document.activeElement))
      .toBe(true)
    await page.keyboard.press('-')
    await page.getByText('No messages found').waitFor()
    await filterChip(page, 'has: link').focus()
    await page.keyboard.press('Backspace')
    await expect.poll(() => filterChip(page, 'has: link').count()).toBe(0)
    await expectResultCount(page, 1)
    await filterChip(page, 'is: unread').focus()
    await page.keyboard.press('ArrowLeft')
    await page.keyboard.press('Enter')
    await expect.poll(() => field(page).inputValue()).toBe('channel:garden')
    await field(page).fill('channel:nowhere')
    await page.keyboard.press('Enter')
    await page.getByRole('alert').filter({ hasText: 'channel:nowhere' }).waitFor()
    await page.getByRole('button', { name: 'Remove channel: nowhere' }).click()
    await expectResultCount(page, 1)
    await page.getByRole('button', { name: 'Clear search' }).click()
    await page.getByText('Search everything you can read').waitFor()
  })

  it('supports every search filter and its negation', async () => {
    const { owner, friend, channelId, page } = await teamWithPage()
    const sayInChannel = (content: string, topic = 'herbs') => say(friend, channelId, topic, content)
    const plain = await sayInChannel('plain')
    const link = await sayInChannel('[there](https://example.com)')
    const mention = await sayInChannel('@**all** come')
    const resolved = await sayInChannel('settled', '✔ old')
    const followed = await sayInChannel('news', 'followed')
    const muted = await sayInChannel('noise', 'muted')
    const starred = await sayInChannel('shiny')
    await friend.call('POST', '/messages', { type: 'direct', to: [owner.id], content: 'between us' })
    await owner.call('POST', '/messages/flags', { messages: [starred], op: 'add', flag: 'starred' })
    await owner.call('POST', '/messages/flags', { messages: [plain], op: 'add', flag: 'read' })
    await owner.call('POST', `/messages/${link}/reactions`, { emoji_name: 'tada' })
    await owner.call('POST', '/user_topics', { stream_id: channelId, topic: 'followed', visibility_policy: 3 })
    await owner.call('POST', '/user_topics', { stream_id: channelId, topic: 'muted', visibility_policy: 1 })
    expect([mention, resolved, followed, muted].every((id) => id > 0)).toBe(true)
    await showView(page, '/search?q=')
    const expected: readonly (readonly [string, readonly string[]])[] = [
      ['channel:garden topic:herbs -is:unread', ['plain']],
      ['has:link', ['there']],
      ['-has:link topic:herbs', ['plain', 'come', 'shiny']],
      ['has:reaction', ['there']],
      ['has:image', []],
      ['has:attachment', []],
      ['is:mentioned', ['come']],
      ['is:resolved', ['settled']],
      ['is:followed', ['news']],
      ['is:muted', ['noise']],
      ['is:starred', ['shiny']],
      ['is:dm', ['between us']],
      ['dm:"Fred Friend"', ['between us']],
      ['dm-including:"Fred Friend" sender:"Fred Friend"', ['between us']],
      [`sender:${friend.email} in:home is:unread -is:dm`, ['there', 'come', 'settled', 'news', 'shiny']],
      [`id:${followed}`, ['news']],
      ['from:me topic:herbs', []],
      ['From:"Fred Friend" in:#garden has:reaction', ['there']],
      ['-in:#garden from:"@Fred Friend"', ['between us']],
      ['in:"garden > herbs" -is:unread', ['plain']],
      ['in:"Fred Friend" on:today', ['between us']],
      ['has:file', []],
      ['channels:public sender:"Fred Friend" -noise topic:muted', []],
      ['date:2999-01-01 topic:herbs shiny', ['shiny']],
      [`near:${link} topic:herbs`, ['plain', 'there', 'come', 'shiny']],
    ]
    for (const [query, texts] of expected) {
      await show(page, `/search?q=${encodeURIComponent(query)}`)
      const listShown = async () => {
        const all = await resultsOf(page).getByRole('article').allInnerTexts()
        return [query, all.map((text) => texts.find((one) => text.includes(one)))]
      }
      await expect.poll(listShown).toEqual([query, texts])
      if (texts.length === 0) await page.getByText('No messages found').waitFor()
      else await expectResultCount(page, texts.length)
    }
    await owner.call('POST', '/user_topics', { stream_id: channelId, topic: 'muted', visibility_policy: 0 })
  })

  it('finds parts of words in any script, and says which typo was corrected', async () => {
    const { friend, channelId, page } = await teamWithPage()
    const texts = ['The Café redeployment', '昨天升级了数据库服务器', 'Turnips for sale']
    for (const text of texts) await say(friend, channelId, 'herbs', text)
    const expectMarked = async (query: string, marked: string): Promise<void> => {
      await showView(page, `/search?q=${encodeURIComponent(query)}`)
      await expect.poll(() => resultsOf(page).locator('.highlight').allInnerTexts()).toEqual([marked])
    }
    await expectMarked('turnpis', 'Turnips')
    await page.getByText('No results for “turnpis”. Showing results for “turnips”.').waitFor()
    await expectMarked('deploy', 'redeployment')
    await expectMarked('cafe', 'Café')
    // All messages of the topic match by its name.
    await expectMarked('herb', 'herbs')
    await expectMarked('数据库', '数据库')
  })

  it('shows the best match last on request, and keeps the choice in the address', async () => {
    const { friend, channelId, page } = await teamWithPage()
    await say(friend, channelId, 'beans', 'The soldering iron is hot')
    await say(friend, channelId, 'peas', 'An iron gate, and much later some soldering')
    await showView(page, '/search?q=soldering+iron')
    const order = (name: string) => page.getByRole('group', { name: 'Order' }).getByRole('button', { name })
    const expectLast = async (text: string): Promise<void> => {
      await expect.poll(() => resultsOf(page).getByRole('article').last().innerText()).toContain(text)
      await expectResultCount(page, 2)
    }
    await expectLast('much later')
    await order('Best match').focus()
    await page.keyboard.press('Enter')
    await expectLast('iron is hot')
    expect(await order('Best match').evaluate((button) => button === document.activeElement)).toBe(true)
    await page.reload()
    await expectLast('iron is hot')
    await order('Best match').and(page.locator('[aria-pressed=true]')).waitFor()
    await page.getByRole('button', { name: 'Edit Best match' }).waitFor()
    await say(friend, channelId, 'peas', 'iron for soldering')
    await order('Newest').click()
    await resultsOf(page).getByText('iron for soldering').waitFor()
    expect(new URL(page.url()).searchParams.get('q')).toBe('soldering iron')
    await field(page).fill('trellis')
    await page.getByText('No messages found').waitFor()
  })

  it('lists people, channels, topics, and files beside the messages', async () => {
    const { friend, channelId, page } = await teamWithPage()
    await say(friend, channelId, 'Garden gate', `[garden-plan.txt](${await upload(friend, 'garden-plan.txt', 'p')})`)
    await say(friend, channelId, 'Weeds', 'In the garden')
    await showView(page, '/search?q=gar')
    const others = page.getByRole('navigation', { name: 'People, channels, topics, and files' })
    const group = (name: string) => others.getByRole('group', { name, exact: true })
    await group('Channels (1)').getByRole('link', { name: 'garden' }).waitFor()
    await group('Topics (1)').getByRole('link', { name: 'Garden gate' }).waitFor()
    await field(page).fill('garden-plan')
    await group('Files (1)').getByRole('link', { name: 'garden-plan.txt' }).waitFor()
    await field(page).fill('fred fri')
    await group('People (1)').getByRole('link', { name: 'Fred Friend' }).waitFor()
    expect(await accessibilityFaults(page)).toEqual([])
    await field(page).fill('garden from:me ')
    await others.waitFor({ state: 'hidden' })
  })

  it('updates a search for muted topics live, and leaves the search field on Escape', async () => {
    const { owner, friend, channelId, page } = await teamWithPage()
    await say(friend, channelId, 'noise', 'A loud bean')
    await showView(page, '/search?q=is%3Amuted')
    await page.getByText('No messages found').waitFor()
    await owner.call('POST', '/user_topics', { stream_id: channelId, topic: 'noise', visibility_policy: 1 })
    await resultsOf(page).getByText('A loud bean').waitFor()
    await field(page).focus()
    await page.keyboard.press('Escape')
    await page.keyboard.press('j')
    await expect
      .poll(() =>
        resultsOf(page)
          .getByRole('article')
          .evaluate((row) => row === document.activeElement),
      )
      .toBe(true)
  })

  it('opens a search result in its conversation, and returns to the results', async () => {
    const { friend, channelId, page } = await teamWithPage()
    for (let number = 0; number < 5; number += 1) await say(friend, channelId, 'seams', `Filler ${number}`)
    const id = await say(friend, channelId, 'seams', 'The **thimble**')
    for (let number = 5; number < 9; number += 1) await say(friend, channelId, 'seams', `Filler ${number}`)
    await showView(page, '/search?q=thimble')
    await expectResultCount(page, 1)
    await resultsOf(page).getByRole('article').focus()
    await page.keyboard.press('Enter')
    await list(page).getByText('Filler 8').waitFor()
    expect(new URL(page.url()).searchParams.get('near')).toBe(String(id))
    // Search terms are highlighted only in search results.
    expect(await list(page).locator('.highlight').count()).toBe(0)
    await page.goBack()
    await resultsOf(page).locator('.highlight').waitFor()
    await resultsOf(page).getByRole('link', { name: /seams/ }).click()
    await list(page).getByText('Filler 8').waitFor()
  })

  it('updates search results live when messages are edited or sent', async () => {
    const { friend, channelId, page } = await teamWithPage()
    const id = await say(friend, channelId, 'beans', 'An old spindle')
    await showView(page, '/search?q=spindle')
    await expectResultCount(page, 1)
    await friend.call('PATCH', `/messages/${id}`, { content: 'A changed spindle' })
    await resultsOf(page).getByText('A changed spindle').waitFor()
    await say(friend, channelId, 'peas', 'A second spindle')
    await resultsOf(page).getByText('A second spindle').waitFor()
    expect(await resultsOf(page).getByText('An old spindle').count()).toBe(0)
  })

  it('finds previously loaded messages offline, and searches again when reconnected', async () => {
    const { owner, friend, channelId } = await createTeamOn(server())
    await say(friend, channelId, 'beans', 'A needle that was read')
    // The accented letter is decomposed here, but composed in the search.
    await say(friend, channelId, 'beans', 'In the Cafe\u0301')
    await say(friend, channelId, 'beans', '昨天升级了数据库服务器')
    const elsewhere = await say(owner, channelId, 'peas', 'A needle elsewhere')
    // Marked as read, because the client would prefetch an unread message.
    await owner.call('POST', '/messages/flags', { messages: [elsewhere], op: 'add', flag: 'read' })
    const page = await openAs(browser(), owner, `/c/${channelId}/t/beans`, { serviceWorkers: 'allow' })
    await list(page).getByText('A needle that was read').waitFor()
    await loseConnection(page)
    await composer(page).press('Escape')
    await page.keyboard.press('/')
    await field(page).fill('before:2020-01-01 need')
    await page.getByText('No results in this browser').waitFor()
    await field(page).fill('from:"Fred Friend" in:"#garden>beans" after:2020-01-01 need')
    await resultsOf(page).locator('.highlight', { hasText: 'needle' }).waitFor()
    await page.getByText('there may be more').waitFor()
    expect(await resultsOf(page).getByRole('article').count()).toBe(1)
    await field(page).fill('caf\u00e9')
    await resultsOf(page).locator('.highlight', { hasText: 'Cafe\u0301' }).waitFor()
    await field(page).fill('数据库')
    await resultsOf(page)
      .locator('.highlight', { hasText: /^数据库$/ })
      .waitFor()
    await field(page).fill('edle')
    await resultsOf(page)
      .locator('.highlight', { hasText: /^needle$/ })
      .waitFor()
    await field(page).fill('elsewhere')
    await page.getByText('No results in this browser').waitFor()
    await page.context().setOffline(false)
    await resultsOf(page).getByText('A needle elsewhere').waitFor()
  })

  it('supports searching by touch on a screen 320 px wide', async () => {
    const { owner, friend, channelId } = await createTeamOn(server())
    await say(friend, channelId, 'beans', 'A needle')
    const page = await openAs(browser(), owner, '/search?q=', { viewport: { width: 320, height: 640 }, hasTouch: true })
    await field(page).tap()
    await option(page, /^is:/).tap()
    await option(page, /unread/).tap()
    await filterChip(page, 'is: unread').waitFor()
    await field(page).fill('needle')
    await expectResultCount(page, 1)
    await page.getByRole('button', { name: 'Remove is: unread' }).tap()
    await expect.poll(() => filterChip(page, 'is: unread').count()).toBe(0)
    const isTooWide = await page.evaluate(
      () => document.documentElement.scrollWidth > document.documentElement.clientWidth,
    )
    expect(isTooWide).toBe(false)
    await resultsOf(page).getByText('A needle').waitFor()
  })
})
