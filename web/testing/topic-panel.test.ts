import { describe, expect, it } from 'vitest'
import { upload } from '../../server/src/testing/files.ts'
import type { TestServer } from '../../server/src/testing/server.ts'
import type { TestUser } from '../../server/src/testing/user.ts'
import { accessibilityFaults, hasBrowser } from './browser.ts'
import { files, openPanel, panel, participant, participants, shareFile } from './details-panel.ts'
import { useTeam } from './shared.ts'
import { createTeamOn, list, say } from './team.ts'
import { isTooWide } from './views.ts'

const { team: teamWithLongTopic, makeTeam, openPage } = useTeam({}, createTeamWithLongTopic)

/**
 * Creates a topic whose first message links to a file, is not loaded on opening, and is its author's only message.
 */
async function createTeamWithLongTopic(server: TestServer) {
  const team = await createTeamOn(server)
  const olga = await team.user('Olga Other')
  await olga.call('POST', '/users/me/subscriptions', { subscriptions: [{ name: 'garden' }] })
  await shareFile(olga, team.channelId, 'first.pdf')
  for (let number = 0; number < 140; number++) await say(team.friend, team.channelId, 'beans', `Bean ${number}`)
  await team.owner.call('POST', '/mark_all_as_read')
  return { ...team, olga }
}

/** Stores that the panel is closed, because later pages of the person would reopen it. */
async function closePanel(user: TestUser): Promise<void> {
  await user.call('PATCH', '/preferences', { preferences: { 'web.panel': 'false' } })
}

