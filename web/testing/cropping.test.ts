import type { Page } from 'playwright-core'
import sharp from 'sharp'
import { describe, expect, it } from 'vitest'
import type { TestUser } from '../../server/src/testing/user.ts'
import { accessibilityFaults, countRequests, hasBrowser } from './browser.ts'
import { useTeam } from './shared.ts'
import { createNewcomer } from './team.ts'
import { layoutFaults } from './usable.ts'

const { team, openPage } = useTeam()

const dialog = (page: Page) => page.getByRole('dialog', { name: 'Crop picture' })
const cropArea = (page: Page) => dialog(page).getByLabel('Part of the picture to keep')
const confirmCrop = async (page: Page): Promise<void> =>
  dialog(page).getByRole('button', { name: 'Use picture' }).click()

/** Creates a picture, twice as wide as high, with a red left half and a blue right half. */
function redAndBluePicture() {
  const half = { create: { width: 200, height: 200, channels: 3 as const, background: 'red' } }
  return sharp({ create: { ...half.create, width: 400, background: 'blue' } }).composite([
    { input: half, left: 0, top: 0 },
  ])
}

async function chooseFile(page: Page, name: string, buffer: Buffer, label = 'Upload picture'): Promise<void> {
  const file = { name, mimeType: `image/${name.split('.')[1] ?? ''}`, buffer }
  await page.getByLabel(label, { exact: true }).first().setInputFiles(file)
}

const fetchAvatarUrl = async (user: TestUser): Promise<string> => (await user.call('GET', '/users/me')).avatar_url

/** Returns the colors at the left, right, top, and bottom of a served picture. */
async function edgeColors(page: Page, url: string): Promise<string> {
  return page.evaluate(async (address) => {
    const bitmap = await createImageBitmap(await (await fetch(new URL(address, location.href).pathname)).blob())
    const canvas = Object.assign(document.createElement('canvas'), { width: 100, height: 100 })
    const context = canvas.getContext('2d')
    context?.drawImage(bitmap, 0, 0, 100, 100)
    const points = [
      [5, 50],
      [95, 50],
      [50, 5],
      [50, 95],
    ] as const
    return points
      .map(([x, y]) => context?.getImageData(x, y, 1, 1).data ?? [])
      .map(([red = 0, , blue = 0]) => (red > 200 && blue < 60 ? 'r' : blue > 200 && red < 60 ? 'b' : '?'))
      .join('')
  }, url)
}

async function uploadedColors(page: Page, user: TestUser, before: string): Promise<string> {
  await expect.poll(() => fetchAvatarUrl(user)).not.toBe(before)
  return edgeColors(page, await fetchAvatarUrl(user))
}

