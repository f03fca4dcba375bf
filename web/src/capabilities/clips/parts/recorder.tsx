import { useEffect, useLayoutEffect, useRef } from 'preact/hooks'
import type { ComponentChildren } from 'preact'
import { tl } from '../../../kernel/later-texts.ts'
import { t } from '../../../kernel/strings.ts'
import { store } from '../../../platform/client.ts'
import { Icon } from '../../../platform/dom/icons.tsx'
import { afterPaint } from '../../../platform/dom/painted.ts'
import { announce } from '../../../platform/overlay/announce.tsx'
import type { ComposedText } from '../../composer/composed-text.ts'
import { attachClip, discardClip, pauseLeftClip } from '../actions.ts'
import { METER_LEVEL_COUNT, type Clip } from '../clip.ts'
import { ensureDuration, controlPlayback } from '../playback.ts'
import { openClips } from '../state.ts'
import { clockTime, Player } from './player.tsx'
import { Waveform } from './waveform.tsx'
import './clips.css'

/** Number of levels without sound after which the microphone is reported as silent: three seconds. */
const SILENCE_WARNING_LEVELS = 30

interface RecorderProps {
  readonly writing: ComposedText
  readonly clip: Clip
}

/** Takes the place of the composer's tools until its recording is attached or discarded. */
export function Recorder({ writing }: { readonly writing: ComposedText }) {
  const clip = openClips.value.get(writing.key)
  return clip === undefined ? null : <ClipRecorder key={clip.id} writing={writing} clip={clip} />
}

function ClipRecorder({ writing, clip }: RecorderProps) {
  const { value: stage } = clip.stage
  const { kind } = clip
  const discard = (): void => {
    discardClip(clip)
    writing.field?.focus()
  }
  return (
    <RecorderBar writing={writing} clip={clip}>
      {stage === 'asking' && (
        <>
          <p class="recorder-text">{tl().clips.asking[kind]}</p>
          <button class="button" type="button" data-first="" onClick={discard}>
            {t().app.cancel}
          </button>
        </>
      )}
      {stage === 'failed' && (
        <>
          <p class="recorder-text" role="alert">
            {clip.failure !== undefined && tl().clips.failures[clip.failure](kind)}
          </p>
          <button class="button" type="button" data-first="" onClick={() => void clip.start()}>
            {t().app.retry}
          </button>
          <button class="button" type="button" onClick={discard}>
            {t().app.close}
          </button>
        </>
      )}
      {clip.isCapturing && <CaptureStage clip={clip} onDiscard={discard} />}
      {stage === 'ready' && <ReviewStage writing={writing} clip={clip} onDiscard={discard} />}
    </RecorderBar>
  )
}

/** Moves the focus to the buttons of the next stage, and pauses the recording when its composer closes. */
function RecorderBar({ writing, clip, children }: RecorderProps & { readonly children: ComponentChildren }) {
  const bar = useRef<HTMLDivElement>(null)
  const { value: stage } = clip.stage
  useLayoutEffect(() => {
    const { activeElement } = document
    // Otherwise, the user is writing, or the button with the focus is still there.
    if (clip.isNew || activeElement === document.body) bar.current?.querySelector<HTMLElement>('[data-first]')?.focus()
    clip.isNew = false
    if (stage === 'recording' || stage === 'paused') announce(tl().clips[stage])
    if (stage === 'ready') announce(tl().clips.ready(clockTime(clip.seconds.peek())))
  }, [stage])
  const { key } = writing
  useEffect(() => {
    const { conversation } = writing
    clip.viewers += 1
    return () => {
      clip.viewers -= 1
      // Another composer can show the recording right away.
      afterPaint(() => clip.viewers === 0 && pauseLeftClip(clip, conversation))
    }
  }, [clip, key])
  return (
    <div ref={bar} class="recorder" role="group" aria-label={tl().clips.label[clip.kind]}>
      {children}
    </div>
  )
}

interface StageProps {
  readonly clip: Clip
  readonly onDiscard: () => void
}

