const HEIGHT = 24
const BAR_GAP = 4
/** Makes silence visible as a row of dots. */
const LEAST_HEIGHT = 1

/** Draws bars from the left, in the accent color up to the fraction that has been played. */
export function Waveform({ bars, played = 0 }: { readonly bars: readonly number[]; readonly played?: number }) {
  const at = Math.round(bars.length * played)
  return (
    <svg
      class="waveform"
      viewBox={`0 0 ${bars.length * BAR_GAP} ${HEIGHT}`}
      preserveAspectRatio="none"
      aria-hidden="true"
      focusable="false"
    >
      <path d={pathOf(bars, at, bars.length)} />
      <path class="is-played" d={pathOf(bars, 0, at)} />
    </svg>
  )
}

function pathOf(bars: readonly number[], from: number, to: number): string {
  return bars
    .slice(from, to)
    .map((bar, index) => {
      const height = Math.max(LEAST_HEIGHT, bar * (HEIGHT - 4))
      return `M${(from + index + 0.5) * BAR_GAP} ${(HEIGHT - height) / 2}v${height}`
    })
    .join('')
}

const MAX_BYTES = 3 * 1_048_576
/** A short file can decode to hours of silence, which would fill the memory. */
const MAX_SECONDS = 30 * 60
/** The lowest rate that all browsers support. */
const SAMPLES_PER_SECOND = 8_000

export const WAVEFORM_BARS = 50

/** Fetches a file, unless it is too large to draw its waveform. */
export async function fetchClip(address: string, signal: AbortSignal): Promise<Blob | undefined> {
  const response = await fetch(address, { signal })
  const length = Number(response.headers.get('content-length') ?? Infinity)
  if (response.ok && length <= MAX_BYTES) return response.blob()
  await response.body?.cancel()
  return undefined
}

/** Returns the height of each bar, from 0 to 1. Undefined if the file is too long or has no sound. */
export async function waveformOf(file: Blob, seconds: number): Promise<readonly number[] | undefined> {
  if (file.size > MAX_BYTES || !(seconds <= MAX_SECONDS)) return undefined
  const context = new OfflineAudioContext(1, 1, SAMPLES_PER_SECOND)
  const sound = await context.decodeAudioData(await file.arrayBuffer())
  const samples = sound.getChannelData(0)
  const length = Math.max(1, Math.ceil(samples.length / WAVEFORM_BARS))
  const peaks = Array.from({ length: WAVEFORM_BARS }, (_, bar) =>
    samples.subarray(bar * length, (bar + 1) * length).reduce((most, one) => Math.max(most, Math.abs(one)), 0),
  )
  const loudest = Math.max(...peaks)
  return loudest === 0 ? undefined : peaks.map((peak) => peak / loudest)
}
