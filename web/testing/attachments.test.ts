import type { Page } from 'playwright-core'
import sharp from 'sharp'
import { describe, expect, it } from 'vitest'
import { upload } from '../../server/src/testing/files.ts'
import type { TestServer } from '../../server/src/testing/server.ts'
import type { TestUser } from '../../server/src/testing/user.ts'
import { accessibilityFaults, hasBrowser, show, VIEWPORT } from './browser.ts'
import { useTeam } from './shared.ts'
import { composer, createTeamOn, hasComposerFocus, list, say } from './team.ts'

const { team, visit } = useTeam({}, createTeamWithUploads)

const KIBIBYTE = 1_024

async function createTeamWithUploads(server: TestServer) {
  const made = await createTeamOn(server)
  const { owner } = made
  return {
    ...made,
    sea: await uploadPicture(owner, 'sea (1).png', 'blue'),
    sun: await uploadPicture(owner, 'sun.png', 'yellow'),
    plan: `[plan.pdf](${await upload(owner, 'plan.pdf', 'p'.repeat(3 * KIBIBYTE))})`,
  }
}

async function uploadPicture(user: TestUser, name: string, background: string): Promise<string> {
  const picture = sharp({ create: { width: 400, height: 300, channels: 3, background } })
  return `[${name}](${await upload(user, name, await picture.png().toBuffer())})`
}

async function openTopic(topic: string, viewport = VIEWPORT) {
  const made = await team()
  const page = await visit(made.owner, `/c/${made.channelId}/t/${topic}`, { viewport })
  await composer(page).waitFor()
  return { ...made, page }
}

const attachments = (page: Page) => page.getByRole('list', { name: 'Attachments' })
const removeButton = (page: Page, name: string) =>
  attachments(page).getByRole('button', { name: `Remove ${name}`, exact: true })
const picture = (page: Page, name: string) => attachments(page).getByRole('link', { name: `Open image ${name}` })

async function removableNames(page: Page): Promise<(string | null)[]> {
  const buttons = await attachments(page).getByRole('button').all()
  return Promise.all(buttons.map(async (button) => button.getAttribute('aria-label')))
}

const isLoaded = async (page: Page, name: string): Promise<boolean> =>
  picture(page, name)
    .locator('img')
    .evaluate((image: HTMLImageElement) => image.complete && image.naturalWidth > 0)

