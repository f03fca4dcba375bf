import type { Page } from 'playwright-core'
import { describe, expect, it } from 'vitest'
import { accessibilityFaults, hasBrowser, openAs, openMenuWith, show } from './browser.ts'
import { useTeam } from './shared.ts'
import { createTeamOn, type Team } from './team.ts'
import { isTooWide } from './views.ts'

const { server, browser, team, visit } = useTeam()

const PHONE = { viewport: { width: 320, height: 640 }, hasTouch: true }

const main = (page: Page) => page.getByRole('main')
const sidebar = (page: Page) => page.getByRole('navigation', { name: 'Conversations' })
const folders = (page: Page) => page.getByRole('dialog', { name: 'Channel folders' })
const form = (page: Page, name: string) => page.getByRole('dialog', { name })
const folderNamesIn = (page: Page) => async () => folders(page).getByRole('listitem').locator('bdi').allInnerTexts()

interface Folder {
  readonly id: number
  readonly name: string
  readonly description: string
  readonly is_archived: boolean
}

async function fetchFolders({ owner }: Team): Promise<readonly Folder[]> {
  const { channel_folders } = await owner.call('GET', '/channel_folders', { include_archived: true })
  return channel_folders
}

async function createFolder({ owner }: Team, name: string): Promise<number> {
  const { channel_folder_id } = await owner.call('POST', '/channel_folders/create', { name, description: '' })
  return channel_folder_id
}

/** Removes the channel from its folder, and renames and archives all folders, so that tests can reuse their names. */
async function archiveFolders(all: Team): Promise<void> {
  await all.owner.call('PATCH', `/streams/${all.channelId}`, { folder_id: null })
  for (const { id, is_archived: isArchived } of await fetchFolders(all)) {
    if (!isArchived) await all.owner.call('PATCH', `/channel_folders/${id}`, { name: `Old ${id}`, is_archived: true })
  }
}

async function fetchChannelFolderId({ owner, channelId }: Team): Promise<unknown> {
  const { stream } = await owner.call('GET', `/streams/${channelId}`)
  return stream.folder_id
}

