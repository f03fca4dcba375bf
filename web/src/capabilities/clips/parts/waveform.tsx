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
