import { signal } from '@preact/signals'
import { newId } from '../../kernel/ids.ts'

export type ClipKind = 'voice' | 'video'

type ClipStage = 'asking' | 'recording' | 'paused' | 'ready' | 'failed'

export type ClipFailureReason = 'insecure' | 'unsupported' | 'denied' | 'missing' | 'busy'

/** Why a recording ended although the user did not end it. */
export type ClipEndReason = 'full' | 'interrupted'

/** Formats in order of preference. Safari before 18.4 records only MP4. */
const MEDIA_TYPES: Readonly<Record<ClipKind, readonly string[]>> = {
  voice: ['audio/webm;codecs=opus', 'audio/mp4', 'audio/ogg;codecs=opus'],
  video: ['video/webm;codecs=vp8,opus', 'video/mp4'],
}

const FILE_EXTENSIONS: Readonly<Record<string, string>> = {
  'audio/webm': 'webm',
  'audio/mp4': 'm4a',
  'audio/ogg': 'ogg',
  'video/webm': 'webm',
  'video/mp4': 'mp4',
}

const MEDIA_CONSTRAINTS: Readonly<Record<ClipKind, MediaStreamConstraints>> = {
  voice: { audio: true },
  video: { audio: true, video: { height: { ideal: 480 }, facingMode: 'user' } },
}

/** At these rates, 25 MiB hold more than an hour of speech, or four minutes of video. */
const RECORDER_OPTIONS: MediaRecorderOptions = { audioBitsPerSecond: 48_000, videoBitsPerSecond: 800_000 }

const CHUNK_DURATION_MILLISECONDS = 1_000
const METER_INTERVAL_MILLISECONDS = 100
/** Number of levels that the meter shows: four seconds. */
export const METER_LEVEL_COUNT = 40
/** Sound below this level, in decibels relative to the loudest, counts as silence. */
const SILENCE_DECIBELS = -60
/** Space for the end of a file, which the browser adds when it stops recording. */
const RESERVED_TRAILER_BYTES = 65_536

interface ClipOptions {
  readonly name: string
  readonly maxBytes: number
}

/** A recording, from the request for the microphone to the finished file. */
export class Clip {
  readonly id = newId()
  readonly kind: ClipKind
  readonly stage = signal<ClipStage>('asking')
  readonly seconds = signal(0)
  /** Loudness from 0 (silent) to 1, newest last. */
  readonly levels = signal<readonly number[]>([])
  readonly transcript = signal('')
  failure: ClipFailureReason | undefined
  end: ClipEndReason | undefined
  stream: MediaStream | undefined
  file: File | undefined
  /** Whether the recorder has not taken the focus yet. */
  isNew = true
  /** Number of composers that show this recording. */
  viewers = 0
  readonly #options: ClipOptions
  readonly #chunks: Blob[] = []
  #bytes = 0
  #recorder: MediaRecorder | undefined
  #context: AudioContext | undefined
  #analyser: AnalyserNode | undefined
  #meter: ReturnType<typeof setInterval> | undefined
  #resumedAt = 0
  #isStopping = false
  #isClosed = false

  constructor(kind: ClipKind, options: ClipOptions) {
    this.kind = kind
    this.#options = options
  }

  /** Whether closing the page would lose a recording. */
  get hasRecording(): boolean {
    return this.isCapturing || this.stage.value === 'ready'
  }

  get isCapturing(): boolean {
    return ['recording', 'paused'].includes(this.stage.value)
  }

