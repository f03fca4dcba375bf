import type { Page } from 'playwright-core'
import { describe, expect, it } from 'vitest'
import type { TestUser } from '../../server/src/testing/user.ts'
import { hasBrowser } from './browser.ts'
import { useTeam } from './shared.ts'
import { composer, list, say } from './team.ts'
import { showView } from './views.ts'

const { makeTeam, openPage } = useTeam()

const group = (page: Page, name: string) => list(page).getByRole('group', { name })
const task = (page: Page, name: string) => list(page).getByRole('checkbox', { name })

async function fetchSubmessages(user: TestUser, id: number): Promise<unknown[]> {
  const { message } = await user.call('GET', `/messages/${id}`)
  return message.submessages.slice(1).map(({ content }): unknown => JSON.parse(content))
}

async function addSubmessage(user: TestUser, id: number, content: unknown): Promise<void> {
  await user.call('POST', '/submessage', { message_id: id, msg_type: 'widget', content: JSON.stringify(content) })
}

describe.skipIf(!hasBrowser)('to-do lists', () => {
  it('creates a to-do list by command, and updates tasks live for everyone', async () => {
    const { owner, friend, channelId } = await makeTeam()
    const page = await openPage(owner)
    await showView(page, `/c/${channelId}/t/moving`)
    await composer(page).focus()
    await page.keyboard.type('/to')
    await page.getByRole('option', { name: '/todo' }).click()
    await page.keyboard.type('Move\nBoxes: Ask Ann\nKeys\nKeys')
    await page.keyboard.press('Control+Enter')
    await group(page, 'To-do list: Move').waitFor()
    await task(page, 'Boxes Ask Ann').waitFor()
    expect(await list(page).getByRole('checkbox').count()).toBe(2)
    const { messages } = await owner.call('GET', '/messages', { anchor: 'newest', num_before: 1, num_after: 0 })
    const [{ id } = { id: 0 }] = messages

    await task(page, 'Keys').check()
    await expect.poll(() => fetchSubmessages(friend, id)).toEqual([{ type: 'strike', key: '1,canned' }])
    await addSubmessage(friend, id, { type: 'new_task', key: 2, task: 'Van', desc: '', completed: false })
    await addSubmessage(friend, id, { type: 'new_task', key: 3, task: 'Keys', desc: 'again', completed: false })
    await addSubmessage(friend, id, { type: 'strike', key: '0,canned' })
    await expect.poll(() => task(page, 'Boxes Ask Ann').isChecked()).toBe(true)
    expect(await task(page, 'Keys').isChecked()).toBe(true)
    await task(page, `Van`).focus()
    await page.keyboard.press('Space')
    const all = await fetchSubmessages(friend, id)
    await expect
      .poll(async () => (await fetchSubmessages(friend, id)).at(-1))
      .toEqual({ type: 'strike', key: `2,${friend.id}` })
    expect(all.length).toBeGreaterThanOrEqual(4)

    // Ignores title changes by anyone but the author, which other clients can send.
    await addSubmessage(friend, id, { type: 'new_task_list_title', title: 'Stay' })
    await page.getByRole('button', { name: 'Edit title' }).focus()
    await page.keyboard.press('Enter')
    await page.getByRole('textbox', { name: 'Title' }).fill('Move out')
    await page.keyboard.press('Enter')
    await group(page, 'To-do list: Move out').waitFor()
    await expect
      .poll(() =>
        page.getByRole('button', { name: 'Edit title' }).evaluate((button) => button === document.activeElement),
      )
      .toBe(true)

    await page.getByRole('textbox', { name: 'New task' }).fill('Van')
    await page.getByText('This task is already on the list.').waitFor()
    await page.getByRole('textbox', { name: 'New task' }).fill('Cat')
    await page.getByRole('textbox', { name: 'Description' }).fill('in the box')
    await page.keyboard.press('Enter')
    await task(page, 'Cat in the box').waitFor()
    expect((await fetchSubmessages(friend, id)).slice(-2)).toEqual([
      { type: 'new_task_list_title', title: 'Move out' },
      { type: 'new_task', key: 1, task: 'Cat', desc: 'in the box', completed: false },
    ])
    await page.reload()
    await task(page, 'Cat in the box').waitFor()
    expect(await list(page).getByRole('checkbox', { checked: true }).count()).toBe(3)
  })

  it('starts a to-do list in a DM with a bare /todo, and undoes a checked task for everyone', async () => {
    const { owner, friend } = await makeTeam()
    await owner.call('PATCH', '/settings', { enter_sends: true })
    const page = await openPage(owner, `/dm/${friend.id}`)
    await composer(page).focus()
    await page.keyboard.type('/todo')
    await page.getByRole('option', { name: '/todo' }).waitFor()
    await page.keyboard.press('Enter')
    await page.keyboard.press('Enter')
    await page.getByRole('textbox', { name: 'New task' }).fill('Boxes')
    await page.keyboard.press('Enter')
    await task(page, 'Boxes').check()
    const { messages } = await friend.call('GET', '/messages', { anchor: 'newest', num_before: 1, num_after: 0 })
    const [{ id } = { id: 0 }] = messages
    const strikes = async () => (await fetchSubmessages(friend, id)).slice(1)
    const strike = { type: 'strike', key: `1,${owner.id}` }
    await expect.poll(strikes).toEqual([strike])
    await page.keyboard.press('Control+z')
    await expect.poll(strikes).toEqual([strike, strike])
    await expect.poll(() => task(page, 'Boxes').isChecked()).toBe(false)
  })

  it('tolerates invalid to-do data, lets only authors edit titles, and disables lists in archived channels', async () => {
    const { owner, friend, channelId } = await makeTeam()
    const extra_data = {
      task_list_title: 7,
      tasks: [null, { task: 'Seeds' }, { task: '' }, 'x', { task: 'Soil', desc: 1 }],
    }
    const widget_content = JSON.stringify({ widget_type: 'todo', extra_data })
    const message = { type: 'channel', to: channelId, topic: 'odd', content: 'list', widget_content }
    const { id } = await friend.call('POST', '/messages', message)
    for (const content of [1, [], { type: 'strike' }, { type: 'strike', key: '9,9' }, { type: 'new_task', key: {} }])
      await addSubmessage(friend, id, content)
    await say(friend, channelId, 'odd', 'below')
    const page = await openPage(owner)
    await showView(page, `/c/${channelId}/t/odd`)
    await group(page, 'To-do list').waitFor()
    expect(await list(page).getByRole('checkbox').count()).toBe(2)
    await page.getByRole('textbox', { name: 'New task' }).waitFor()
    expect(await page.getByRole('button', { name: 'Edit title' }).count()).toBe(0)
    await owner.call('DELETE', `/streams/${channelId}`)
    await expect.poll(() => task(page, 'Seeds').isDisabled()).toBe(true)
    expect(await page.getByRole('textbox', { name: 'New task' }).count()).toBe(0)
  })
})