function CaptureStage({ clip, onDiscard }: StageProps) {
  const isPaused = clip.stage.value === 'paused'
  const { value: levels } = clip.levels
  const isSilent =
    levels.length >= SILENCE_WARNING_LEVELS && levels.slice(-SILENCE_WARNING_LEVELS).every((level) => level === 0)
  const bars = [...Array.from({ length: METER_LEVEL_COUNT - levels.length }, () => 0), ...levels]
  return (
    <>
      {clip.kind === 'video' && <LiveVideo clip={clip} />}
      <span class={isPaused ? 'recorder-dot is-paused' : 'recorder-dot'} />
      <span class="clip-time" role="timer" aria-label={tl().clips.recorded}>
        {clockTime(clip.seconds.value)}
      </span>
      <span class="clip-track">
        <Waveform bars={bars} played={1} />
      </span>
      <button
        class="icon-button"
        type="button"
        aria-label={isPaused ? tl().clips.resumeRecording : tl().clips.pauseRecording}
        title={isPaused ? tl().clips.resumeRecording : tl().clips.pauseRecording}
        onClick={() => (isPaused ? clip.resume() : clip.pause())}
      >
        <Icon name={isPaused ? 'microphone' : 'paused'} />
      </button>
      <DiscardButton onDiscard={onDiscard} />
      <button class="button primary" type="button" data-first="" onClick={() => clip.stop()}>
        <Icon name="stop" size={16} />
        {tl().clips.stop}
      </button>
      <p class="recorder-note" role="status">
        {isSilent && !isPaused && tl().clips.silent}
      </p>
    </>
  )
}

function DiscardButton({ onDiscard }: Pick<StageProps, 'onDiscard'>) {
  const label = tl().clips.discard
  return (
    <button class="icon-button" type="button" aria-label={label} title={label} onClick={onDiscard}>
      <Icon name="delete" />
    </button>
  )
}

function LiveVideo({ clip: { stream } }: Pick<StageProps, 'clip'>) {
  const film = useRef<HTMLVideoElement>(null)
  useLayoutEffect(() => {
    if (film.current !== null) film.current.srcObject = stream ?? null
  }, [stream])
  return <video ref={film} class="recorder-film is-live" autoplay muted playsInline aria-hidden="true" />
}

function ReviewStage({ writing, clip, onDiscard }: StageProps & { readonly writing: ComposedText }) {
  const { file, end, kind } = clip
  if (file === undefined) return null
  return (
    <>
      {end !== undefined && (
        <p class="recorder-note" role="status">
          {end === 'full' ? tl().clips.full(store().read('max_file_upload_size_mib')) : tl().clips.interrupted}
        </p>
      )}
      {kind === 'video' ? (
        <VideoPreview file={file} />
      ) : (
        <div class="clip" role="group" aria-label={file.name}>
          <Player source={file} />
        </div>
      )}
      <label class="field">
        {tl().clips.transcript}
        <textarea
          class="input"
          rows={1}
          dir="auto"
          value={clip.transcript.value}
          onInput={({ currentTarget }) => {
            clip.transcript.value = currentTarget.value
          }}
        />
      </label>
      <DiscardButton onDiscard={onDiscard} />
      <button class="button primary" type="button" data-first="" onClick={() => attachClip(writing, clip)}>
        <Icon name="attach" size={16} />
        {tl().clips.attach}
      </button>
    </>
  )
}

function VideoPreview({ file }: { readonly file: File }) {
  const film = useRef<HTMLVideoElement>(null)
  useEffect(() => {
    const { current } = film
    if (current === null) return undefined
    const url = URL.createObjectURL(file)
    current.src = url
    const stop = controlPlayback(current)
    return () => {
      stop()
      URL.revokeObjectURL(url)
    }
  }, [file])
  return (
    <video
      ref={film}
      class="recorder-film"
      controls
      playsInline
      aria-label={file.name}
      onLoadedMetadata={({ currentTarget }) =>
        currentTarget.duration === Infinity ? void ensureDuration(currentTarget) : undefined
      }
    />
  )
}
