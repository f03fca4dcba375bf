import type { Page } from 'playwright-core'
import { describe, expect, it } from 'vitest'
import { accessibilityFaults, hasBrowser, openAs, show } from './browser.ts'
import { loseConnection } from './kept.ts'
import { expectResultCount, resultsOf, searchField, searchTeam } from './searching.ts'
import { useTeam } from './shared.ts'
import { composer, createTeamOn, list, say } from './team.ts'
import { openUnloaded } from './unloaded.ts'
import { showView } from './views.ts'

const tests = useTeam()
const { server, browser } = tests

const option = (page: Page, name: string | RegExp) => page.getByRole('option', { name })
const filterChip = (page: Page, name: string) => page.getByRole('button', { name: `Edit ${name}`, exact: true })

describe.skipIf(!hasBrowser)('search', () => {
  it('keeps text typed while the search or the palette is loading, and closes the palette on Escape', async () => {
    const { owner } = await createTeamOn(server())
    const [searching, releaseSearch] = await openUnloaded(browser(), owner)
    await searching.keyboard.press('/')
    await searching.keyboard.type('answer')
    expect(await searchField(searching).count()).toBe(0)
    releaseSearch()
    await expect.poll(async () => searchField(searching).inputValue()).toBe('answer')
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

  it('keeps text typed before the search page appears, without running shortcuts', async () => {
    const { owner } = await createTeamOn(server())
    const page = await openAs(browser(), owner, '/inbox')
    await page.getByRole('heading', { name: 'Inbox' }).waitFor()
    await page.evaluate(() => {
      window.requestAnimationFrame = () => 0
    })
    // Each letter is a shortcut.
    for (const key of '/cairn') await page.keyboard.press(key)
    await expect.poll(async () => searchField(page).inputValue()).toBe('cairn')
    expect(page.url()).toContain('/search')
  })

  it('turns filters into chips, highlights results, and updates the address', async () => {
    const { owner, friend, channelId, page } = await searchTeam(tests)
    await say(friend, channelId, 'beans', 'A needle in the beans')
    await say(friend, channelId, 'peas', 'A needle in the peas')
    await say(owner, channelId, 'beans', 'My own needle')
    await page.keyboard.press('/')
    await searchField(page).pressSequentially('sen')
    await option(page, /^sender:/)
      .first()
      .waitFor()
    await page.keyboard.press('ArrowDown')
    await page.keyboard.press('Enter')
    await expect.poll(() => searchField(page).inputValue()).toBe('sender:')
    await searchField(page).pressSequentially('fre')
    await option(page, /Fred Friend/).waitFor()
    await page.keyboard.press('Enter')
    await filterChip(page, 'sender: Fred Friend').waitFor()
    await expectResultCount(page, 2)
    await searchField(page).pressSequentially('-topic:"peas" need')
    await filterChip(page, 'not topic: peas').waitFor()
    await resultsOf(page).locator('.highlight', { hasText: 'needle' }).waitFor()
    await searchField(page).pressSequentially('le')
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
    const { friend, channelId, page } = await searchTeam(tests)
    await say(friend, channelId, 'beans', 'First')
    await showView(page, '/search?q=channel%3Agarden+is%3Aunread+-has%3Alink')
    await expectResultCount(page, 1)
    await searchField(page).focus()
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
    await expect.poll(() => searchField(page).inputValue()).toBe('channel:garden')
    await searchField(page).fill('channel:nowhere')
    await page.keyboard.press('Enter')
    await page.getByRole('alert').filter({ hasText: 'channel:nowhere' }).waitFor()
    await page.getByRole('button', { name: 'Remove channel: nowhere' }).click()
    await expectResultCount(page, 1)
    await page.getByRole('button', { name: 'Clear search' }).click()
    await page.getByText('Search everything you can read').waitFor()
  })

  it('supports every search filter and its negation', async () => {
    const { owner, friend, channelId, page } = await searchTeam(tests)
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
    await searchField(page).fill('before:2020-01-01 need')
    await page.getByText('No results in this browser').waitFor()
    await searchField(page).fill('from:"Fred Friend" in:"#garden>beans" after:2020-01-01 need')
    await resultsOf(page).locator('.highlight', { hasText: 'needle' }).waitFor()
    await page.getByText('there may be more').waitFor()
    expect(await resultsOf(page).getByRole('article').count()).toBe(1)
    await searchField(page).fill('caf\u00e9')
    await resultsOf(page).locator('.highlight', { hasText: 'Cafe\u0301' }).waitFor()
    await searchField(page).fill('数据库')
    await resultsOf(page)
      .locator('.highlight', { hasText: /^数据库$/ })
      .waitFor()
    await searchField(page).fill('edle')
    await resultsOf(page)
      .locator('.highlight', { hasText: /^needle$/ })
      .waitFor()
    await searchField(page).fill('elsewhere')
    await page.getByText('No results in this browser').waitFor()
    await page.context().setOffline(false)
    await resultsOf(page).getByText('A needle elsewhere').waitFor()
  })

  it('supports searching by touch on a screen 320 px wide', async () => {
    const { owner, friend, channelId } = await createTeamOn(server())
    await say(friend, channelId, 'beans', 'A needle')
    const page = await openAs(browser(), owner, '/search?q=', { viewport: { width: 320, height: 640 }, hasTouch: true })
    await searchField(page).tap()
    await option(page, /^is:/).tap()
    await option(page, /unread/).tap()
    await filterChip(page, 'is: unread').waitFor()
    await searchField(page).fill('needle')
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
