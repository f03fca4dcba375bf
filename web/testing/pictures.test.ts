import type { Locator, Page } from 'playwright-core'
import sharp from 'sharp'
import { describe, expect, it } from 'vitest'
import { upload } from '../../server/src/testing/files.ts'
import type { TestServer } from '../../server/src/testing/server.ts'
import type { TestUser } from '../../server/src/testing/user.ts'
import { accessibilityFaults, hasBrowser, VIEWPORT } from './browser.ts'
import { useTeam } from './shared.ts'
import { list, say, createTeamOn } from './team.ts'
import { showView } from './views.ts'

const { team, visit, makeTeam, openPage } = useTeam({}, teamWithAlbum)

async function uploadPicture(user: TestUser, name: string, background: string): Promise<string> {
  const picture = sharp({ create: { width: 1_600, height: 1_200, channels: 3, background } })
  return `[${name}](${await upload(user, name, await picture.png().toBuffer())})`
}

async function teamWithAlbum(server: TestServer) {
  const { owner, friend, channelId } = await createTeamOn(server)
  const [red, green, blue] = [
    await uploadPicture(friend, 'red.png', 'red'),
    await uploadPicture(friend, 'green.png', 'green'),
    await uploadPicture(friend, 'blue.png', 'blue'),
  ]
  const both = await say(friend, channelId, 'trip', `Two: ${red} ${green}`)
  await say(friend, channelId, 'trip', `And ${blue}`)
  return { owner, both, at: `/c/${channelId}-garden/t/trip` }
}

async function openAlbum(viewport = VIEWPORT) {
  const made = await team()
  return { ...made, page: await visit(made.owner, made.at, { viewport }) }
}

const imageLink = (page: Page, name: string) => list(page).getByRole('link', { name: `Open image ${name}` })
const viewer = (page: Page) => page.getByRole('dialog', { name: 'Image' })

async function naturalSizeOf(page: Page, name: string): Promise<number[]> {
  return imageLink(page, name)
    .locator('img')
    .evaluate((image: HTMLImageElement) => (image.complete ? [image.naturalWidth, image.naturalHeight] : []))
}

