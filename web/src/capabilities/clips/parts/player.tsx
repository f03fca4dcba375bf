import { render } from 'preact'
import { useEffect, useRef, useState } from 'preact/hooks'
import { tl } from '../../../kernel/later-texts.ts'
import { Icon } from '../../../platform/dom/icons.tsx'
import { clipSpeed, ensureDuration, controlPlayback, isFindingDuration, chooseNextSpeed } from '../playback.ts'
import { fetchClip, computeWaveform, WAVEFORM_BAR_COUNT, Waveform } from './waveform.tsx'
import './clips.css'

const SEEK_STEP_SECONDS = 5
const FLAT_WAVEFORM: readonly number[] = Array.from({ length: WAVEFORM_BAR_COUNT }, () => 0)

interface PlayerProps {
  /** Address of the file, or a recording that is not uploaded yet. */
  readonly source: string | Blob
}

interface Playback {
  readonly time: number
  /** Duration; 0 while it is unknown. */
  readonly seconds: number
  readonly isPlaying: boolean
  readonly isBroken: boolean
}

const INITIAL_PLAYBACK: Playback = { time: 0, seconds: 0, isPlaying: false, isBroken: false }

/** Plays sound. The containing element, of class `clip`, names the file. */
export function Player({ source }: PlayerProps) {
  const media = useRef<HTMLAudioElement>(null)
  const [playback, setPlayback] = useState(INITIAL_PLAYBACK)
  useEffect(() => (media.current === null ? undefined : controlPlayback(media.current)), [])
  const bars = useWaveform(source, media)
  const { time, seconds, isPlaying, isBroken } = playback
  const note = ({ currentTarget }: { readonly currentTarget: HTMLAudioElement }): void => {
    if (!isFindingDuration(currentTarget)) setPlayback(({ seconds: known }) => playbackOf(currentTarget, known))
  }
  const seek = (to: number): void => {
    if (media.current === null) return
    media.current.currentTime = Math.min(Math.max(0, to), seconds)
    setPlayback({ ...playback, time: media.current.currentTime })
  }
  const toggle = (): void => {
    if (isPlaying) media.current?.pause()
    // The error event reports failures.
    else media.current?.play().catch(() => undefined)
  }
  return (
    <>
      <audio
        ref={media}
        src={typeof source === 'string' ? source : undefined}
        preload="none"
        onPlay={note}
        onPause={note}
        onEnded={note}
        onTimeUpdate={note}
        onDurationChange={note}
        onError={note}
      />
      {isBroken ? (
        <span class="note">{tl().clips.broken}</span>
      ) : (
        <>
          <button
            class="clip-play"
            type="button"
            aria-label={isPlaying ? tl().clips.pause : tl().clips.play}
            onClick={toggle}
          >
            <Icon name={isPlaying ? 'paused' : 'play'} size={16} />
          </button>
          <SeekBar time={time} seconds={seconds} bars={bars ?? FLAT_WAVEFORM} seek={seek} />
          <span class="clip-time">{clockTime(isPlaying || time > 0 ? time : seconds)}</span>
          <SpeedButton />
        </>
      )}
    </>
  )
}

function playbackOf({ currentTime, duration, paused, error }: HTMLAudioElement, known: number): Playback {
  const seconds = Number.isFinite(duration) ? duration : known
  return { time: currentTime, seconds, isPlaying: !paused, isBroken: error !== null }
}

interface SeekBarProps extends Pick<Playback, 'time' | 'seconds'> {
  readonly bars: readonly number[]
  readonly seek: (to: number) => void
}

function SeekBar({ time, seconds, bars, seek }: SeekBarProps) {
  const isKnown = seconds > 0
  return (
    <span class="clip-track">
      <Waveform bars={bars} played={isKnown ? time / seconds : 0} />
      <input
        type="range"
        min={0}
        max={isKnown ? seconds : 1}
        step="any"
        value={time}
        disabled={!isKnown}
        aria-label={tl().clips.position}
        aria-valuetext={tl().clips.timeOf(clockTime(time), clockTime(seconds))}
        onInput={({ currentTarget }) => seek(Number(currentTarget.value))}
        onKeyDown={(event) => {
          if (event.altKey || event.ctrlKey || event.metaKey) return
          const step = seekStepForKey(event.key)
          // Keys that move the thumb must not also move between messages.
          if (step !== 0 || /^(Home|End|Page)/.test(event.key)) event.stopPropagation()
          if (step === 0) return
          event.preventDefault()
          seek(time + step)
        }}
      />
    </span>
  )
}

