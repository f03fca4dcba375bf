import type { Page } from 'playwright-core'
import { describe, expect, it } from 'vitest'
import { useTestServer } from '../../server/src/testing/server.ts'
import { accessibilityFaults, hasBrowser, LOCAL_DOMAIN, openAs, show, useBrowser } from './browser.ts'
import { list, say, teamOn, type Team } from './team.ts'

const server = useTestServer(LOCAL_DOMAIN)
const browser = useBrowser()

const SECRET = /Fred|prattle/

const covered = (page: Page) => list(page).getByRole('article', { name: /^Muted person, / })

/** A team whose owner has muted the friend, who has written before and after that. */
async function mutedTeam(): Promise<Team & { readonly other: Team['friend'] }> {
  const team = await teamOn(server())
  const other = await team.user('Olga Other')
  await other.call('POST', '/users/me/subscriptions', { subscriptions: [{ name: 'garden' }] })
  await say(other, team.channelId, 'beans', 'Before')
  await say(team.friend, team.channelId, 'beans', 'Some prattle')
  await team.friend.call('POST', '/messages', { type: 'direct', to: [team.owner.id], content: 'Direct prattle' })
  await team.owner.call('POST', `/users/me/muted_users/${team.friend.id}`)
  await say(team.friend, team.channelId, 'beans', 'More prattle')
  return { ...team, other }
}

/** All that a page shows or says. */
async function textsOf(page: Page): Promise<string> {
  return page.evaluate(() => {
    const named = [...document.querySelectorAll('[aria-label], [title], [alt]')].flatMap((element) =>
      ['aria-label', 'title', 'alt'].map((name) => element.getAttribute(name) ?? ''),
    )
    return [document.body.innerText, document.body.textContent ?? '', document.title, ...named].join('\n')
  })
}

describe.skipIf(!hasBrowser)('messages of muted people', () => {
  it.each([320, 1280])('are a line each, until one asks for one of them, %i px wide', async (width) => {
    const { owner, channelId } = await mutedTeam()
    const viewport = { width, height: 700 }
    const page = await openAs(browser(), owner, `/c/${channelId}/t/beans`, { viewport })
    await list(page).getByText('Before').waitFor()
    await expect.poll(() => covered(page).count()).toBe(2)
    expect(await textsOf(page)).not.toMatch(SECRET)
    for (const row of await covered(page).all()) {
      expect((await row.boundingBox())?.height).toBeLessThan(width === 320 ? 70 : 50)
      await row.hover()
    }
    expect(await page.getByRole('toolbar', { name: /Actions for/ }).count()).toBe(0)
    expect(await accessibilityFaults(page)).toEqual([])
    await covered(page).last().getByRole('button', { name: 'Show message' }).click()
    await list(page).getByText('More prattle').waitFor()
    // Beside the one that is hidden one has to see whose it is.
    await list(page).getByRole('button', { name: 'Fred Friend: what to do' }).waitFor()
    expect(await list(page).getByText('Some prattle').count()).toBe(0)
    expect(await covered(page).count()).toBe(1)
  })

  it('are shown and hidden again by the keyboard', async () => {
    const { owner, channelId } = await mutedTeam()
    const page = await openAs(browser(), owner, `/c/${channelId}/t/beans`)
    await covered(page).last().waitFor()
    await page.keyboard.press('k')
    await page.keyboard.press('Tab')
    expect(await page.evaluate(() => document.activeElement?.textContent)).toBe('Show message')
    await page.keyboard.press('Enter')
    const row = list(page).getByRole('article', { name: /^Fred Friend/ })
    await row.waitFor()
    await expect.poll(() => row.evaluate((element) => element === document.activeElement)).toBe(true)
    await page.keyboard.press('Shift+F10')
    await page.getByRole('menuitem', { name: 'Hide again' }).press('Enter')
    await expect.poll(() => covered(page).count()).toBe(2)
  })

  it('leave no trace in other views, nor in what is announced', async () => {
    const { owner, friend, channelId } = await mutedTeam()
    const page = await openAs(browser(), owner, '/inbox')
    for (const path of ['/inbox', '/recent', `/c/${channelId}`, `/c/${channelId}/feed`, '/feed', '/search?q=Before']) {
      await show(page, path)
      await page
        .getByRole('main')
        .getByText(/Before|hidden message|Muted person/)
        .first()
        .waitFor()
      expect([path, SECRET.exec(await textsOf(page))?.[0]]).toEqual([path, undefined])
    }
    await show(page, `/c/${channelId}/t/beans`)
    await expect.poll(() => covered(page).count()).toBe(2)
    await friend.call('POST', '/typing', { type: 'stream', op: 'start', stream_id: channelId, topic: 'beans' })
    await say(friend, channelId, 'beans', 'Endless prattle')
    await expect.poll(() => covered(page).count()).toBe(3)
    expect(await textsOf(page)).not.toMatch(SECRET)
    await page.keyboard.press('Control+k')
    await page.getByRole('dialog').getByRole('combobox').fill('prattle')
    await page
      .getByRole('option', { name: /^Search messages/ })
      .or(page.getByRole('option').first())
      .first()
      .waitFor()
    expect(await page.getByRole('option', { name: /Some prattle/ }).count()).toBe(0)
  })
})
