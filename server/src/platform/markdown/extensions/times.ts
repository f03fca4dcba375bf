import type { MarkdownIt, StateInline } from 'markdown-it'

const LESS_THAN_CODE = 60
const TIME_PATTERN = /<time:([^>\n]{1,100})>/y
const ISO_TIME_PATTERN = /^(\d{4}-\d{2}-\d{2})(?:[T ](\d{2}:\d{2})(:\d{2})?(?:\.\d{1,9})?)?[ ]?(Z|[+-]\d{2}:?\d{2})?$/i
const UNIX_SECONDS_PATTERN = /^\d{1,12}$/

export function timesExtension(md: MarkdownIt): void {
  md.inline.ruler.before('autolink', 'time', parseTime)
}

function parseTime(state: StateInline, silent: boolean): boolean {
  if (state.src.charCodeAt(state.pos) !== LESS_THAN_CODE) return false
  TIME_PATTERN.lastIndex = state.pos
  const [written = '', text = ''] = TIME_PATTERN.exec(state.src) ?? []
  if (written === '' || state.pos + written.length > state.posMax) return false
  state.pos += written.length
  if (silent) return true
  const moment = parseTimestamp(text.trim())
  const [type, tag, name, value] =
    moment === undefined ? ['time_error', 'span', 'class', 'timestamp-error'] : ['time', 'time', 'datetime', moment]
  state.push(`${type}_open`, tag ?? '', 1).attrs = [[name ?? '', value ?? '']]
  state.push('text', '', 0).content = moment === undefined ? `Invalid time format: ${text}` : text
  state.push(`${type}_close`, tag ?? '', -1)
  return true
}

function parseTimestamp(text: string): string | undefined {
  const iso = ISO_TIME_PATTERN.exec(text)
  if (!iso && !UNIX_SECONDS_PATTERN.test(text)) return undefined
  const [, day, minutes = '00:00', seconds = ':00', zone = 'Z'] = iso ?? []
  if (iso && !isCalendarDay(day)) return undefined
  const zoneWithColon = zone.replace(/^([+-]\d{2})(\d{2})$/, '$1:$2').toUpperCase()
  const moment = iso ? new Date(`${day}T${minutes}${seconds}${zoneWithColon}`) : new Date(Number(text) * 1000)
  return Number.isNaN(moment.getTime()) || moment.getUTCFullYear() > 9999
    ? undefined
    : `${moment.toISOString().slice(0, 19)}Z`
}

/** Whether the day exists: JavaScript reads February 30 as a day in March. */
function isCalendarDay(text = ''): boolean {
  const midnight = new Date(`${text}T00:00:00Z`)
  return !Number.isNaN(midnight.getTime()) && midnight.toISOString().startsWith(text)
}
