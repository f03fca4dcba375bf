import type { StatementPart } from '../part.ts'

/** The events of the messages, each at the position that is the message's id. */
export const events: StatementPart = {
  name: 'events',
  given: [
    { name: 'audience', type: 'jsonb', valueOf: ({ message }) => JSON.stringify(message.audience) },
    { name: 'payload', type: 'jsonb', valueOf: ({ payload }) => JSON.stringify(payload) },
  ],
  sql: () => `
event as (
  insert into events (organization_id, position, type, ref_id, audience, payload, recorded_at)
  select $organization, id, 'message', id, audience, payload, $now from placed)`,
}