  async start(): Promise<void> {
    this.stage.value = 'asking'
    if (!('mediaDevices' in navigator)) return this.#fail('insecure')
    const type = MEDIA_TYPES[this.kind].find((one) => 'MediaRecorder' in window && MediaRecorder.isTypeSupported(one))
    if (type === undefined) return this.#fail('unsupported')
    try {
      const stream = await navigator.mediaDevices.getUserMedia(MEDIA_CONSTRAINTS[this.kind])
      this.stream = stream
      if (this.#isClosed) this.#release()
      else this.#record(stream, type)
    } catch (error) {
      this.#release()
      this.#fail(failureReasonOf(error))
    }
  }

  pause(): void {
    if (this.stage.value !== 'recording') return
    if (this.#recorder?.state === 'recording') this.#recorder.pause()
    this.#measure()
    clearInterval(this.#meter)
    this.stage.value = 'paused'
  }

  resume(): void {
    if (this.stage.value !== 'paused') return
    this.#recorder?.resume()
    this.#startMeter()
    this.stage.value = 'recording'
  }

  stop(end?: ClipEndReason): void {
    if (!this.isCapturing || this.#isStopping) return
    this.pause()
    this.#isStopping = true
    this.end = end
    if (this.#recorder?.state !== 'inactive') this.#recorder?.stop()
  }

  /** Releases the microphone and camera. What has been recorded stays. */
  close(): void {
    this.#isClosed = true
    this.stop()
  }

  #record(stream: MediaStream, type: string): void {
    const recorder = new MediaRecorder(stream, { mimeType: type, ...RECORDER_OPTIONS })
    this.#recorder = recorder
    recorder.addEventListener('dataavailable', ({ data }) => this.#add(data))
    recorder.addEventListener('stop', () => this.#finish())
    recorder.addEventListener('error', () => this.stop('interrupted'))
    for (const track of stream.getTracks()) track.addEventListener('ended', () => this.stop('interrupted'))
    recorder.start(CHUNK_DURATION_MILLISECONDS)
    this.#startMeter()
    this.stage.value = 'recording'
  }

  #add(chunk: Blob): void {
    this.#chunks.push(chunk)
    this.#bytes += chunk.size
    // The last chunk can be twice as large as this one.
    if (this.#bytes + 2 * chunk.size + RESERVED_TRAILER_BYTES > this.#options.maxBytes) this.stop('full')
  }

  #finish(): void {
    // If all devices are unplugged, the browser stops recording by itself.
    if (!this.#isStopping) this.stop('interrupted')
    this.#release()
    const [type = ''] = (this.#recorder?.mimeType ?? '').split(';')
    this.file = new File(this.#chunks, `${this.#options.name}.${FILE_EXTENSIONS[type] ?? 'webm'}`, { type })
    this.stage.value = 'ready'
  }

  #startMeter(): void {
    const { stream } = this
    if (stream === undefined) return
    this.#resumedAt = performance.now()
    if (this.#context === undefined) {
      this.#context = new AudioContext()
      const analyser = this.#context.createAnalyser()
      this.#context.createMediaStreamSource(stream).connect(analyser)
      this.#analyser = analyser
    }
    // Safari suspends contexts that a click did not create.
    void this.#context.resume()
    this.#meter = setInterval(() => this.#measure(), METER_INTERVAL_MILLISECONDS)
  }

  #measure(): void {
    const now = performance.now()
    this.seconds.value += (now - this.#resumedAt) / 1_000
    this.#resumedAt = now
    if (this.#analyser === undefined || this.#context?.state !== 'running') return
    const samples = new Float32Array(this.#analyser.fftSize)
    this.#analyser.getFloatTimeDomainData(samples)
    this.levels.value = [...this.levels.value, loudnessOf(samples)].slice(-METER_LEVEL_COUNT)
  }

  #release(): void {
    clearInterval(this.#meter)
    for (const track of this.stream?.getTracks() ?? []) track.stop()
    void this.#context?.close().catch(() => undefined)
    this.stream = undefined
    this.#context = undefined
  }

  #fail(failure: ClipFailureReason): void {
    this.failure = failure
    this.stage.value = 'failed'
  }
}

function loudnessOf(samples: Float32Array): number {
  const loudness = Math.sqrt(samples.reduce((sum, sample) => sum + sample * sample, 0) / samples.length)
  return Math.min(1, Math.max(0, 1 - (20 * Math.log10(loudness)) / SILENCE_DECIBELS))
}

function failureReasonOf(error: unknown): ClipFailureReason {
  const name = error instanceof DOMException ? error.name : ''
  if (name === 'NotAllowedError' || name === 'SecurityError') return 'denied'
  if (name === 'NotFoundError' || name === 'OverconstrainedError') return 'missing'
  return name === 'NotSupportedError' ? 'unsupported' : 'busy'
}
