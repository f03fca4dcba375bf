import type { Report } from '../platform/backup/reporting.ts'
import type { Terminal } from './command.ts'

const BAR_CHARACTERS = 24
const REDRAW_MILLISECONDS = 100
const KIBI = 1024
const UNITS = ['B', 'KiB', 'MiB', 'GiB', 'TiB'] as const

export interface Progress {
  readonly report: Report
  end(): void
}

/** Shows a bar on a terminal, or else a line per step. `words` give each step's label, and whether it counts bytes. */
export function showProgress(
  terminal: Terminal,
  words: Readonly<Record<string, { readonly label: string; readonly isBytes: boolean }>>,
): Progress {
  const begun = new Set<string>()
  let step = ''
  let drawnAt = 0
  return {
    report(name, done, total) {
      const { label, isBytes } = words[name] ?? { label: name, isBytes: false }
      const isNew = step !== name
      step = name
      if (!terminal.isWatched) {
        // Each step is printed once, because an export alternates between rows and their files.
        if (!begun.has(name)) terminal.warn(`${label} ...`)
        begun.add(name)
        return
      }
      const now = performance.now()
      if (!isNew && now - drawnAt < REDRAW_MILLISECONDS) return
      drawnAt = now
      const amount = isBytes ? bytesText(done) : done.toLocaleString('en')
      terminal.watch(total === 0 ? `${label}  ${amount}` : `${label}  ${drawBar(done / total)}  ${amount}`)
    },
    end() {
      if (terminal.isWatched) terminal.watch('')
    },
  }
}

function drawBar(share: number): string {
  const whole = Math.min(Math.max(share, 0), 1)
  const full = Math.floor(whole * BAR_CHARACTERS)
  return `[${'#'.repeat(full)}${'.'.repeat(BAR_CHARACTERS - full)}] ${String(Math.floor(whole * 100)).padStart(3)}%`
}

export function bytesText(bytes: number): string {
  let [amount, unit] = [bytes, 0]
  while (amount >= KIBI && unit < UNITS.length - 1) [amount, unit] = [amount / KIBI, unit + 1]
  return `${amount.toLocaleString('en', { maximumFractionDigits: 1 })} ${UNITS[unit] ?? ''}`
}
