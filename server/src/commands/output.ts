import type { Organization } from '../capabilities/organizations/queries/index.ts'
import { userById, type UserRow } from '../capabilities/users/queries/index.ts'
import { ROLE, type Role } from '../kernel/actor.ts'
import { formatCount } from '../kernel/phrases.ts'
import type { OrganizationState } from '../kernel/projection.ts'
import type { ReportEntry } from '../platform/moving/manifest.ts'
import { UsageError, type Terminal } from './command.ts'
import type { Report } from '../platform/backup/reporting.ts'

export const jsonOption = { json: { type: 'boolean', default: false } } as const

export const JSON_USAGE = '  --json                     print JSON'

export function printJson(terminal: Terminal, value: object): void {
  terminal.print(JSON.stringify(value, null, 2))
}

export function printTable(terminal: Terminal, rows: readonly (readonly string[])[]): void {
  const widths: number[] = []
  for (const row of rows) for (const [at, { length }] of row.entries()) widths[at] = Math.max(widths[at] ?? 0, length)
  for (const row of rows) {
    terminal.print(
      row
        .map((cell, at) => (at === row.length - 1 ? cell : cell.padEnd(widths[at] ?? 0)))
        .join('  ')
        .trimEnd(),
    )
  }
}

export function formatDay(seconds: number): string {
  return new Date(seconds * 1000).toISOString().slice(0, 10)
}

export function roleName(role: Role): string {
  const [name = ''] = Object.entries(ROLE).find(([, known]) => known === role) ?? []
  return name
}

export function parseRole(name: string, what = '--role'): Role {
  const [, role] = Object.entries(ROLE).find(([known]) => known === name) ?? []
  if (role === undefined) throw new UsageError(`${what} must be one of ${Object.keys(ROLE).join(', ')}.`)
  return role
}

export function userRecord(organization: OrganizationState, user: UserRow): object {
  const owner = user.botOwnerId === null ? undefined : userById(organization, user.botOwnerId)
  return {
    id: user.id,
    email: user.deliveryEmail,
    full_name: user.fullName,
    role: roleName(user.role),
    is_active: user.isActive,
    is_bot: user.botType !== null,
    bot_owner: owner?.deliveryEmail ?? null,
    date_joined: user.dateJoined,
  }
}

export function organizationRecord({
  stringId,
  name,
  dateCreated,
  isDeactivated,
}: Pick<Organization, 'stringId' | 'name' | 'dateCreated' | 'isDeactivated'>): object {
  return { subdomain: stringId, name, date_created: dateCreated, is_deactivated: isDeactivated }
}

export function formatArchiveCounts(rows: (table: string) => number): string {
  return [
    // Excludes the Notification Bot.
    formatCount(Math.max(0, rows('users') - 1), 'account', 'accounts'),
    `${formatCount(rows('channels'), 'channel', 'channels')} (including archived)`,
    formatCount(rows('messages'), 'message', 'messages'),
    formatCount(rows('attachments'), 'uploaded file', 'uploaded files'),
  ].join(', ')
}

export function formatLeftOutEntries(leftOut: readonly ReportEntry[]): string[] {
  if (leftOut.length === 0) return ['Everything was imported.']
  return ['Not imported, or changed:', ...formatReport(leftOut)]
}

export function formatImportedEntries(carried: readonly ReportEntry[]): string[] {
  return carried.length === 0 ? [] : ['Imported:', ...formatReport(carried)]
}

function formatReport(entries: readonly ReportEntry[]): string[] {
  return entries.flatMap(({ what, count, examples }) => [
    `  ${count.toLocaleString('en').padStart(7)}  ${what}`,
    ...examples.map((example) => `           such as ${example}`),
  ])
}

const PROGRESS_BAR_CHARACTERS = 24
const REDRAW_INTERVAL_MILLISECONDS = 100
const BYTES_PER_KIBIBYTE = 1024
const BYTE_UNITS = ['B', 'KiB', 'MiB', 'GiB', 'TiB'] as const

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
      if (!isNew && now - drawnAt < REDRAW_INTERVAL_MILLISECONDS) return
      drawnAt = now
      const amount = isBytes ? formatBytes(done) : done.toLocaleString('en')
      terminal.watch(total === 0 ? `${label}  ${amount}` : `${label}  ${drawProgressBar(done / total)}  ${amount}`)
    },
    end() {
      if (terminal.isWatched) terminal.watch('')
    },
  }
}

function drawProgressBar(share: number): string {
  const whole = Math.min(Math.max(share, 0), 1)
  const full = Math.floor(whole * PROGRESS_BAR_CHARACTERS)
  return `[${'#'.repeat(full)}${'.'.repeat(PROGRESS_BAR_CHARACTERS - full)}] ${String(Math.floor(whole * 100)).padStart(3)}%`
}

export function formatBytes(bytes: number): string {
  let [amount, unit] = [bytes, 0]
  while (amount >= BYTES_PER_KIBIBYTE && unit < BYTE_UNITS.length - 1)
    [amount, unit] = [amount / BYTES_PER_KIBIBYTE, unit + 1]
  return `${amount.toLocaleString('en', { maximumFractionDigits: 1 })} ${BYTE_UNITS[unit] ?? ''}`
}
