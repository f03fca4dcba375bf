import { channels, messages, users } from '@parley/server/contract'
import { eventName, type ClientOptions, type ClientState } from '@parley/server/kernel/event'
import { events } from './events.ts'

const declarations = new Map(events.map((declaration) => [eventName(declaration), declaration]))

/** An event as `GET /events` gives it. */
export interface ApiEvent {
  readonly id: number
  readonly type: string
  readonly op?: string
  readonly [field: string]: unknown
}

/**
 * Applies an event to the state that the register response began. Events of a type this client does not know change
 * nothing.
 */
export function fold(state: ClientState, event: ApiEvent, client: ClientOptions): void {
  const { id: _, type, op, ...fields } = event
  const declaration = declarations.get(op === undefined ? type : `${type}/${op}`)
  // As the server declares it.
  declaration?.apply(state, structuredClone(fields), client)
  users.deriveOwnPermissions(state)
  if (declaration === channels.subscriptionRemoved) {
    // As above.
    messages.forgetLeftChannels(state, fields['subscriptions'] as { stream_id: number }[])
  }
}
