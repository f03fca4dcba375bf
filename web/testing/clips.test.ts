import type { Page } from 'playwright-core'
import { describe, expect, it } from 'vitest'
import { upload } from '../../server/src/testing/files.ts'
import { accessibilityFaults, hasBrowser, show, useBrowser } from './browser.ts'
import { useTeam } from './shared.ts'
import { composer, fetchTopicContents, hasComposerFocus, list, say } from './team.ts'

// A microphone that beeps every second, a camera that shows a test picture, and access to both without a question.
useBrowser(['--use-fake-device-for-media-stream', '--use-fake-ui-for-media-stream'])
const { team, visit, makeTeam, openPage } = useTeam()

async function startRecording(page: Page, name = 'Record voice clip'): Promise<void> {
  await page.getByRole('button', { name: 'Insert', exact: true }).click()
  await page.getByRole('menuitem', { name }).click()
}

const recorder = (page: Page) => page.getByRole('group', { name: /^(Voice|Video) clip$/ })
const recordedTime = async (page: Page): Promise<string> => recorder(page).getByRole('timer').innerText()
const press = async (page: Page, name: string): Promise<void> => recorder(page).getByRole('button', { name }).click()

async function waitForSecond(page: Page, second: number): Promise<void> {
  await expect.poll(() => recordedTime(page), { interval: 200 }).toBe(`0:0${second}`)
}

/** A tone of the given duration, as a WAV file. */
function tone(seconds: number): Buffer {
  const rate = 8_000
  const file = Buffer.alloc(44 + seconds * rate, 128)
  file.write('RIFF', 0)
  file.writeUInt32LE(file.length - 8, 4)
  file.write('WAVEfmt ', 8)
  for (const [at, value] of [
    [16, 16],
    [24, rate],
    [28, rate],
    [40, seconds * rate],
  ] as const)
    file.writeUInt32LE(value, at)
  for (const [at, value] of [
    [20, 1],
    [22, 1],
    [32, 1],
    [34, 8],
  ] as const)
    file.writeUInt16LE(value, at)
  file.write('data', 36)
  for (let at = 44; at < file.length; at += 1) file[at] = 128 + Math.round(100 * Math.sin(at / 3) * (at / file.length))
  return file
}

const player = (page: Page, name: string | RegExp) => list(page).getByRole('group', { name })
const positionOf = async (page: Page, name: string | RegExp): Promise<string | null> =>
  player(page, name).getByRole('slider', { name: 'Position' }).getAttribute('aria-valuetext')

