import type { StatementPart } from '../part.ts'
import { follows, stillFollowing } from './follows.ts'

const STARTS_TOPIC = `case when start_counts and first_id = id then payload || '{"starts_topic": true}' else payload end`

const TO_FOLLOW = `coalesce(
    (select jsonb_build_object('to_follow', jsonb_agg(user_id order by user_id)) from later where later.n = placed.n
     having count(*) > 0), '{}')`

/** Events at positions equal to the message IDs, with follow-up work that only the statement detects. */
export const events: StatementPart = {
  name: 'events',
  given: [
    { name: 'audience', type: 'jsonb', valueOf: ({ message }) => JSON.stringify(message.audience) },
    { name: 'payload', type: 'jsonb', valueOf: ({ payload }) => JSON.stringify(payload) },
    { name: 'start_counts', type: 'boolean', valueOf: ({ startCounts }) => startCounts },
  ],
  sql(needed) {
    const mentioning = needed.has(follows) || needed.has(stillFollowing)
    const payload = mentioning ? `${STARTS_TOPIC} || ${TO_FOLLOW}` : STARTS_TOPIC
    return `
event as (
  insert into events (organization_id, position, type, ref_id, audience, payload, recorded_at)
  select $organization, id, 'message', id, audience,
    ${payload}, $now
  from placed)`
  },
}
