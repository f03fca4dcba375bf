import type { Page } from 'playwright-core'
import sharp from 'sharp'
import { describe, expect, it } from 'vitest'
import { awaitFileTexts, upload } from '../../server/src/testing/files.ts'
import type { TestServer } from '../../server/src/testing/server.ts'
import type { TestUser } from '../../server/src/testing/user.ts'
import { accessibilityFaults, hasBrowser, pressShortcut, show } from './browser.ts'
import { useTeam } from './shared.ts'
import { composer, createChannel, createTeamOn, list, say } from './team.ts'
import { isTooWide, showView } from './views.ts'

const { team, visit } = useTeam({}, createTeamWithFiles)

const KIBIBYTE = 1_024

async function pictureOf(background: string): Promise<Buffer> {
  return sharp({ create: { width: 90, height: 60, channels: 3, background } })
    .png()
    .toBuffer()
}

/** Shares files in this order: in a private channel without the owner, in a channel, and in a direct message. */
async function createTeamWithFiles(server: TestServer) {
  const made = await createTeamOn(server)
  const { owner, friend, channelId } = made
  const link = async (from: TestUser, name: string, content: string | Uint8Array): Promise<string> =>
    `[${name}](${await upload(from, name, content)})`
  const hiddenId = await createChannel(friend, 'cellar', [], { invite_only: true })
  await say(friend, hiddenId, 'wine', await link(friend, 'secret.pdf', 'secret'))
  await say(friend, channelId, 'trip', `${await link(friend, 'sea.png', await pictureOf('blue'))} at noon`)
  await say(owner, channelId, 'trip', await link(owner, 'sunset.png', await pictureOf('red')))
  const plan = await link(friend, 'Übersicht plan.pdf', 'p'.repeat(1.5 * KIBIBYTE * KIBIBYTE))
  await say(friend, channelId, 'plans', plan)
  await say(owner, channelId, 'plans', await link(owner, 'song.mp3', 'la'))
  const contract = await link(friend, 'contract.docx', 'Lessor & lessee')
  await friend.call('POST', '/messages', { type: 'direct', to: [owner.id], content: contract })
  await awaitFileTexts(server.parley)
  return { ...made, plan }
}

const main = (page: Page) => page.getByRole('main')
const fileList = (page: Page) => main(page).getByRole('list', { name: 'Files' })
const field = (page: Page, name: string) =>
  main(page).getByRole(name === 'File name or text' ? 'searchbox' : 'combobox', { name })
const kind = (page: Page, name: string) => main(page).getByRole('button', { name, exact: true })
const action = (page: Page, name: string) => page.getByRole('menu').getByRole('menuitem', { name })

async function listedNames(page: Page): Promise<string[]> {
  const names = await fileList(page).getByRole('listitem').locator('[data-row]').allTextContents()
  return names.map((name) => name.trim())
}

async function expectFiles(page: Page, ...names: string[]): Promise<void> {
  await expect.poll(() => listedNames(page)).toEqual(names)
}

const ALL_FILES = ['contract.docx', 'song.mp3', 'Übersicht plan.pdf', 'sunset.png', 'sea.png']