describe.skipIf(!hasBrowser)('channel folders', () => {
  it('creates, describes, fills, and renames a folder, and shows other people each change', async () => {
    const all = await team()
    const [mine, theirs] = [await visit(all.owner, '/channels'), await visit(all.friend)]
    await sidebar(theirs).getByRole('link', { name: 'garden' }).waitFor()
    await main(mine).getByRole('button', { name: 'Channel folders' }).click()
    await folders(mine).getByText('No folders yet').waitFor()
    await folders(mine).getByRole('button', { name: 'Create folder' }).click()
    await form(mine, 'Create folder').getByRole('textbox', { name: 'Name' }).fill('Outside')
    await form(mine, 'Create folder').getByRole('textbox', { name: 'Description' }).fill('In the open air')
    await form(mine, 'Create folder').getByRole('button', { name: 'Create folder' }).click()
    await folders(mine).getByText('0 channels · In the open air').waitFor()
    expect(await accessibilityFaults(mine)).toEqual([])
    await folders(mine).getByRole('button', { name: 'Close' }).click()
    await main(mine).getByRole('link', { name: 'garden' }).click()
    await main(mine).getByRole('button', { name: 'More', exact: true }).click()
    await mine.getByRole('menuitem', { name: 'Channel settings' }).click()
    const settings = mine.getByRole('dialog', { name: 'garden' })
    await settings.getByRole('combobox', { name: 'Folder' }).selectOption('Outside')
    await sidebar(theirs).getByRole('region', { name: 'Outside' }).getByRole('link', { name: 'garden' }).waitFor()
    await settings.getByRole('button', { name: 'Close' }).first().click()
    await show(mine, '/channels')
    await main(mine).getByText('2 people · Outside · Plants').waitFor()
    await main(mine).getByRole('button', { name: 'Channel folders' }).click()
    await folders(mine).getByRole('button', { name: 'Edit Outside' }).click()
    await form(mine, 'Edit folder').getByRole('textbox', { name: 'Name' }).fill('Outdoors')
    await form(mine, 'Edit folder').getByRole('button', { name: 'Save' }).click()
    await sidebar(theirs).getByRole('region', { name: 'Outdoors' }).getByRole('link', { name: 'garden' }).waitFor()
    expect(await fetchFolders(all)).toMatchObject([{ name: 'Outdoors', description: 'In the open air' }])
  })

  it('reorders folders, archives empty folders, and restores archived folders by keyboard', async () => {
    const all = await team()
    await archiveFolders(all)
    const full = await createFolder(all, 'Full')
    await createFolder(all, 'Empty')
    await createFolder(all, 'Third')
    await all.owner.call('PATCH', `/streams/${all.channelId}`, { folder_id: full })
    const page = await visit(all.owner)
    await page.getByRole('heading', { name: 'Inbox' }).waitFor()
    await page.keyboard.press('Control+k')
    await page.getByRole('dialog').getByRole('combobox').fill('channel folders')
    await page.getByRole('option', { name: /^Channel folders/ }).waitFor()
    await page.keyboard.press('Enter')
    await folders(page).getByRole('button', { name: 'Move Third up' }).press('Enter')
    await expect.poll(folderNamesIn(page)).toEqual(['Full', 'Third', 'Empty'])
    expect(await page.locator(':focus').getAttribute('aria-label')).toBe('Move Third up')
    await expect
      .poll(async () => (await fetchFolders(all)).filter(({ is_archived }) => !is_archived).map(({ name }) => name))
      .toEqual(['Full', 'Third', 'Empty'])
    await folders(page).getByRole('button', { name: 'Archive Full' }).press('Enter')
    await folders(page).getByRole('alert').getByText('Remove all channels from Full').waitFor()
    await folders(page).getByRole('button', { name: 'Archive Third' }).press('Enter')
    await expect.poll(folderNamesIn(page)).toEqual(['Full', 'Empty'])
    await folders(page).getByText('Archived', { exact: true }).press('Enter')
    await folders(page).getByRole('button', { name: 'Restore Third' }).press('Enter')
    await folders(page).getByRole('button', { name: 'Archive Third' }).waitFor()
    await folders(page).getByRole('button', { name: 'Create folder' }).press('Enter')
    await form(page, 'Create folder').getByRole('textbox', { name: 'Name' }).waitFor()
    await page.keyboard.type('full')
    await page.keyboard.press('Enter')
    await form(page, 'Create folder').getByRole('alert').waitFor()
    await page.keyboard.press('Escape')
    await page.keyboard.press('Escape')
    await folders(page).waitFor({ state: 'detached' })
  })

  it('keeps a folder collapsed in the sidebar after a reload', async () => {
    const all = await team()
    await archiveFolders(all)
    const id = await createFolder(all, 'Outside')
    await all.owner.call('PATCH', `/streams/${all.channelId}`, { folder_id: id })
    const page = await visit(all.owner)
    const folder = sidebar(page).getByRole('region', { name: 'Outside' })
    await folder.getByRole('link', { name: 'garden' }).waitFor()
    await folder.getByRole('button', { name: 'Outside' }).click()
    await folder.getByRole('link', { name: 'garden' }).waitFor({ state: 'hidden' })
    await expect.poll(async () => JSON.stringify(await all.owner.call('GET', '/preferences'))).toContain(`folder-${id}`)
    await page.reload()
    await folder.waitFor()
    // The stored state can still lack the preference for a moment.
    await folder.getByRole('link', { name: 'garden' }).waitFor({ state: 'hidden' })
  })

  it('moves a channel to a folder from the channel menu on a phone, and undoes the move', async () => {
    const all = await createTeamOn(server())
    const page = await openAs(browser(), all.owner, `/c/${all.channelId}`, PHONE)
    const toFolder = await openMenuWith(page.getByRole('menuitem', { name: 'Move to folder' }), async () =>
      main(page).getByRole('button', { name: 'More', exact: true }).first().tap(),
    )
    await toFolder.tap()
    await page.getByRole('menuitem', { name: 'Create folder' }).tap()
    await form(page, 'Create folder').getByRole('textbox', { name: 'Name' }).fill('Outside')
    expect(await isTooWide(page)).toBe(false)
    await form(page, 'Create folder').getByRole('button', { name: 'Create folder' }).tap()
    await page.getByText('garden moved to Outside').waitFor()
    const [folder] = await fetchFolders(all)
    expect(await fetchChannelFolderId(all)).toBe(folder?.id)
    await page.getByRole('button', { name: 'Undo' }).tap()
    await expect.poll(() => fetchChannelFolderId(all)).toBe(null)
    await show(page, '/channels')
    await main(page).getByRole('button', { name: 'Channel folders' }).tap()
    await folders(page).getByText('Outside', { exact: true }).waitFor()
    expect(await isTooWide(page)).toBe(false)
    expect(await accessibilityFaults(page)).toEqual([])
    await page.goBack()
    await folders(page).waitFor({ state: 'detached' })
  })

  it('hides folder actions from people who cannot change folders', async () => {
    const all = await team()
    await createFolder(all, 'Hidden')
    const page = await visit(all.friend, '/channels')
    await main(page).getByRole('link', { name: 'garden' }).waitFor()
    expect(await main(page).getByRole('button', { name: 'Channel folders' }).count()).toBe(0)
    await page.keyboard.press('Control+k')
    await page.getByRole('dialog').getByRole('combobox').fill('channel folders')
    await page.getByRole('option').first().waitFor()
    expect(await page.getByRole('option', { name: /^Channel folders/ }).count()).toBe(0)
    await page.keyboard.press('Escape')
    await main(page).getByRole('link', { name: 'garden' }).click()
    await main(page).getByRole('button', { name: 'More', exact: true }).click()
    await page.getByRole('menuitem', { name: 'Leave' }).waitFor()
    expect(await page.getByRole('menuitem', { name: 'Move to folder' }).count()).toBe(0)
  })
})
