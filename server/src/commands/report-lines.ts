import type { ReportEntry } from '../platform/moving/manifest.ts'
import { counted } from '../kernel/counted.ts'

/**
 * How much of an organization was moved, in the words of `stats` and `user list`.
 * @param rows of a table
 */
export function countsLine(rows: (table: string) => number): string {
  return [
    // Each organization has the Notification Bot, which no person and no team has made.
    counted(Math.max(0, rows('users') - 1), 'account', 'accounts'),
    `${counted(rows('channels'), 'channel', 'channels')} (archived ones included)`,
    counted(rows('messages'), 'message', 'messages'),
    counted(rows('attachments'), 'uploaded file', 'uploaded files'),
  ].join(', ')
}

/** What people are told of what could not be carried. */
export function leftOutLines(leftOut: readonly ReportEntry[]): string[] {
  if (leftOut.length === 0) return ['Nothing was left out.']
  return ['Left out, or otherwise than before:', ...linesOf(leftOut)]
}

/** What people are told of what came along, beside accounts, channels, messages and files. */
export function carriedLines(carried: readonly ReportEntry[]): string[] {
  return carried.length === 0 ? [] : ['As before:', ...linesOf(carried)]
}

function linesOf(entries: readonly ReportEntry[]): string[] {
  return entries.flatMap(({ what, count, examples }) => [
    `  ${count.toLocaleString('en').padStart(7)}  ${what}`,
    ...examples.map((example) => `           such as ${example}`),
  ])
}