describe.skipIf(!hasBrowser)('voice and video clips', () => {
  it('records, pauses, and previews a voice clip, and lets others choose the playback speed', async () => {
    const { owner, friend, channelId } = await makeTeam()
    const page = await openPage(owner, `/c/${channelId}-garden/t/news`)
    await composer(page).fill('Listen: ')
    await startRecording(page)
    await waitForSecond(page, 1)
    await press(page, 'Pause recording')
    const paused = await recordedTime(page)
    await press(page, 'Resume recording')
    await waitForSecond(page, 2)
    expect(paused).toBe('0:01')
    await press(page, 'Stop')
    const preview = recorder(page).getByRole('group', { name: /^Voice clip 20.*\.webm$/ })
    await preview.getByText('0:02').waitFor()
    await preview.getByRole('button', { name: 'Play', exact: true }).click()
    await preview.getByRole('button', { name: 'Pause', exact: true }).waitFor()
    expect(await accessibilityFaults(page)).toEqual([])
    await recorder(page)
      .getByRole('textbox', { name: /^Transcript or summary/ })
      .fill('Beep, beep.')
    // Without its recording, the message is not sent.
    await composer(page).press('Control+Enter')
    await page.getByText('Attach or discard the recording first').waitFor()
    await press(page, 'Attach')
    await composer(page).press('Control+Enter')
    await expect
      .poll(async () => (await fetchTopicContents(friend, channelId, 'news')).join(''))
      .toMatch(
        /^<p>Listen: <a href="\/user_uploads\/[^"]*" data-media="audio">Voice clip 20\d\d-\d\d-\d\d \d\d\.\d\d\.webm<\/a><\/p>\n<p>Beep, beep.<\/p>$/,
      )
    const listener = await openPage(friend, `/c/${channelId}-garden/t/news`)
    await expect.poll(() => positionOf(listener, /^Voice clip/)).toMatch(/^0:00 of 0:0[23]$/)
    const clip = player(listener, /^Voice clip/)
    await clip.getByRole('button', { name: 'Playback speed: 1×' }).click()
    await clip.getByRole('button', { name: 'Playback speed: 1.25×' }).click()
    await clip.getByRole('button', { name: 'Play', exact: true }).click()
    const sound = clip.locator('audio')
    await expect.poll(() => sound.evaluate((audio: HTMLAudioElement) => audio.playbackRate)).toBe(1.5)
    await expect.poll(() => sound.evaluate((audio: HTMLAudioElement) => audio.ended)).toBe(true)
    await clip.getByRole('button', { name: 'Play', exact: true }).waitFor()
  })

  it('plays one audio file at a time, seeks by keyboard, and remembers the playback speed', async () => {
    const { owner, friend, channelId } = await makeTeam()
    const [low, high] = [await upload(friend, 'low.wav', tone(20)), await upload(friend, 'high.wav', tone(12))]
    await say(friend, channelId, 'music', `[low](${low})`)
    await say(friend, channelId, 'music', `[high](${high})`)
    const page = await openPage(owner, `/c/${channelId}-garden/t/music`)
    await expect.poll(() => positionOf(page, 'low')).toBe('0:00 of 0:20')
    await expect.poll(() => positionOf(page, 'high')).toBe('0:00 of 0:12')
    await player(page, 'low').getByRole('button', { name: 'Play', exact: true }).click()
    await player(page, 'low').getByRole('button', { name: 'Pause', exact: true }).waitFor()
    await player(page, 'high').getByRole('button', { name: 'Play', exact: true }).click()
    await player(page, 'high').getByRole('button', { name: 'Pause', exact: true }).waitFor()
    await player(page, 'low').getByRole('button', { name: 'Play', exact: true }).waitFor()
    await player(page, 'high').getByRole('button', { name: 'Pause', exact: true }).click()
    await player(page, 'low').getByRole('slider').focus()
    await page.keyboard.press('Home')
    await page.keyboard.press('ArrowRight')
    await page.keyboard.press('ArrowRight')
    await page.keyboard.press('ArrowLeft')
    await expect.poll(() => positionOf(page, 'low')).toBe('0:05 of 0:20')
    await page.keyboard.press('End')
    await expect.poll(() => positionOf(page, 'low')).toBe('0:20 of 0:20')
    await player(page, 'low').getByRole('button', { name: 'Playback speed: 1×' }).click()
    await player(page, 'high').getByRole('button', { name: 'Playback speed: 1.25×' }).waitFor()
    await page.reload()
    await player(page, 'high').getByRole('button', { name: 'Playback speed: 1.25×' }).waitFor()
  })

  it('explains how to allow access to the microphone if access was denied', async () => {
    const { owner, channelId } = await team()
    const page = await visit(owner, `/c/${channelId}-garden/t/denied`)
    // The fake microphone ignores denied permissions.
    await page.evaluate(() => {
      const { mediaDevices } = navigator
      mediaDevices.getUserMedia = async () => {
        Reflect.deleteProperty(mediaDevices, 'getUserMedia')
        throw new DOMException('Permission denied', 'NotAllowedError')
      }
    })
    await startRecording(page)
    const alert = recorder(page).getByRole('alert')
    await alert.getByText('Microphone access is blocked. Allow it in your browser’s site settings').waitFor()
    await press(page, 'Try again')
    await press(page, 'Discard recording')
    expect(await hasComposerFocus(page)).toBe(true)
  })

  it('keeps a recording when another conversation opens, and restores a discarded recording on undo', async () => {
    const { owner, channelId } = await team()
    const page = await visit(owner, `/c/${channelId}-garden/t/news`)
    await startRecording(page)
    await waitForSecond(page, 1)
    await show(page, `/c/${channelId}-garden/t/other`)
    await page.getByText('Recording paused in news in garden').waitFor()
    expect(await recorder(page).count()).toBe(0)
    await page.getByRole('button', { name: 'Go to conversation' }).click()
    await press(page, 'Resume recording')
    await waitForSecond(page, 2)
    await press(page, 'Discard recording')
    await page.getByText('Recording discarded').waitFor()
    expect(await recorder(page).count()).toBe(0)
    await page.getByRole('button', { name: 'Undo' }).click()
    await recorder(page).getByRole('button', { name: 'Attach' }).waitFor()
    await press(page, 'Discard recording')
  })

  it('does not mark a conversation as done in triage while a recording is neither attached nor discarded', async () => {
    const { owner, friend, channelId } = await team()
    await owner.call('POST', '/mark_all_as_read')
    await say(friend, channelId, 'news', 'Any news?')
    const page = await visit(owner, '/triage')
    await startRecording(page)
    await waitForSecond(page, 1)
    await composer(page).fill('Listen')
    await page.getByRole('button', { name: 'Send and mark as done' }).click()
    await page.getByText('Attach or discard the recording first').waitFor()
    await press(page, 'Discard recording')
    expect(await composer(page).inputValue()).toBe('Listen')
    await page.getByRole('button', { name: 'Send and mark as done' }).click()
    await page.getByRole('heading', { name: /^All done/ }).waitFor()
    await expect.poll(async () => fetchTopicContents(friend, channelId, 'news')).toContain('<p>Listen</p>')
  })

  it('records a video clip, which others can play at another speed', async () => {
    const { owner, friend, channelId } = await team()
    const page = await visit(owner, `/c/${channelId}-garden/t/film`)
    await startRecording(page, 'Record video clip')
    await waitForSecond(page, 1)
    await press(page, 'Stop')
    await recorder(page).locator('video[controls]').waitFor()
    await press(page, 'Attach')
    await composer(page).press('Control+Enter')
    await expect
      .poll(async () => (await fetchTopicContents(friend, channelId, 'film')).join(''))
      .toMatch(/<div class="message_inline_image message_inline_video"><a [^>]*title="Video clip 20.*\.webm">/)
    await list(page).getByRole('button', { name: 'Playback speed: 1×' }).click()
    const film = list(page).locator('video')
    expect(await film.evaluate((video: HTMLVideoElement) => video.playbackRate)).toBe(1.25)
  })
})
