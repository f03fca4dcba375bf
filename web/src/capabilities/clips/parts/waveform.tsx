const WAVEFORM_HEIGHT = 24
const BAR_GAP = 4
/** Greater than zero, so that silence is visible as a row of dots. */
const MIN_BAR_HEIGHT = 1

/** Draws bars from the left, in the accent color up to the fraction that has been played. */
export function Waveform({ bars, played = 0 }: { readonly bars: readonly number[]; readonly played?: number }) {
  const at = Math.round(bars.length * played)
  return (
    <svg
      class="waveform"
      viewBox={`0 0 ${bars.length * BAR_GAP} ${WAVEFORM_HEIGHT}`}
      preserveAspectRatio="none"
      aria-hidden="true"
      focusable="false"
    >
      <path d={svgPathOf(bars, at, bars.length)} />
      <path class="is-played" d={svgPathOf(bars, 0, at)} />
    </svg>
  )
}

function svgPathOf(bars: readonly number[], from: number, to: number): string {
  return bars
    .slice(from, to)
    .map((bar, index) => {
      const height = Math.max(MIN_BAR_HEIGHT, bar * (WAVEFORM_HEIGHT - 4))
      return `M${(from + index + 0.5) * BAR_GAP} ${(WAVEFORM_HEIGHT - height) / 2}v${height}`
    })
    .join('')
}

const MAX_DECODED_FILE_BYTES = 3 * 1_048_576
/** A short file can decode to hours of silence, which would fill the memory. */
const MAX_DECODED_SECONDS = 30 * 60
/** The lowest rate that all browsers support. */
const SAMPLES_PER_SECOND = 8_000

export const WAVEFORM_BAR_COUNT = 50

/** Fetches a file, unless it is too large to draw its waveform. */
export async function fetchClip(address: string, signal: AbortSignal): Promise<Blob | undefined> {
  const response = await fetch(address, { signal })
  const length = Number(response.headers.get('content-length') ?? Infinity)
  if (response.ok && length <= MAX_DECODED_FILE_BYTES) return response.blob()
  await response.body?.cancel()
  return undefined
}

/** Returns the height of each bar, from 0 to 1. Undefined if the file is too long or has no sound. */
export async function computeWaveform(file: Blob, seconds: number): Promise<readonly number[] | undefined> {
  if (file.size > MAX_DECODED_FILE_BYTES || !(seconds <= MAX_DECODED_SECONDS)) return undefined
  const context = new OfflineAudioContext(1, 1, SAMPLES_PER_SECOND)
  const sound = await context.decodeAudioData(await file.arrayBuffer())
  const samples = sound.getChannelData(0)
  const length = Math.max(1, Math.ceil(samples.length / WAVEFORM_BAR_COUNT))
  const peaks = Array.from({ length: WAVEFORM_BAR_COUNT }, (_, bar) =>
    samples.subarray(bar * length, (bar + 1) * length).reduce((most, one) => Math.max(most, Math.abs(one)), 0),
  )
  const loudest = Math.max(...peaks)
  return loudest === 0 ? undefined : peaks.map((peak) => peak / loudest)
}
