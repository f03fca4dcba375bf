import * as contract from '@parley/server/contract'
import { eventName, type ClientOptions, type ClientState, type EventDeclaration } from '@parley/server/kernel/event'

/** Every event of every capability's contract, by `type` or `type/op`. */
const declarations = new Map<string, EventDeclaration>()
for (const capability of Object.values(contract)) {
  for (const exported of Object.values(capability)) {
    if (isEvent(exported)) declarations.set(eventName(exported), exported)
  }
}

function isEvent(value: unknown): value is EventDeclaration {
  return typeof value === 'object' && value !== null && 'apply' in value && 'payload' in value
}

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
  contract.users.deriveOwnPermissions(state)
  if (declaration === contract.channels.subscriptionRemoved) {
    // As above.
    contract.messages.forgetLeftChannels(state, fields['subscriptions'] as { stream_id: number }[])
  }
}