describe.skipIf(!hasBrowser)('images in messages', () => {
  it('reserves space for thumbnails before they load', async () => {
    const { owner, at } = await team()
    const page = await openPage(owner)
    let releaseImages = (): void => undefined
    const held = new Promise<void>((resolve) => {
      releaseImages = resolve
    })
    await page.route('**/user_uploads/**', async (route) => {
      await held
      await route.continue()
    })
    await showView(page, at)
    await list(page).getByText('And blue.png').waitFor()
    const picture = imageLink(page, 'blue.png').locator('img')
    const before = await picture.boundingBox()
    // An image of 1,600 by 1,200 px, scaled to fit into 420 by 280 px.
    expect([before?.width, Math.round(before?.height ?? 0)]).toEqual([373, 280])
    releaseImages()
    await expect.poll(() => naturalSizeOf(page, 'blue.png')).toEqual([747, 560])
    expect(await picture.boundingBox()).toEqual(before)
    expect(await picture.getAttribute('alt')).toBe('blue.png')
    const [left, right] = [
      await imageLink(page, 'red.png').boundingBox(),
      await imageLink(page, 'green.png').boundingBox(),
    ]
    expect(left?.y).toBe(right?.y)
    expect(right?.x).toBeGreaterThan(left?.x ?? Infinity)
  })

  it('shows the original image if the thumbnail fails, or reports that both failed', async () => {
    const { owner, at } = await team()
    const page = await openPage(owner)
    await page.route('**/user_uploads/thumbnail/**', (route) => route.abort())
    await page.route('**/red.png', (route) => route.fulfill({ status: 404 }))
    await showView(page, at)
    await expect.poll(() => naturalSizeOf(page, 'blue.png')).toEqual([1_600, 1_200])
    await list(page).getByRole('link', { name: 'Couldn’t load red.png' }).waitFor()
    await imageLink(page, 'blue.png').click()
    await viewer(page).getByText('3 of 3').waitFor()
    await page.keyboard.press('ArrowLeft')
    await page.keyboard.press('ArrowLeft')
    await viewer(page).getByText('Couldn’t load red.png').waitFor()
  })

  it('animates images only on hover by default, and never with reduced motion', async () => {
    const { owner, friend, channelId } = await makeTeam()
    const frames = await Promise.all(
      ['red', 'blue'].map(async (background) =>
        sharp({ create: { width: 90, height: 60, channels: 3, background } })
          .png()
          .toBuffer(),
      ),
    )
    const moving = await sharp(frames, { join: { animated: true } })
      .gif()
      .toBuffer()
    await say(friend, channelId, 'trip', `[wave.gif](${await upload(friend, 'wave.gif', moving)})`)
    const page = await openPage(owner, `/c/${channelId}-garden/t/trip`)
    const picture = imageLink(page, 'wave.gif').locator('img')
    const form = async (): Promise<string> => ((await picture.getAttribute('src')) ?? '').replace(/^.*\//, '')
    await expect.poll(form).toBe('840x560.webp')
    await picture.hover()
    await expect.poll(form).toBe('840x560-anim.webp')
    await page.mouse.move(0, 0)
    await expect.poll(form).toBe('840x560.webp')
    await owner.call('PATCH', '/settings', { web_animate_image_previews: 'always' })
    await page.reload()
    await expect.poll(form).toBe('840x560-anim.webp')
    await page.emulateMedia({ reducedMotion: 'reduce' })
    await page.reload()
    await expect.poll(form).toBe('840x560.webp')
    await picture.hover()
    expect(await form()).toBe('840x560.webp')
  })

  it('shows an error for audio that the browser cannot play, and a link for video that it cannot play', async () => {
    const { owner, friend, channelId } = await makeTeam()
    const [sound, film] = [await upload(friend, 'song.mp3', 'x'), await upload(friend, 'film.mp4', 'x')]
    await say(friend, channelId, 'trip', `[my song](${sound}) [my film](${film})`)
    const page = await openPage(owner, `/c/${channelId}-garden/t/trip`)
    await list(page).getByRole('group', { name: 'my song' }).getByText('Couldn’t play this file').waitFor()
    await list(page).getByRole('link', { name: 'my film' }).waitFor()
    await expect.poll(() => list(page).locator('video').count()).toBe(0)
  })

  it('plays audio files that are named like videos', async () => {
    const { owner, friend, channelId } = await makeTeam()
    // An Ogg page that contains only the start of an Opus header.
    const start = Buffer.alloc(28)
    start.write('OggS', 'latin1')
    start.set([2], 5)
    start.set([1, 8], 26)
    const url = await upload(friend, 'voice.ogv', Buffer.concat([start, Buffer.from('OpusHead')]))
    await say(friend, channelId, 'voices', `[my voice](${url})`)
    const page = await openPage(owner, `/c/${channelId}-garden/t/voices`)
    await list(page).getByRole('group', { name: 'my voice' }).waitFor()
    expect(await list(page).locator('video').count()).toBe(0)
  })

  it('shows the file type next to a link whose text does not name the type', async () => {
    const { owner, friend, channelId } = await makeTeam()
    const url = await upload(friend, 'plan.pdf', 'x')
    await say(friend, channelId, 'trip', `[plan.pdf](${url}) [the plan](${url}) [home](https://example.com/a.pdf)`)
    const page = await openPage(owner, `/c/${channelId}-garden/t/trip`)
    await list(page).getByRole('link', { name: 'the plan PDF', exact: true }).waitFor()
    await list(page).getByRole('link', { name: 'plan.pdf', exact: true }).waitFor()
    await list(page).getByRole('link', { name: 'home', exact: true }).waitFor()
    expect(await list(page).getByRole('link', { name: 'the plan PDF' }).innerText()).toBe('the plan')
  })

  it('shows files that end a line as cards with their size and a download button, without loading them', async () => {
    const { owner, friend, channelId } = await makeTeam()
    const name = `${'opening hours of the garden '.repeat(3)}2026.pdf`
    const [plan, notes] = [await upload(friend, name, 'x'), await upload(friend, 'notes.txt', 'x'.repeat(2_048))]
    const page = await openPage(owner, `/c/${channelId}-garden/t/files`)
    const requested: string[] = []
    page.on('request', (request) => requested.push(`${request.method()} ${new URL(request.url()).pathname}`))
    await say(friend, channelId, 'files', `Both:\n[${name}](${plan}) [My notes](${notes})\n> [plan.pdf](${plan})`)
    const link = (label: string) => list(page).getByRole('link', { name: label, exact: true })
    expect(await link(`Download: ${name}`).getAttribute('href')).toBe(plan)
    expect(await link('Download: notes.txt').getAttribute('download')).toBe('notes.txt')
    expect(
      await list(page)
        .getByRole('link', { name: /^Download/ })
        .count(),
    ).toBe(2)
    expect(await link('My notes TXT · 2 KiB').getAttribute('target')).toBe('_blank')
    const isCut = async (part: Locator) => part.evaluate(({ scrollWidth, clientWidth }) => scrollWidth > clientWidth)
    expect(await isCut(link(name))).toBe(false)
    expect(await isCut(link(name).locator('> * > *'))).toBe(true)
    expect(await accessibilityFaults(page)).toEqual([])
    expect(requested.filter((path) => path.startsWith('GET /user_uploads/'))).toEqual([])
  })

  it('fits images and the image viewer into a narrow window', async () => {
    const { page } = await openAlbum({ width: 320, height: 640 })
    await imageLink(page, 'blue.png').waitFor()
    expect(await page.evaluate(() => document.documentElement.scrollWidth)).toBe(320)
    await imageLink(page, 'blue.png').click()
    await viewer(page).getByText('3 of 3').waitFor()
    for (const name of ['Zoom in', 'Close', 'Go to message', 'Previous image']) {
      const box = await viewer(page).getByRole('button', { name }).boundingBox()
      expect(box?.width).toBeGreaterThanOrEqual(24)
      expect((box?.x ?? -1) >= 0 && (box?.x ?? 999) + (box?.width ?? 999) <= 320).toBe(true)
    }
    await viewer(page).getByRole('button', { name: 'Close' }).click()
  })
})

describe.skipIf(!hasBrowser)('image viewer', () => {
  it('browses and zooms images by keyboard, and returns the focus', async () => {
    const { page } = await openAlbum()
    await imageLink(page, 'green.png').focus()
    await page.keyboard.press('Enter')
    const large = (name: string) => viewer(page).getByRole('img', { name })
    await large('green.png').waitFor()
    await viewer(page).getByText('2 of 3').waitFor()
    await page.keyboard.press('ArrowRight')
    await large('blue.png').waitFor()
    await page.keyboard.press('ArrowRight')
    await viewer(page).getByText('3 of 3').waitFor()
    await page.keyboard.press('ArrowLeft')
    await page.keyboard.press('ArrowLeft')
    await large('red.png').waitFor()
    await page.getByRole('status').filter({ hasText: 'red.png, image 1 of 3' }).waitFor({ state: 'attached' })
    const width = async (): Promise<number> => (await large('red.png').boundingBox())?.width ?? 0
    const fitted = await width()
    await page.keyboard.press('+')
    await expect.poll(width).toBeGreaterThan(fitted * 1.4)
    await page.keyboard.press('-')
    await expect.poll(width).toBe(fitted)
    await large('red.png').hover()
    await page.mouse.wheel(0, -100)
    await expect.poll(width).toBeGreaterThan(fitted)
    await page.keyboard.press('0')
    await expect.poll(width).toBe(fitted)
    await page.keyboard.press('Escape')
    await viewer(page).waitFor({ state: 'detached' })
    await expect
      .poll(() => page.evaluate(() => document.activeElement?.outerHTML.slice(0, 300)))
      .toContain('Open image green.png')
  })

  it('keeps the focus in the image viewer, which can download the original and open the message', async () => {
    const { both, page } = await openAlbum()
    await imageLink(page, 'red.png').click()
    await viewer(page).getByText('1 of 3').waitFor()
    for (let presses = 0; presses < 12; presses++) {
      await page.keyboard.press('Tab')
      const isInside = await page.evaluate(
        () => document.activeElement === document.body || document.activeElement?.closest('dialog') !== null,
      )
      expect(isInside).toBe(true)
    }
    const downloading = page.waitForEvent('download')
    await viewer(page).getByRole('link', { name: 'Download' }).click()
    expect((await downloading).suggestedFilename()).toBe('red.png')
    await viewer(page).getByRole('button', { name: 'Go to message' }).click()
    await viewer(page).waitFor({ state: 'detached' })
    await expect.poll(() => page.url()).toContain(`near=${both}`)
  })
})

type Finger = readonly [x: number, y: number]

async function performTouchGesture(page: Page, ...steps: readonly (readonly Finger[])[]): Promise<void> {
  const debug = await page.context().newCDPSession(page)
  for (const [index, fingers] of steps.entries()) {
    const touchPoints = fingers.map(([x, y], id) => ({ x, y, id }))
    await debug.send('Input.dispatchTouchEvent', { type: index === 0 ? 'touchStart' : 'touchMove', touchPoints })
  }
  await debug.send('Input.dispatchTouchEvent', { type: 'touchEnd', touchPoints: [] })
}

describe.skipIf(!hasBrowser)('image viewer beyond loaded messages', () => {
  it('browses images of unloaded messages in both directions', async () => {
    const { owner, friend, channelId } = await makeTeam()
    const send = async (name: string): Promise<number> =>
      say(friend, channelId, 'trip', await uploadPicture(friend, name, 'red'))
    const chat = async (): Promise<void> => {
      for (let number = 0; number < 70; number++) await say(friend, channelId, 'trip', `Talk ${number}`)
    }
    await send('first.png')
    await chat()
    const middle = await send('middle.png')
    await chat()
    const last = await send('last.png')
    const page = await openPage(owner, `/c/${channelId}-garden/t/trip?near=${middle}`)
    await imageLink(page, 'middle.png').press('Enter')
    expect(await imageLink(page, 'last.png').count()).toBe(0)
    await viewer(page).getByText('2 of 3').waitFor()
    await page.keyboard.press('ArrowLeft')
    await viewer(page).getByRole('img', { name: 'first.png' }).waitFor()
    await viewer(page).getByRole('button', { name: 'Next image' }).click()
    await viewer(page).getByRole('button', { name: 'Next image' }).click()
    await viewer(page).getByRole('img', { name: 'last.png' }).waitFor()
    await send('newest.png')
    await viewer(page).getByText('3 of 4').waitFor()
    await viewer(page).getByRole('button', { name: 'Go to message' }).click()
    await expect.poll(() => page.url()).toContain(`near=${last}`)
    await imageLink(page, 'last.png').waitFor()
  })

  it('hides the image count until it is known, and can go back to the first image', async () => {
    const { owner, friend, channelId } = await makeTeam()
    const link = await uploadPicture(friend, 'again.png', 'red')
    for (let number = 0; number < 70; number++) await say(friend, channelId, 'trip', link)
    await owner.call('POST', '/mark_all_as_read')
    const page = await openPage(owner, `/c/${channelId}-garden/t/trip`)
    await imageLink(page, 'again.png').last().click()
    await viewer(page).getByRole('img', { name: 'again.png' }).waitFor()
    expect(
      await viewer(page)
        .getByText(/^\d+ of \d+$/)
        .count(),
    ).toBe(0)
    for (let presses = 0; presses < 60; presses++) await page.keyboard.press('ArrowLeft')
    await viewer(page).getByText('10 of 70').waitFor()
    for (let presses = 0; presses < 12; presses++) await page.keyboard.press('ArrowLeft')
    await viewer(page).getByText('1 of 70').waitFor()
  })

  it('zooms with two fingers, pans with one, and swipes to the next image', async () => {
    const { owner, at } = await team()
    const page = await openPage(owner, at, { viewport: { width: 360, height: 640 }, hasTouch: true })
    await imageLink(page, 'green.png').tap()
    await viewer(page).getByText('2 of 3').waitFor()
    const box = async (name: string) =>
      (await viewer(page).getByRole('img', { name }).boundingBox()) ?? { x: 0, width: 0 }
    const fitted = await box('green.png')
    await performTouchGesture(
      page,
      [
        [150, 320],
        [210, 320],
      ],
      [
        [120, 320],
        [240, 320],
      ],
      [
        [90, 320],
        [270, 320],
      ],
    )
    await expect.poll(async () => (await box('green.png')).width).toBeGreaterThan(fitted.width * 2.5)
    const zoomed = await box('green.png')
    // The point between the fingers stays in place.
    expect(Math.abs((180 - zoomed.x) / zoomed.width - 0.5)).toBeLessThan(0.05)
    await performTouchGesture(page, [[200, 320]], [[150, 320]], [[100, 320]])
    await expect.poll(async () => (await box('green.png')).x).toBeCloseTo(zoomed.x - 100, 0)
    await viewer(page).getByText('2 of 3').waitFor()
    await performTouchGesture(
      page,
      [
        [90, 320],
        [270, 320],
      ],
      [
        [130, 320],
        [230, 320],
      ],
      [
        [170, 320],
        [190, 320],
      ],
    )
    await expect.poll(async () => (await box('green.png')).width).toBe(fitted.width)
    await performTouchGesture(page, [[280, 320]], [[180, 322]], [[100, 325]])
    await viewer(page).getByText('3 of 3').waitFor()
    await performTouchGesture(page, [[100, 320]], [[180, 322]], [[280, 325]])
    await viewer(page).getByText('2 of 3').waitFor()
  })

  it('mirrors the image viewer in right-to-left languages', async () => {
    const { owner, at } = await team()
    const page = await openPage(owner, `${at}?lang=ar-XB`, {
      viewport: { width: 360, height: 640 },
      hasTouch: true,
    })
    await page
      .getByRole('link', { name: /green\.png/ })
      .filter({ has: page.locator('img') })
      .click()
    const large = (name: string) => page.getByRole('dialog').getByRole('img', { name })
    await large('green.png').waitFor()
    const turns = page.locator('.viewer-turn')
    const [back, on] = [await turns.first().boundingBox(), await turns.last().boundingBox()]
    expect(back?.x).toBeGreaterThan(on?.x ?? Infinity)
    await page.keyboard.press('ArrowLeft')
    await large('blue.png').waitFor()
    await page.keyboard.press('ArrowRight')
    await large('green.png').waitFor()
    await performTouchGesture(page, [[100, 320]], [[180, 322]], [[280, 325]])
    await large('blue.png').waitFor()
  })

  it('keeps the image viewer readable in forced colors', async () => {
    const { page } = await openAlbum()
    await page.emulateMedia({ forcedColors: 'active' })
    await imageLink(page, 'green.png').click()
    await viewer(page).getByText('2 of 3').waitFor()
    expect(await accessibilityFaults(page)).toEqual([])
    for (const part of await viewer(page).locator('h2, .viewer-position, button, a').all()) {
      const colors = await part.evaluate((element) => {
        const { color, backgroundColor, borderTopWidth } = getComputedStyle(element)
        return { isSeen: color !== backgroundColor, isFramed: element.matches('h2, span') || borderTopWidth !== '0px' }
      })
      expect(colors).toEqual({ isSeen: true, isFramed: true })
    }
  })
})
