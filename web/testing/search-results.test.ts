import { describe, expect, it } from 'vitest'
import { upload } from '../../server/src/testing/files.ts'
import { accessibilityFaults, hasBrowser, show } from './browser.ts'
import { expectResultCount, resultsOf, searchField, searchTeam } from './searching.ts'
import { useTeam } from './shared.ts'
import { createNewcomer, createTeamOn, list, say } from './team.ts'
import { showView } from './views.ts'

const tests = useTeam()
const { server, visit } = tests

describe.skipIf(!hasBrowser)('search results', () => {
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

  it('finds parts of words in any script, and says which typo was corrected', async () => {
    const { friend, channelId, page } = await searchTeam(tests)
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
    const { friend, channelId, page } = await searchTeam(tests)
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
    await searchField(page).fill('trellis')
    await page.getByText('No messages found').waitFor()
  })

  it('lists people, channels, topics, and files beside the messages', async () => {
    const { friend, channelId, page } = await searchTeam(tests)
    await say(friend, channelId, 'Garden gate', `[garden-plan.txt](${await upload(friend, 'garden-plan.txt', 'p')})`)
    await say(friend, channelId, 'Weeds', 'In the garden')
    await showView(page, '/search?q=gar')
    const others = page.getByRole('navigation', { name: 'People, channels, topics, and files' })
    const group = (name: string) => others.getByRole('group', { name, exact: true })
    await group('Channels (1)').getByRole('link', { name: 'garden' }).waitFor()
    await group('Topics (1)').getByRole('link', { name: 'Garden gate' }).waitFor()
    await searchField(page).fill('garden-plan')
    await group('Files (1)').getByRole('link', { name: 'garden-plan.txt' }).waitFor()
    await searchField(page).fill('fred fri')
    await group('People (1)').getByRole('link', { name: 'Fred Friend' }).waitFor()
    expect(await accessibilityFaults(page)).toEqual([])
    await searchField(page).fill('garden from:me ')
    await others.waitFor({ state: 'hidden' })
  })

  it('updates a search for muted topics live, and leaves the search field on Escape', async () => {
    const { owner, friend, channelId, page } = await searchTeam(tests)
    await say(friend, channelId, 'noise', 'A loud bean')
    await showView(page, '/search?q=is%3Amuted')
    await page.getByText('No messages found').waitFor()
    await owner.call('POST', '/user_topics', { stream_id: channelId, topic: 'noise', visibility_policy: 1 })
    await resultsOf(page).getByText('A loud bean').waitFor()
    await searchField(page).focus()
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
    const { friend, channelId, page } = await searchTeam(tests)
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
    const { friend, channelId, page } = await searchTeam(tests)
    const id = await say(friend, channelId, 'beans', 'An old spindle')
    await showView(page, '/search?q=spindle')
    await expectResultCount(page, 1)
    await friend.call('PATCH', `/messages/${id}`, { content: 'A changed spindle' })
    await resultsOf(page).getByText('A changed spindle').waitFor()
    await say(friend, channelId, 'peas', 'A second spindle')
    await resultsOf(page).getByText('A second spindle').waitFor()
    expect(await resultsOf(page).getByText('An old spindle').count()).toBe(0)
  })
})
