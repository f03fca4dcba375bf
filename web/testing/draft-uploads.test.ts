import type { Page } from 'playwright-core'
import { describe, expect, it } from 'vitest'
import { openAnotherTab, hasBrowser, show } from './browser.ts'
import { composer, fetchTopicContents, withNewcomer } from './team.ts'
import { useTeam } from './shared.ts'

const { team, openPage } = useTeam()

describe.skipIf(!hasBrowser)('uploads in a draft', () => {
  /** Holds the uploads of a page until `finish` or `fail` is called. */
  async function holdUploads(page: Page): Promise<{ readonly finish: () => void; readonly fail: () => void }> {
    let end: (isDone: boolean) => void = () => undefined
    const isDone = new Promise<boolean>((resolve) => {
      end = resolve
    })
    await page.route('**/api/v1/user_uploads', async (route) => ((await isDone) ? route.continue() : route.abort()))
    return { finish: () => end(true), fail: () => end(false) }
  }

  async function attach(page: Page, ...names: readonly string[]): Promise<void> {
    await choose(page, 'Attach file', ...names)
    await page
      .getByRole('progressbar', { name: names.at(-1) ?? '' })
      .last()
      .waitFor()
  }

  async function choose(page: Page, button: string, ...names: readonly string[]): Promise<void> {
    const chooser = page.waitForEvent('filechooser')
    await page.getByRole('button', { name: button }).click()
    await (await chooser).setFiles(names.map((name) => ({ name, mimeType: 'text/plain', buffer: Buffer.from(name) })))
  }

  const waits = (page: Page) => page.getByRole('form').getByText('Sends when the upload finishes')
  const LINKS = /^<p>See <a href="\/user_uploads\/[^"]+">plan.txt<\/a><br>\n<a href="[^"]+">plan.txt<\/a><\/p>$/

  it('sends a message when its uploads finish, unless its text was edited after Send', async () => {
    const { owner, friend, channelId } = await withNewcomer(await team())
    const page = await openPage(owner, `/c/${channelId}/t/plans`)
    const { finish } = await holdUploads(page)
    await composer(page).fill('See')
    await attach(page, 'plan.txt', 'plan.txt')
    await composer(page).press('Control+Enter')
    await waits(page).waitFor()
    await page.getByRole('button', { name: 'Don’t send yet' }).click()
    await waits(page).waitFor({ state: 'detached' })
    await page.getByRole('button', { name: 'Send', exact: true }).click()
    await waits(page).waitFor()
    await composer(page).press('Control+End')
    await page.keyboard.type('!')
    await waits(page).waitFor({ state: 'detached' })
    await page.keyboard.press('Backspace')
    await page.keyboard.press('Control+Enter')
    await waits(page).waitFor()
    expect(await fetchTopicContents(friend, channelId, 'plans')).toEqual([])
    finish()
    await expect.poll(() => fetchTopicContents(friend, channelId, 'plans')).toEqual([expect.stringMatching(LINKS)])
    await expect.poll(() => composer(page).inputValue()).toBe('')
    await waits(page).waitFor({ state: 'detached' })
    await expect.poll(async () => (await owner.call('GET', '/drafts'))['count']).toBe(0)
  })

  it('schedules a message with links to its files once the uploads finish', async () => {
    const { owner, friend, channelId } = await withNewcomer(await team())
    const page = await openPage(owner, `/c/${channelId}/t/late plans`)
    const { finish } = await holdUploads(page)
    await composer(page).fill('See')
    await attach(page, 'plan.txt')
    await page.getByRole('button', { name: 'Send later' }).click()
    await page.getByRole('menuitem').first().click()
    await waits(page).waitFor()
    const scheduled = async (): Promise<unknown> => (await owner.call('GET', '/scheduled_messages')).scheduled_messages
    expect(await scheduled()).toEqual([])
    finish()
    await page.getByText(/^Message scheduled: /).waitFor()
    expect(await scheduled()).toMatchObject([
      { content: expect.stringMatching(/^See \[plan.txt\]\(\/user_uploads\/.*\)$/) as unknown, topic: 'late plans' },
    ])
    await expect.poll(() => composer(page).inputValue()).toBe('')
    expect(await fetchTopicContents(friend, channelId, 'late plans')).toEqual([])
  })

  it('sends a message with an upload to the conversation it was written in, even if another view is open', async () => {
    const { owner, friend, channelId } = await withNewcomer(await team())
    const page = await openPage(owner, `/c/${channelId}/t/far plans`)
    const { finish } = await holdUploads(page)
    await composer(page).fill('See')
    await attach(page, 'far.txt')
    await composer(page).press('Control+Enter')
    await waits(page).waitFor()
    await show(page, `/c/${channelId}/t/near plans`)
    await expect.poll(() => composer(page).inputValue()).toBe('')
    await composer(page).fill('Other words')
    expect(await waits(page).count()).toBe(0)
    await show(page, `/c/${channelId}/t/far plans`)
    await waits(page).waitFor()
    await page.getByRole('progressbar', { name: 'far.txt' }).waitFor()
    await show(page, `/c/${channelId}/t/near plans`)
    finish()
    await page.getByText('Sent to far plans in garden').waitFor()
    await expect
      .poll(async () => (await fetchTopicContents(friend, channelId, 'far plans')).join(''))
      .toContain('>far.txt</a>')
    expect(await composer(page).inputValue()).toBe('Other words')
    expect(await fetchTopicContents(friend, channelId, 'near plans')).toEqual([])
  })

  it('keeps a message in the composer if its upload fails after Send', async () => {
    const { owner, friend, channelId } = await withNewcomer(await team())
    const page = await openPage(owner, `/c/${channelId}/t/lost plans`)
    const { fail } = await holdUploads(page)
    await composer(page).fill('See')
    await attach(page, 'lost.txt')
    await composer(page).press('Control+Enter')
    await waits(page).waitFor()
    fail()
    await page.getByRole('alert').filter({ hasText: 'Can’t reach the server' }).waitFor()
    expect(await composer(page).inputValue()).toBe('See ')
    expect(await waits(page).count()).toBe(0)
    expect(await fetchTopicContents(friend, channelId, 'lost plans')).toEqual([])
  })

  it('never sends or stores an upload placeholder, even after a reload or from another tab', async () => {
    const { owner, friend, channelId } = await withNewcomer(await team())
    const path = `/c/${channelId}/t/new plans`
    const page = await openPage(owner, path)
    await holdUploads(page)
    await composer(page).fill('Begun')
    await attach(page, 'new.txt')
    const placeholder = '[Uploading new.txt…]()'
    expect(await composer(page).inputValue()).toContain(placeholder)
    const tab = await openAnotherTab(page, path)
    await expect.poll(() => composer(tab).inputValue()).toBe('Begun ')
    await composer(tab).fill('Begun there')
    await expect.poll(() => composer(page).inputValue()).toBe(`Begun there\n${placeholder}`)
    await composer(tab).press('Control+Enter')
    await expect.poll(() => fetchTopicContents(friend, channelId, 'new plans')).toEqual(['<p>Begun there</p>'])
    await expect.poll(() => composer(page).inputValue()).toBe(`\n${placeholder}`)
    await composer(page).fill(`Again ${placeholder}`)
    await expect.poll(async () => (await owner.call('GET', '/drafts')).drafts[0]?.content).toBe('Again ')
    await page.reload()
    await expect.poll(() => composer(page).inputValue()).toBe('Again ')
    // The placeholder can return from the clipboard or by undo.
    await composer(page).fill(`Pasted ${placeholder}`)
    await composer(page).press('Control+Enter')
    await expect
      .poll(() => fetchTopicContents(friend, channelId, 'new plans'))
      .toEqual(['<p>Begun there</p>', '<p>Pasted</p>'])
  })

  it('warns before leaving the page only while a file is being uploaded', async () => {
    const { owner, channelId } = await withNewcomer(await team())
    const page = await openPage(owner, `/c/${channelId}/t/slow plans`)
    const warnings: string[] = []
    page.on('dialog', (dialog) => {
      warnings.push(dialog.type())
      void dialog.dismiss()
    })
    /** Tries to leave the page. The browser warns only if the person has used the page before. */
    const leave = async (): Promise<void> => {
      await page.evaluate(() => {
        window.location.href = '/api/v1/server_settings'
      })
    }
    const { finish } = await holdUploads(page)
    await composer(page).fill('See')
    await attach(page, 'slow.txt')
    await leave()
    await expect.poll(() => warnings).toEqual(['beforeunload'])
    await page.getByRole('progressbar', { name: 'slow.txt' }).waitFor()
    finish()
    await expect.poll(() => composer(page).inputValue()).toContain('](/user_uploads/')
    await leave()
    await page.waitForURL(/server_settings/)
    expect(warnings).toHaveLength(1)
  })

  it('lists unfinished uploads after a reload until each file is attached again or dismissed', async () => {
    const { owner, channelId } = await withNewcomer(await team())
    const path = `/c/${channelId}/t/torn plans`
    const page = await openPage(owner, path)
    await holdUploads(page)
    await composer(page).fill('See')
    await attach(page, 'plan.txt', 'map.txt')
    const notes = (from: Page) => from.getByRole('alert').filter({ hasText: 'wasn’t uploaded' })
    const tab = await openAnotherTab(page, path)
    await expect.poll(() => composer(tab).inputValue()).toContain('See')
    expect(await notes(tab).count()).toBe(0)
    await tab.close()
    await page.unroute('**/api/v1/user_uploads')
    await page.reload()
    await expect
      .poll(async () => (await notes(page).allTextContents()).toSorted())
      .toEqual(['map.txt wasn’t uploaded', 'plan.txt wasn’t uploaded'])
    const row = (name: string) => page.getByRole('listitem').filter({ hasText: `${name} wasn’t uploaded` })
    await row('map.txt').getByRole('button', { name: 'Dismiss' }).click()
    await row('map.txt').waitFor({ state: 'detached' })
    expect(await composer(page).evaluate((field) => field === document.activeElement)).toBe(true)
    await show(page, `/c/${channelId}/t/whole plans`)
    await expect.poll(() => composer(page).inputValue()).toBe('')
    expect(await notes(page).count()).toBe(0)
    await page.reload()
    await show(page, path)
    await expect.poll(() => notes(page).allTextContents()).toEqual(['plan.txt wasn’t uploaded'])
    await choose(page, 'Attach again', 'plan.txt')
    await expect.poll(() => composer(page).inputValue()).toMatch(/^See\s+\[plan\.txt\]\(\/user_uploads\/.*\)\s*$/)
    expect(await notes(page).count()).toBe(0)
    await page.reload()
    await expect.poll(() => composer(page).inputValue()).toContain('[plan.txt]')
    expect(await notes(page).count()).toBe(0)
  })

  it('lists an unfinished upload in another tab when the uploading tab closes', async () => {
    const { owner, channelId } = await withNewcomer(await team())
    const path = `/c/${channelId}/t/closed plans`
    const page = await openPage(owner, path)
    await holdUploads(page)
    await composer(page).fill('See')
    await attach(page, 'plan.txt')
    const notes = (from: Page) => from.getByRole('alert').filter({ hasText: 'wasn’t uploaded' })
    const tab = await openAnotherTab(page, path)
    await expect.poll(() => composer(tab).inputValue()).toContain('See')
    await attach(page, 'map.txt')
    const late = await openAnotherTab(page, path)
    await expect.poll(() => composer(late).inputValue()).toContain('See')
    for (const one of [tab, late]) expect(await notes(one).count()).toBe(0)
    await page.close()
    await expect.poll(() => notes(tab).allTextContents()).toEqual(['plan.txt wasn’t uploaded'])
    await expect
      .poll(async () => (await notes(late).allTextContents()).toSorted())
      .toEqual(['map.txt wasn’t uploaded', 'plan.txt wasn’t uploaded'])
  })

  it('lists failed uploads after a reload, but not canceled uploads', async () => {
    const { owner, channelId } = await withNewcomer(await team())
    const path = `/c/${channelId}/t/lost plans`
    const page = await openPage(owner, path)
    await holdUploads(page)
    await composer(page).fill('See')
    await attach(page, 'canceled.txt')
    await page.getByRole('button', { name: 'Cancel: canceled.txt' }).click()
    await page.getByRole('button', { name: 'Close: canceled.txt' }).waitFor()
    await page.unrouteAll()
    await page.route('**/api/v1/user_uploads', async (route) => route.abort())
    await choose(page, 'Attach file', 'plan.txt')
    await page.getByRole('button', { name: 'Close: plan.txt' }).waitFor()
    const notes = (from: Page) => from.getByRole('alert').filter({ hasText: 'wasn’t uploaded' })
    const tab = await openAnotherTab(page, path)
    await expect.poll(() => composer(tab).inputValue()).toContain('See')
    expect(await notes(tab).count()).toBe(0)
    await tab.close()
    await page.reload()
    await expect.poll(() => notes(page).allTextContents()).toEqual(['plan.txt wasn’t uploaded'])
    await page.getByRole('button', { name: 'Dismiss' }).click()
    await notes(page).waitFor({ state: 'detached' })
  })
})
