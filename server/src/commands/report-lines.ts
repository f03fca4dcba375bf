import type { ReportEntry } from '../platform/moving/manifest.ts'
import { countOf } from '../kernel/phrases.ts'

/** @param rows returns the number of rows in a table */
export function countsLine(rows: (table: string) => number): string {
  return [
    // Excludes the Notification Bot.
    countOf(Math.max(0, rows('users') - 1), 'account', 'accounts'),
    `${countOf(rows('channels'), 'channel', 'channels')} (including archived)`,
    countOf(rows('messages'), 'message', 'messages'),
    countOf(rows('attachments'), 'uploaded file', 'uploaded files'),
  ].join(', ')
}

export function leftOutLines(leftOut: readonly ReportEntry[]): string[] {
  if (leftOut.length === 0) return ['Everything was imported.']
  return ['Not imported, or changed:', ...linesOf(leftOut)]
}

export function carriedLines(carried: readonly ReportEntry[]): string[] {
  return carried.length === 0 ? [] : ['Imported:', ...linesOf(carried)]
}

function linesOf(entries: readonly ReportEntry[]): string[] {
  return entries.flatMap(({ what, count, examples }) => [
    `  ${count.toLocaleString('en').padStart(7)}  ${what}`,
    ...examples.map((example) => `           such as ${example}`),
  ])
}