describe.skipIf(!hasBrowser)('files', () => {
  it.each([1440, 320])('lists files of all readable messages, newest first, at %i px', async (width) => {
    const { owner } = await team()
    const page = await visit(owner, '/inbox', { viewport: { width, height: 900 } })
    await pressShortcut(page, 'Control+k')
    await page.getByRole('combobox', { name: 'Go to a conversation' }).fill('open files')
    await page.keyboard.press('Enter')
    await expectFiles(page, ...ALL_FILES)
    const row = fileList(page).getByRole('listitem').filter({ hasText: 'plan.pdf' })
    await expect.poll(() => row.innerText()).toMatch(/PDF · 1\.5\sMiB · Fred Friend\s+plans in garden\s+·\s+Today/)
    expect(await row.getByRole('link', { name: 'Download: Übersicht plan.pdf' }).getAttribute('download')).toBe(
      'Übersicht plan.pdf',
    )
    await main(page).getByText('5 files', { exact: true }).waitFor()
    expect(await isTooWide(page)).toBe(false)
    expect(await accessibilityFaults(page)).toEqual([])
  })

  it('lists files of a channel or conversation from its menu, and goes to their messages', async () => {
    const { owner, friend, channelId, plan } = await team()
    const page = await visit(owner, `/c/${channelId}/t/plans`)
    await composer(page).waitFor()
    await main(page).getByRole('button', { name: 'More' }).first().click()
    await action(page, 'Files').click()
    await expectFiles(page, 'song.mp3', 'Übersicht plan.pdf')
    // A file that is quoted or sent again stays at its first message.
    await say(friend, channelId, 'plans', `Again: ${plan}`)
    const id = await say(friend, channelId, 'plans', `[new.txt](${await upload(friend, 'new.txt', 'new')})`)
    await expectFiles(page, 'new.txt', 'song.mp3', 'Übersicht plan.pdf')
    await owner.call('DELETE', `/messages/${id}`)
    await expectFiles(page, 'song.mp3', 'Übersicht plan.pdf')
    await fileList(page).getByRole('link', { name: 'Today' }).last().press('Enter')
    await list(page).getByText('Übersicht plan.pdf').first().waitFor()
    expect(page.url()).toContain('near=')
    // Files of a message that is being deleted are not listed, unless the person undoes this.
    const song = list(page).getByRole('article').filter({ hasText: 'song.mp3' })
    await song.hover()
    await song.getByRole('button', { name: 'More' }).click()
    await action(page, 'Delete').click()
    await show(page, `/files?in=/c/${channelId}`)
    await expectFiles(page, 'Übersicht plan.pdf', 'sunset.png', 'sea.png')
    await page.getByRole('button', { name: 'Undo' }).click()
    await expectFiles(page, 'song.mp3', 'Übersicht plan.pdf', 'sunset.png', 'sea.png')
  })

  it('filters files of any age by name, type, person, and conversation', async () => {
    const { owner, friend, channelId } = await team()
    const page = await visit(owner, '/files')
    await expectFiles(page, ...ALL_FILES)
    await field(page, 'File name or text').fill('PLAN uber')
    await expectFiles(page, 'Übersicht plan.pdf')
    await field(page, 'File name or text').fill('lessee')
    await expectFiles(page, 'contract.docx')
    await field(page, 'File name or text').fill('')
    await kind(page, 'Pictures').press('Enter')
    await expectFiles(page, 'sunset.png', 'sea.png')
    await field(page, 'Person').fill('fred')
    await page.keyboard.press('Enter')
    await expectFiles(page, 'sea.png')
    expect(new URL(page.url()).search).toMatch(/from=\d+&kind=pictures/)
    await page.reload()
    await expectFiles(page, 'sea.png')
    await kind(page, 'Pictures').press('Enter')
    await field(page, 'Conversation').fill('fred')
    await page.keyboard.press('ArrowDown')
    await page.keyboard.press('Enter')
    await expectFiles(page, 'contract.docx')
    // Focus stays with the filter, whose button takes the place of its field.
    await page.keyboard.press('Enter')
    await expectFiles(page, 'contract.docx', 'Übersicht plan.pdf', 'sea.png')
    await field(page, 'File name or text').fill('nothing')
    await main(page).getByText('No matching files').waitFor()
    await main(page).getByRole('button', { name: 'Clear filters' }).click()
    await expectFiles(page, ...ALL_FILES)
    // More messages than one page has, with a single file.
    const filler = await upload(friend, 'filler.txt', 'x')
    for (let number = 0; number < 65; number += 1) await say(friend, channelId, 'fill', `[x](${filler}) ${number}`)
    await page.reload()
    await expectFiles(page, 'filler.txt', ...ALL_FILES)
    await showView(page, '/search?q=lessee')
    const quote = page.getByRole('region', { name: 'Messages' }).getByRole('blockquote')
    await expect.poll(() => quote.innerText()).toBe('contract.docx: Lessor & lessee')
    expect(await quote.locator('.highlight').innerText()).toBe('lessee')
  })

  it('steps through the pictures of a file list in the image viewer', async () => {
    const { owner, channelId } = await team()
    const page = await visit(owner, `/files?in=/c/${channelId}`)
    await fileList(page).getByRole('link', { name: 'sunset.png', exact: true }).click()
    const viewer = page.getByRole('dialog', { name: 'Image' })
    await viewer.getByText('1 of 2').waitFor()
    await page.keyboard.press('ArrowRight')
    await viewer.getByRole('heading', { name: 'sea.png' }).waitFor()
    await page.keyboard.press('Escape')
    await expect.poll(() => page.evaluate(() => document.activeElement?.textContent?.trim())).toBe('sunset.png')
    await page.keyboard.press('j')
    await expect.poll(() => page.evaluate(() => document.activeElement?.textContent?.trim())).toBe('sea.png')
  })
})
