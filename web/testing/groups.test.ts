import type { Page } from 'playwright-core'
import { describe, expect, it } from 'vitest'
import type { TestUser } from '../../server/src/testing/user.ts'
import { accessibilityFaults, hasBrowser } from './browser.ts'
import { useTeam } from './shared.ts'

const { team, visit } = useTeam()

async function fetchGroup(user: TestUser, name: string) {
  const { user_groups } = await user.call('GET', '/user_groups', { include_deactivated_groups: true })
  return user_groups.find((group) => group.name === name)
}

async function createGroup(owner: TestUser, name: string, members: readonly number[], more = {}): Promise<number> {
  const { group_id } = await owner.call('POST', '/user_groups/create', { name, description: '', members, ...more })
  return group_id
}

const row = (page: Page, name: string) => page.getByRole('list', { name: 'All groups' }).getByRole('button', { name })
const dialog = (page: Page, name: string) => page.getByRole('dialog', { name, exact: true })

describe.skipIf(!hasBrowser)('groups', () => {
  it('creates, describes, renames, deactivates, and reactivates a group', async () => {
    const { owner, friend } = await team()
    const page = await visit(owner, '/settings/groups')
    await page.getByText('No groups yet').waitFor()
    await page.getByRole('button', { name: 'Create group' }).click()
    const making = dialog(page, 'Create group')
    await making.getByLabel('Name').fill('gardeners')
    await making.getByRole('searchbox', { name: 'Find a person to add' }).fill('Fred')
    await making.getByRole('searchbox', { name: 'Find a person to add' }).press('Enter')
    await making.getByRole('button', { name: 'Create group' }).click()
    const open = dialog(page, 'gardeners')
    await open.getByRole('list', { name: 'Members' }).getByText('Fred Friend').waitFor()
    expect((await fetchGroup(owner, 'gardeners'))?.members).toEqual([friend.id])
    expect(await accessibilityFaults(page)).toEqual([])
    await open.getByRole('tab', { name: 'About' }).click()
    await open.getByLabel('Description').fill('Who grow things')
    await open.getByLabel('Name').fill('growers')
    await open.getByLabel('Name').press('Enter')
    const renamed = dialog(page, 'growers')
    await renamed.waitFor()
    expect((await fetchGroup(owner, 'growers'))?.description).toBe('Who grow things')
    await renamed.getByLabel('Name').fill('role:growers')
    await renamed.getByLabel('Name').press('Enter')
    await renamed.getByRole('alert').waitFor()
    await renamed.getByLabel('Name').fill('growers')
    await renamed.getByRole('button', { name: 'Deactivate group' }).click()
    await renamed.getByRole('button', { name: 'Reactivate group' }).waitFor()
    expect((await fetchGroup(owner, 'growers'))?.deactivated).toBe(true)
    await page.keyboard.press('Escape')
    await row(page, 'growers').getByText('deactivated').waitFor()
    await page.getByRole('button', { name: 'Undo' }).click()
    await row(page, 'growers').getByText('1 member').waitFor()
  })

  it('adds people and subgroups by keyboard, and undoes a removal', async () => {
    const { owner, friend } = await team()
    await createGroup(owner, 'planters', [])
    const inner = await createGroup(owner, 'rose lovers', [friend.id])
    const page = await visit(owner, '/settings/groups')
    await row(page, 'planters').press('Enter')
    const open = dialog(page, 'planters')
    await open.getByRole('searchbox', { name: 'Find a person to add' }).fill('Fred')
    await page.keyboard.press('Enter')
    await open.getByRole('button', { name: 'Add 1 person' }).press('Enter')
    await open.getByRole('list', { name: 'Members' }).getByText('Fred Friend').waitFor()
    await open.getByRole('combobox', { name: 'Add subgroup' }).selectOption('rose lovers')
    await open.getByRole('button', { name: 'Add', exact: true }).press('Enter')
    await open.getByRole('list', { name: 'Subgroups' }).getByText('rose lovers').waitFor()
    expect(await fetchGroup(owner, 'planters')).toMatchObject({ members: [friend.id], direct_subgroup_ids: [inner] })
    await page.keyboard.press('Escape')
    await row(page, 'rose lovers').click()
    const offered = dialog(page, 'rose lovers').getByRole('combobox', { name: 'Add subgroup' }).locator('option')
    expect(await offered.allTextContents()).not.toContain('planters')
    await page.keyboard.press('Escape')
    await row(page, 'planters').click()
    await open.getByRole('button', { name: 'Remove Fred Friend' }).click()
    await page.getByText('Fred Friend removed from planters').waitFor()
    expect((await fetchGroup(owner, 'planters'))?.members).toEqual([])
    await page.keyboard.press('Escape')
    await page.getByRole('button', { name: 'Undo' }).last().click()
    await expect.poll(async () => (await fetchGroup(owner, 'planters'))?.members).toEqual([friend.id])
  })

  it('changes group permissions, and lets people with permission join and leave', async () => {
    const { owner, friend } = await team()
    await createGroup(owner, 'waterers', [owner.id])
    const theirs = await visit(friend, '/settings/groups')
    await row(theirs, 'waterers').click()
    const seen = dialog(theirs, 'waterers')
    await seen.getByRole('list', { name: 'Members' }).getByText('Olivia Owner').waitFor()
    expect(await seen.getByRole('button', { name: 'Join' }).count()).toBe(0)
    const page = await visit(owner, '/settings/groups')
    await row(page, 'waterers').click()
    await dialog(page, 'waterers').getByRole('tab', { name: 'Permissions' }).click()
    const mentioning = page.getByRole('combobox', { name: 'Who can mention the group' })
    expect(await mentioning.locator('option').allTextContents()).not.toContain('Owners')
    await page.getByRole('combobox', { name: 'Who else can join on their own' }).selectOption('Members')
    await seen.getByRole('button', { name: 'Join' }).click()
    await seen.getByRole('list', { name: 'Members' }).getByText('Fred Friend').waitFor()
    expect((await fetchGroup(owner, 'waterers'))?.members).toEqual([owner.id, friend.id])
    await seen.getByRole('button', { name: 'Leave' }).click()
    await expect.poll(async () => (await fetchGroup(owner, 'waterers'))?.members).toEqual([owner.id])
    await seen.getByRole('tab', { name: 'Permissions' }).click()
    await seen.getByText('Only people who manage the group can change this.').waitFor()
    expect(await seen.getByRole('combobox', { name: 'Who can mention the group' }).isDisabled()).toBe(true)
  })
})
