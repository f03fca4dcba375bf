import { effect } from '@preact/signals'
import { preferredOneOf } from '../../platform/preferences.ts'

const PLAYBACK_SPEEDS = [1, 1.25, 1.5, 2] as const

export const clipSpeed = preferredOneOf('clips.speed', PLAYBACK_SPEEDS, 1)

export function chooseNextSpeed(): void {
  const next = PLAYBACK_SPEEDS.find((speed) => speed > clipSpeed.read()) ?? PLAYBACK_SPEEDS[0]
  void clipSpeed.write(next)
}

let playing: HTMLMediaElement | undefined

/** Plays a clip at the chosen speed, and pauses it when another clip plays. @returns a function that stops following */
export function controlPlayback(media: HTMLMediaElement): () => void {
  const stop = effect(() => {
    // Loading another source resets the speed to the default speed.
    media.defaultPlaybackRate = clipSpeed.read()
    media.playbackRate = clipSpeed.read()
  })
  const findDuration = (): void => {
    if (media.duration === Infinity && !media.paused) void ensureDuration(media, true)
  }
  const onPlay = (): void => {
    if (playing !== media) playing?.pause()
    playing = media
    findDuration()
  }
  media.addEventListener('play', onPlay)
  // The clip can play before its metadata arrives.
  media.addEventListener('durationchange', findDuration)
  return () => {
    stop()
    media.removeEventListener('play', onPlay)
    media.removeEventListener('durationchange', findDuration)
    if (playing === media) playing = undefined
  }
}

const mediaFindingDuration = new WeakSet<HTMLMediaElement>()

/** Whether a clip is at its end for a moment, and will return to its former position. */
export function isFindingDuration(media: HTMLMediaElement): boolean {
  return mediaFindingDuration.has(media) && media.error === null
}

/** Finds the duration of a recording from MediaRecorder, which stores none: browsers learn it by seeking to the end. */
export async function ensureDuration(media: HTMLMediaElement, plays = false): Promise<void> {
  const { currentTime } = media
  mediaFindingDuration.add(media)
  media.pause()
  const isFound = new Promise((resolve) => {
    for (const type of ['seeked', 'error', 'emptied']) media.addEventListener(type, resolve, { once: true })
  })
  media.currentTime = Number.MAX_SAFE_INTEGER
  await isFound
  mediaFindingDuration.delete(media)
  if (media.error !== null) return
  media.currentTime = currentTime
  if (plays) await media.play().catch(() => undefined)
}
