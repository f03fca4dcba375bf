import { channels, flags, messages, users } from '@parley/server/contract'
import { eventName } from '@parley/server/kernel/event'
import { events } from './events.ts'
import type { ClientOptions, ClientState, EventDeclaration, PayloadOf } from './types.ts'

const declarations = new Map(events.map((declaration) => [eventName(declaration), declaration]))

/** Fields that affect the number of unread messages. */
const UNREAD_FIELDS = new Set(['unread_msgs', 'subscriptions', 'user_topics'])

/** An event in the format of `GET /events`. */
export interface ApiEvent {
  readonly id: number
  readonly type: string
  readonly op?: string
  readonly [field: string]: unknown
}

/** Whether an event matches a declaration. Newer servers may add fields and values, which callers must ignore. */
export function isEvent<D extends EventDeclaration>(
  event: ApiEvent,
  { type, op }: D,
): event is ApiEvent & PayloadOf<D> {
  return event.type === type && event.op === op
}

/**
 * Applies an event to the state from the register response. Ignores unknown event types. The state takes ownership of
 * the event's objects: do not change them or apply them to another state.
 * @returns the names of all fields that may have changed
 */
export function fold(state: ClientState, event: ApiEvent, client: ClientOptions): readonly string[] {
  const { id: _, type, op, ...fields } = event
  const declaration = declarations.get(op === undefined ? type : `${type}/${op}`)
  if (declaration === undefined) return []
  // Safe: the server sends the declared shape.
  declaration.apply(state, fields, client)
  const touched = [...declaration.touches, ...(declaration.touchesNamed?.(fields) ?? [])]
  if (isEvent(event, channels.subscriptionRemoved)) {
    messages.removeUnreadInLeftChannels(state, event.subscriptions)
    touched.push('unread_conversations')
  }
  if (touched.some((field) => UNREAD_FIELDS.has(field))) {
    flags.recountUnread(state)
    touched.push('unread_msgs')
  }
  if (touched.some((field) => users.OWN_PERMISSION_SOURCES.has(field))) {
    users.deriveOwnPermissions(state)
    touched.push(...users.OWN_PERMISSION_FIELDS)
  }
  return touched
}