describe.skipIf(!hasBrowser)('cropping pictures', () => {
  it('crops a picture to a square chosen with arrow keys, pointer, and zoom', async () => {
    const user = await createNewcomer(await team())
    const page = await openPage(user, '/settings/profile')
    const png = await redAndBluePicture().png().toBuffer()
    let before = await fetchAvatarUrl(user)
    const isNext = async (colors: RegExp): Promise<void> => {
      await dialog(page).waitFor({ state: 'detached' })
      expect(await uploadedColors(page, user, before)).toMatch(colors)
      before = await fetchAvatarUrl(user)
    }
    await chooseFile(page, 'me.png', png)
    await expect.poll(() => cropArea(page).evaluate((canvas) => canvas === document.activeElement)).toBe(true)
    for (const width of [320, 768, 1440]) {
      await page.setViewportSize({ width, height: 640 })
      expect([width, await accessibilityFaults(page), await layoutFaults(page)]).toEqual([width, [], []])
    }
    await confirmCrop(page)
    await isNext(/^rb/)

    await chooseFile(page, 'me.png', png)
    await cropArea(page).waitFor()
    for (let step = 0; step < 12; step += 1) await page.keyboard.press('ArrowRight')
    await page.keyboard.press('Enter')
    await isNext(/^rrrr$/)

    await chooseFile(page, 'me.png', png)
    const box = (await cropArea(page).boundingBox()) ?? { x: 0, y: 0, width: 0, height: 0 }
    const [x, y] = [box.x + box.width / 2, box.y + box.height / 2]
    await page.mouse.move(x, y)
    await page.mouse.down()
    await page.mouse.move(x - 200, y, { steps: 4 })
    await page.mouse.up()
    await confirmCrop(page)
    await isNext(/^bbbb$/)

    await chooseFile(page, 'me.png', png)
    await dialog(page).getByRole('slider', { name: 'Zoom' }).fill('3')
    await cropArea(page).click({ position: { x: 30, y: box.height / 2 } })
    await confirmCrop(page)
    await isNext(/^rrrr$/)
  })

  it('uploads a picture once while Enter is held, and uploads unreadable files without cropping', async () => {
    const user = await createNewcomer(await team())
    const page = await openPage(user, '/settings/profile')
    const asked = countRequests(page.context(), '/users/me/avatar')
    const png = await redAndBluePicture().png().toBuffer()
    const before = await fetchAvatarUrl(user)
    await chooseFile(page, 'me.png', png)
    await cropArea(page).evaluate(async (canvas) => {
      const toBlob = Reflect.get(HTMLCanvasElement.prototype, 'toBlob')
      HTMLCanvasElement.prototype.toBlob = function slowToBlob(...given) {
        setTimeout(() => Reflect.apply(toBlob, this, given), 200)
      }
      for (const repeat of [false, true, true]) {
        canvas.dispatchEvent(new KeyboardEvent('keydown', { key: 'Enter', repeat, bubbles: true, cancelable: true }))
        await new Promise((resolve) => {
          setTimeout(resolve, 20)
        })
      }
    })
    await uploadedColors(page, user, before)
    expect(asked()).toBe(1)
    const cropped = await fetchAvatarUrl(user)
    await page.evaluate(() => {
      File.prototype.arrayBuffer = async () => Promise.reject(new DOMException('Gone', 'NotReadableError'))
    })
    await chooseFile(page, 'me.png', png)
    expect(await uploadedColors(page, user, cropped)).toMatch(/^rb/)
    expect(await dialog(page).count()).toBe(0)
  })

  it('honors the orientation of photos', async () => {
    const user = await createNewcomer(await team())
    const page = await openPage(user, '/settings/profile')
    const before = await fetchAvatarUrl(user)
    const turned = await redAndBluePicture().withMetadata({ orientation: 6 }).jpeg().toBuffer()
    await chooseFile(page, 'photo.jpeg', turned)
    await confirmCrop(page)
    expect(await uploadedColors(page, user, before)).toMatch(/rb$/)
  })

  it('keeps the old picture if cropping is canceled, and uploads animations unchanged', async () => {
    const user = await createNewcomer(await team())
    const page = await openPage(user, '/settings/profile')
    const before = await fetchAvatarUrl(user)
    const asked = countRequests(page.context(), '/users/me/avatar')
    await chooseFile(page, 'me.png', await redAndBluePicture().png().toBuffer())
    await dialog(page).getByRole('button', { name: 'Cancel' }).click()
    await chooseFile(page, 'me.png', await redAndBluePicture().png().toBuffer())
    await cropArea(page).press('Escape')
    await dialog(page).waitFor({ state: 'detached' })
    expect([await fetchAvatarUrl(user), asked()]).toEqual([before, 0])
    const frames = await Promise.all(
      ['red', 'blue'].map(async (background) =>
        sharp({ create: { width: 60, height: 60, channels: 3, background } })
          .png()
          .toBuffer(),
      ),
    )
    const moving = await sharp(frames, { join: { animated: true } })
      .gif({ delay: [100, 100] })
      .toBuffer()
    await chooseFile(page, 'wave.gif', moving)
    expect(await uploadedColors(page, user, before)).toBe('rrrr')
    expect([await dialog(page).count(), asked()]).toEqual([0, 1])
  })

  it("crops the organization's icon to a square, and keeps the proportions of its logo", async () => {
    const { owner } = await team()
    const page = await openPage(owner, '/settings/organization')
    const png = await redAndBluePicture().png().toBuffer()
    const proportions = async (): Promise<number> =>
      cropArea(page).evaluate((canvas: HTMLCanvasElement) => (canvas.width - 120) / (canvas.height - 120))
    await chooseFile(page, 'icon.png', png, 'Upload: Icon')
    expect(await proportions()).toBe(1)
    await confirmCrop(page)
    await page.getByRole('button', { name: 'Remove: Icon' }).click()
    await chooseFile(page, 'logo.png', png, 'Upload: Logo for the dark theme')
    expect(await proportions()).toBe(2)
    await confirmCrop(page)
    await page.getByRole('button', { name: 'Remove: Logo for the dark theme' }).click()
    await page.getByRole('button', { name: 'Remove: Logo for the dark theme' }).waitFor({ state: 'detached' })
  })
})