function SpeedButton() {
  const label = tl().clips.speed(clipSpeed.read())
  return (
    <button class="clip-speed" type="button" aria-label={label} title={label} onClick={chooseNextSpeed}>
      {tl().clips.times(clipSpeed.read())}
    </button>
  )
}

function seekStepForKey(key: string): number {
  if (key === 'ArrowRight' || key === 'ArrowUp') return SEEK_STEP_SECONDS
  return key === 'ArrowLeft' || key === 'ArrowDown' ? -SEEK_STEP_SECONDS : 0
}

/** Loads a short file when it is first visible: the whole file, so that its duration and its waveform are known. */
function useWaveform(
  source: string | Blob,
  media: { readonly current: HTMLAudioElement | null },
): readonly number[] | undefined {
  const [bars, setBars] = useState<readonly number[]>()
  useEffect(() => {
    const { current: audio } = media
    if (audio === null) return undefined
    const aborter = new AbortController()
    let url: string | undefined
    const load = async (): Promise<void> => {
      const file = typeof source === 'string' ? await fetchClip(source, aborter.signal) : source
      if (aborter.signal.aborted) return
      // Keeps the source of a clip that already plays.
      if (file !== undefined && audio.paused) {
        url = URL.createObjectURL(file)
        audio.src = url
      }
      audio.preload = 'metadata'
      if (file === undefined) return
      await waitForMetadata(audio, aborter.signal)
      if (audio.duration === Infinity && audio.paused) await ensureDuration(audio)
      if (!aborter.signal.aborted) setBars(await computeWaveform(file, audio.duration))
    }
    const observer = new IntersectionObserver((entries) => {
      if (!entries.some(({ isIntersecting }) => isIntersecting)) return
      observer.disconnect()
      // Without a waveform, the clip still plays, or reports why it cannot.
      load().catch(() => undefined)
    })
    observer.observe(audio.parentElement ?? audio)
    return () => {
      observer.disconnect()
      aborter.abort()
      if (url !== undefined) URL.revokeObjectURL(url)
    }
  }, [source])
  return bars
}

async function waitForMetadata(audio: HTMLAudioElement, signal: AbortSignal): Promise<void> {
  if (audio.readyState >= HTMLMediaElement.HAVE_METADATA) return
  await new Promise<void>((resolve) => {
    for (const type of ['loadedmetadata', 'error'])
      audio.addEventListener(type, () => resolve(), { once: true, signal })
    signal.addEventListener('abort', () => resolve())
  })
}

/** Formats a duration, for example `0:07` or `1:02:03`. */
export function clockTime(seconds: number): string {
  const whole = Math.floor(seconds)
  const pad = (number: number): string => String(number).padStart(2, '0')
  const [hours, minutes] = [Math.floor(whole / 3_600), Math.floor(whole / 60) % 60]
  return hours > 0 ? `${hours}:${pad(minutes)}:${pad(whole % 60)}` : `${minutes}:${pad(whole % 60)}`
}

/** Adds players to a message's sounds, and speed buttons to its videos, until `removed` is aborted. */
export function mountPlayers(content: HTMLElement, removed: AbortSignal): void {
  if (removed.aborted) return
  for (const box of content.querySelectorAll<HTMLElement>('.clip')) mountPlayer(box, removed)
  for (const film of content.querySelectorAll('video')) mountSpeedButton(film, removed)
}

function mountPlayer(box: HTMLElement, removed: AbortSignal): void {
  const source = box.querySelector('audio')?.src ?? ''
  box.replaceChildren()
  render(<Player source={source} />, box)
  removed.addEventListener('abort', () => render(null, box))
}

function mountSpeedButton(video: HTMLVideoElement, removed: AbortSignal): void {
  const box = document.createElement('span')
  video.after(box)
  render(<SpeedButton />, box)
  const stop = controlPlayback(video)
  const end = (): void => {
    stop()
    render(null, box)
    box.remove()
  }
  video.addEventListener('error', end)
  removed.addEventListener('abort', end)
}