describe.skipIf(!hasBrowser)('attachments of a text', () => {
  it('shows uploads linked in the text, but no links in code, to other folders, or to other hosts', async () => {
    const { page, sea, plan } = await openTopic('all')
    const others = [
      `\`${plan}\``,
      `\`\`\`\n${plan}\n\`\`\``,
      `> ~~~\n> ${plan}\n> ~~~`,
      `Code:\n\n    ${plan}`,
      '[up](/user_uploads/../api/v1/messages)',
      '[out](https://example.org/user_uploads/1/out.png)',
      `\\${plan}`,
    ]
    await composer(page).fill(`See ${sea}, ${plan}\n\n${others.join('\n\n')}\n\n\`\`\`quote\n${plan}\n\`\`\``)
    await attachments(page).getByText('3 KiB').first().waitFor()
    await expect.poll(() => isLoaded(page, 'sea (1).png')).toBe(true)
    expect(await picture(page, 'sea (1).png').locator('img').getAttribute('src')).toContain('/user_uploads/thumbnail/')
    expect(await removableNames(page)).toEqual(['Remove sea (1).png', 'Remove plan.pdf', 'Remove plan.pdf'])
    await composer(page).fill(others.join('\n\n'))
    await expect.poll(() => attachments(page).count()).toBe(0)
  })

  it('removes a link from the text by keyboard, and restores it with Ctrl+Z', async () => {
    const { page, sea, plan } = await openTopic('removed')
    await composer(page).fill(`See ${sea}\n${plan}\nSoon`)
    await picture(page, 'sea (1).png').waitFor()
    await composer(page).focus()
    for (const name of ['Open image sea (1).png', 'Remove sea (1).png']) {
      await page.keyboard.press('Tab')
      expect(await page.evaluate(() => document.activeElement?.getAttribute('aria-label'))).toBe(name)
    }
    await page.keyboard.press('Enter')
    await expect.poll(() => composer(page).inputValue()).toBe(`See\n${plan}\nSoon`)
    expect(await removableNames(page)).toEqual(['Remove plan.pdf'])
    expect(await hasComposerFocus(page)).toBe(true)
    await page.keyboard.type('!')
    await removeButton(page, 'plan.pdf').click()
    await expect.poll(() => composer(page).inputValue()).toBe('See\nSoon!')
    await attachments(page).waitFor({ state: 'detached' })
    for (let presses = 0; presses < 3; presses += 1) await page.keyboard.press('Control+z')
    await expect.poll(() => composer(page).inputValue()).toBe(`See ${sea}\n${plan}\nSoon`)
    await expect.poll(() => removableNames(page)).toEqual(['Remove sea (1).png', 'Remove plan.pdf'])
  })

  it('opens attached pictures in the image viewer, and returns the focus', async () => {
    const { page, sea, sun, plan } = await openTopic('viewed')
    await composer(page).fill(`${sea} ${plan} ${sun}`)
    await picture(page, 'sea (1).png').click()
    const viewer = page.getByRole('dialog', { name: 'Image' })
    await viewer.getByRole('heading', { name: 'sea (1).png' }).waitFor()
    await page.keyboard.press('ArrowRight')
    await viewer.getByRole('heading', { name: 'sun.png' }).waitFor()
    await viewer.getByText('2 of 2').waitFor()
    await page.keyboard.press('Escape')
    await viewer.waitFor({ state: 'detached' })
    const link = picture(page, 'sea (1).png')
    await expect.poll(() => link.evaluate((element) => element === document.activeElement)).toBe(true)
  })

  it('shows attachments of a saved draft and of an edited message', async () => {
    const { page, owner, channelId, sea, sun } = await openTopic('kept')
    await composer(page).fill(`Draft ${sun}`)
    await picture(page, 'sun.png').waitFor()
    await show(page, `/c/${channelId}/t/edited`)
    await attachments(page).waitFor({ state: 'detached' })
    await say(owner, channelId, 'edited', `Sent ${sea}`)
    await list(page).getByText('Sent').waitFor()
    await composer(page).press('ArrowUp')
    const editor = page.getByRole('textbox', { name: 'Edit message' })
    await editor.waitFor()
    await expect.poll(() => isLoaded(page, 'sea (1).png')).toBe(true)
    await removeButton(page, 'sea (1).png').click()
    await expect.poll(() => editor.inputValue()).toBe('Sent')
    expect(await editor.evaluate((field) => field === document.activeElement)).toBe(true)
    await editor.press('Escape')
    await show(page, `/c/${channelId}/t/kept`)
    await picture(page, 'sun.png').waitFor()
  })

  it('shows attachments on a phone in one row that scrolls', async () => {
    const { page, sea, sun, plan } = await openTopic('small', { width: 320, height: 640 })
    await composer(page).fill(`${sea} ${sun} ${plan}`)
    await attachments(page).getByText('3 KiB').waitFor()
    await expect.poll(() => isLoaded(page, 'sun.png')).toBe(true)
    const boxes = await attachments(page)
      .getByRole('listitem')
      .evaluateAll((items) => items.map((item) => item.getBoundingClientRect()))
    expect(boxes.map(({ height }) => height)).toEqual([40, 40, 40])
    expect(new Set(boxes.map(({ y }) => y)).size).toBe(1)
    await removeButton(page, 'plan.pdf').focus()
    await expect.poll(() => attachments(page).evaluate((row) => row.scrollLeft)).toBeGreaterThan(0)
    expect(await accessibilityFaults(page)).toEqual([])
  })
})
