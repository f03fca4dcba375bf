import { eventName } from '../../kernel/event.ts'
import type { AnyEventBinding, EventBinding } from '../../kernel/event-binding.ts'
import { type ClientForm, type Registration, type Viewer, CLIENT_CAPABILITIES } from '../../kernel/viewer.ts'
import type { LogRow } from '../log/row.ts'
import type { OrganizationState } from '../../kernel/projection.ts'
import type { Db } from '../../kernel/transaction.ts'

export interface Encoder {
  encode(row: LogRow, viewer: Viewer, registration: Registration, formKey: string, queueId: string): string | undefined
  isPublic(row: LogRow, viewer: Viewer): boolean
  bindingOf(row: LogRow): EventBinding | undefined
}

const QUEUE_CAPABILITIES: readonly string[] = [
  'log_position',
  'long_lifespan',
  'preferences',
  'registrations',
  'packed_lists',
  'bot_commands',
  'community',
  'blocked_users',
  'bans',
  'public_pages',
]
const EVENT_CAPABILITIES = CLIENT_CAPABILITIES.filter((name) => !QUEUE_CAPABILITIES.includes(name))

const formKeys = new WeakMap<ClientForm, string>()

export function formKeyOf(form: ClientForm): string {
  const known = formKeys.get(form)
  if (known !== undefined) return known
  const key = createFormKey(form)
  formKeys.set(form, key)
  return key
}

function createFormKey(form: ClientForm): string {
  const bits = EVENT_CAPABILITIES.map((name) => (form.capabilities[name] ? '1' : '0')).join('')
  return `${form.applyMarkdown ? 'm' : 'r'}${form.clientExternalAvatar ? 'x' : 'u'}${form.slimPresence ? 's' : 'l'}${form.includeSubscribers[0] ?? ''}${bits}`
}

/** With `check` (in tests and development), encoding bugs throw. Otherwise, they are reported, and events skipped. */
export function createEncoder(
  bindings: readonly AnyEventBinding[],
  check: boolean,
  report: (error: Error) => void,
): Encoder {
  // Safe: a binding gets only events of its own name, whose payload its own actions have logged.
  const byName = new Map(bindings.map((binding) => [eventName(binding.event), binding as EventBinding]))

  const open = (binding: EventBinding, fields: Readonly<Record<string, unknown>>): string => {
    const { type, op } = binding.event
    return JSON.stringify(op === undefined ? { type, ...fields } : { type, op, ...fields }).slice(0, -1)
  }

  const sharedPart = (row: LogRow, binding: EventBinding, viewer: Viewer, formKey: string): string | undefined => {
    if (binding.toClient !== undefined && binding.encodeSeparately?.(row, viewer) === true) {
      const fields = binding.toClient(row, viewer)
      return fields === undefined ? undefined : open(binding, fields)
    }
    row.encoded ??= new Map()
    const forms = row.encoded
    const key = binding.toClient === undefined ? '' : formKey
    if (forms.has(key)) return forms.get(key)
    const fields = binding.toClient === undefined ? row.payload : binding.toClient(row, viewer)
    const text = fields === undefined ? undefined : open(binding, fields)
    forms.set(key, text)
    return text
  }

  return {
    bindingOf: (row) => byName.get(row.type),
    isPublic: (row, viewer) => byName.get(row.type)?.public?.(row, viewer) ?? false,
    encode(row, viewer, registration, formKey, queueId) {
      try {
        const text = encode(row, viewer, registration, formKey, queueId)
        if (check && text !== undefined) checkEvent(byName.get(row.type), text)
        return text
      } catch (error) {
        if (check) throw error
        report(error instanceof Error ? error : new Error(String(error)))
        return undefined
      }
    },
  }

  function encode(
    row: LogRow,
    viewer: Viewer,
    registration: Registration,
    formKey: string,
    queueId: string,
  ): string | undefined {
    const binding = byName.get(row.type)
    if (binding === undefined) return undefined
    if (registration.eventTypes !== null && !registration.eventTypes.includes(binding.event.type)) return undefined
    if (binding.isWanted !== undefined && !binding.isWanted(row, viewer, registration)) return undefined
    if (binding.toEachClient !== undefined) {
      const fields = binding.toEachClient(row, viewer)
      return fields === undefined ? undefined : open(binding, fields)
    }
    const text = sharedPart(row, binding, viewer, formKey)
    if (text === undefined || binding.perUserFields === undefined) return text
    return `${text},${JSON.stringify(binding.perUserFields(row, viewer, queueId)).slice(1, -1)}`
  }
}

function checkEvent(binding: EventBinding | undefined, text: string): void {
  // Safe: this module has just serialized an object.
  const { type: _, op: __, ...fields } = JSON.parse(`${text}}`) as Record<string, unknown>
  const checked = binding?.event.payload.safeParse(fields)
  if (checked?.success === false) {
    throw new Error(`${eventName(binding?.event ?? { type: '?' })} is not as declared: ${checked.error.message}`)
  }
}

/** Reads the records that events refer to, one statement per kind. Each kind exceeds `mostBytes` by at most one row. */
export type RecordReader = (
  organization: OrganizationState,
  rows: readonly LogRow[],
  mostBytes?: number,
) => Promise<readonly LogRow[]>

export function createHydrator(encoder: Encoder, reads: Db): RecordReader {
  return async (organization, rows, mostBytes) => {
    const byType = new Map<string, LogRow[]>()
    for (const row of rows) {
      if (row.attached !== undefined) continue
      const group = byType.get(row.type)
      if (group === undefined) byType.set(row.type, [row])
      else group.push(row)
    }
    let end = rows.length
    for (const group of byType.values()) {
      const binding = group[0] === undefined ? undefined : encoder.bindingOf(group[0])
      const read = await binding?.hydrate?.(reads, organization, group, mostBytes)
      const missing = read === undefined ? undefined : group[read]
      if (missing !== undefined) end = Math.min(end, rows.indexOf(missing))
    }
    return end === rows.length ? rows : rows.slice(0, end)
  }
}