describe.skipIf(!hasBrowser)('details panel of a topic', () => {
  it('counts participants and files of unloaded messages too', async () => {
    const { owner, channelId } = await teamWithLongTopic()
    await closePanel(owner)
    const page = await openPage(owner, `/c/${channelId}/t/beans`)
    await openPanel(page)
    await list(page).getByText('Bean 139').waitFor()
    expect(await list(page).getByText('Bean 0', { exact: true }).count()).toBe(0)
    await participant(page, /^Olga Other/).waitFor()
    await participant(page, /^Fred Friend/).waitFor()
    await participants(page).getByText('2', { exact: true }).waitFor()
    await files(page).getByText('1', { exact: true }).waitFor()
    await files(page).getByText('PDF · Olga Other').waitFor()
    expect(await page.evaluate(() => document.activeElement?.closest('.panel-part') ?? null)).toBe(null)
    const file = files(page).getByRole('link', { name: 'first.pdf' })
    expect(await file.getAttribute('href')).toMatch(/^\/user_uploads\/.*first/)
    await file.press('Tab')
    await page.keyboard.press('Enter')
    await list(page).getByText('See this').waitFor()
    expect(await accessibilityFaults(page)).toEqual([])
  })

  it('marks no message as moved and counts no bot as participant when a topic is resolved', async () => {
    const { owner, friend, channelId } = await makeTeam()
    const id = await say(friend, channelId, 'beans', 'Ripe')
    const moved = await say(friend, channelId, 'peas', 'Sown')
    await owner.call('PATCH', `/messages/${moved}`, { topic: 'beans', send_notification_to_new_thread: false })
    const page = await openPage(owner, `/c/${channelId}/t/beans`)
    await list(page).getByText('Ripe').waitFor()
    for (const isReloaded of [false, true]) {
      const topic = isReloaded ? 'beans' : '✔ beans'
      await owner.call('PATCH', `/messages/${id}`, { topic, propagate_mode: 'change_all' })
      await list(page)
        .getByText(isReloaded ? 'unresolved' : 'as resolved')
        .waitFor()
      expect(await list(page).getByText('moved', { exact: true }).count()).toBe(1)
      await page.reload()
      await list(page).getByText('Ripe').waitFor()
      expect(await list(page).getByText('moved', { exact: true }).count()).toBe(1)
    }
    await page.getByRole('main').getByRole('button', { name: 'Details' }).click()
    await participants(page).getByText('1', { exact: true }).waitFor()
  })

  it('updates participants and files on new, deleted, and moved messages', async () => {
    const { owner, friend, channelId } = await makeTeam()
    await say(owner, channelId, 'beans', 'Ripe')
    const page = await openPage(owner, `/c/${channelId}/t/beans`)
    await openPanel(page)
    await files(page).getByText('No files yet').waitFor()
    await participants(page).getByText('1', { exact: true }).waitFor()
    const first = await shareFile(friend, channelId, 'plan.txt')
    const second = await shareFile(friend, channelId, 'map.png')
    await files(page).getByRole('link', { name: 'map.png' }).waitFor()
    await files(page).getByText('2', { exact: true }).waitFor()
    await participant(page, /^Fred Friend/).waitFor()
    await owner.call('DELETE', `/messages/${first}`)
    await files(page).getByText('1', { exact: true }).waitFor()
    expect(await files(page).getByRole('link', { name: 'plan.txt' }).count()).toBe(0)
    await owner.call('PATCH', `/messages/${second}`, { topic: 'peas', propagate_mode: 'change_one' })
    await files(page).getByText('No files yet').waitFor()
    await participant(page, /^Fred Friend/).waitFor({ state: 'detached' })
    await owner.call('PATCH', `/messages/${second}`, { topic: 'beans', propagate_mode: 'change_one' })
    await files(page).getByRole('link', { name: 'map.png' }).waitFor()
  })

  it('shows a minimum file count until older files are loaded by keyboard', async () => {
    const { owner, friend, channelId } = await makeTeam()
    const links = await Promise.all(
      Array.from({ length: 64 }, async (_, number) => upload(friend, `${number}.txt`, `${number}`)),
    )
    for (const link of links) await say(friend, channelId, 'beans', `[file](${link})`)
    const page = await openPage(owner, `/c/${channelId}/t/beans`)
    await openPanel(page)
    await files(page).getByText('at least 60').waitFor()
    await files(page).getByRole('link', { name: '4.txt', exact: true }).waitFor()
    expect(await files(page).getByRole('link', { name: '3.txt', exact: true }).count()).toBe(0)
    await files(page).getByRole('button', { name: 'Show older files' }).press('Enter')
    await files(page).getByText('64', { exact: true }).waitFor()
    await expect.poll(() => page.evaluate(() => document.activeElement?.textContent?.trim())).toBe('3.txt')
    await files(page).getByRole('button', { name: 'Show older files' }).waitFor({ state: 'detached' })
  })

  it.each([320, 1280])('reports a failed load of topic details, and retries, at %i px', async (width) => {
    const { owner, channelId } = await teamWithLongTopic()
    await closePanel(owner)
    const page = await openPage(owner, `/c/${channelId}/t/beans`, { viewport: { width, height: 700 } })
    await list(page).getByText('Bean 139').waitFor()
    await page.route('**/api/v1/messages?*', (route) => route.abort())
    await page.getByRole('main').getByRole('button', { name: 'Details' }).click()
    const failures = panel(page).getByRole('alert').filter({ hasText: 'Couldn’t load this.' })
    await expect.poll(() => failures.count()).toBe(2)
    // The panel knows the authors of loaded messages, but not the number of all participants.
    await participant(page, /^Fred Friend/).waitFor()
    expect(await participants(page).getByText('1', { exact: true }).count()).toBe(0)
    // On a phone, the panel replaces the view and is not a separate landmark.
    expect(width > 320 ? await accessibilityFaults(page) : []).toEqual([])
    expect(await isTooWide(page)).toBe(false)
    await page.unroute('**/api/v1/messages?*')
    await participants(page).getByRole('button', { name: 'Try again' }).press('Enter')
    await participant(page, /^Olga Other/).waitFor()
    await files(page).getByRole('button', { name: 'Try again' }).press('Enter')
    await files(page).getByRole('link', { name: 'first.pdf' }).waitFor()
    expect(await isTooWide(page)).toBe(false)
  })

  it('omits muted people and their files from the details panel', async () => {
    const { friend, olga, channelId } = await teamWithLongTopic()
    await friend.call('POST', `/users/me/muted_users/${olga.id}`)
    const page = await openPage(friend, `/c/${channelId}/t/beans`)
    await openPanel(page)
    await participants(page).getByText('Not shown: 1 person you muted').waitFor()
    await files(page).getByText('Not shown: 1 file from people you muted').waitFor()
    await participants(page).getByText('2', { exact: true }).waitFor()
    expect(await panel(page).innerText()).not.toMatch(/Olga|first/)
  })

  it('counts no participants or files of messages that the person cannot read', async () => {
    const { owner, friend, user } = await makeTeam()
    const late = await user('Lara Late')
    await owner.call('POST', '/users/me/subscriptions', {
      subscriptions: [{ name: 'shed' }],
      principals: [owner.id, friend.id],
      invite_only: true,
      history_public_to_subscribers: false,
    })
    const { stream_id } = await owner.call('GET', '/get_stream_id', { stream: 'shed' })
    await shareFile(friend, stream_id, 'secret.txt')
    await owner.call('POST', '/users/me/subscriptions', { subscriptions: [{ name: 'shed' }], principals: [late.id] })
    await shareFile(owner, stream_id, 'open.txt')
    const page = await openPage(late, `/c/${String(stream_id)}/t/beans`)
    await openPanel(page)
    await files(page).getByRole('link', { name: 'open.txt' }).waitFor()
    await files(page).getByText('1', { exact: true }).waitFor()
    await participants(page).getByText('1', { exact: true }).waitFor()
    expect(await panel(page).innerText()).not.toMatch(/Fred|secret/)
  })
})
