import type { OrganizationState } from '../../../../../kernel/projection.ts'
import { knownUser } from '../../../../users/rules/index.ts'
import { mayStartConversation } from '../../../rules/index.ts'
import type { OutgoingMessage } from '../outgoing.ts'
import type { StatementPart } from '../part.ts'
import { followsPart, followChecksPart } from './follows.ts'
import { sendKeysPart, retriesPart } from './retries.ts'

const PAYLOAD_WITH_TOPIC_START_SQL = `case when start_counts and first_id = id then payload || '{"starts_topic": true}' else payload end`

const FOLLOWERS_FOR_CONSUMER = `coalesce(
    (select jsonb_build_object('to_follow', jsonb_agg(user_id order by user_id)) from later where later.n = placed.n
     having count(*) > 0), '{}')`

export const eventsPart: StatementPart = {
  name: 'events',
  given: [
    { name: 'audience', type: 'jsonb', valueOf: ({ message }) => JSON.stringify(message.audience) },
    { name: 'payload', type: 'jsonb', valueOf: ({ payload }) => JSON.stringify(payload) },
    { name: 'start_counts', type: 'boolean', valueOf: ({ startCounts }) => startCounts },
  ],
  sql(needed) {
    const mentioning = needed.has(followsPart) || needed.has(followChecksPart)
    const payload = mentioning
      ? `${PAYLOAD_WITH_TOPIC_START_SQL} || ${FOLLOWERS_FOR_CONSUMER}`
      : PAYLOAD_WITH_TOPIC_START_SQL
    return `
event as (
  insert into events (organization_id, position, type, ref_id, audience, payload, recorded_at)
  select $organization, id, 'message', id, audience,
    ${payload}, $now
  from placed)`
  },
}

/** Does not send a message that would start a conversation if the sender is only allowed to reply. */
export const replyChecksPart: StatementPart = {
  name: 'answers',
  isNeeded: ({ organization, inserts }) => inserts.some(({ message }) => mayOnlyReply(organization, message)),
  given: [
    {
      name: 'is_answer',
      type: 'boolean',
      valueOf: ({ message }, { organization }) => mayOnlyReply(organization, message),
    },
  ],
  leavesOut: {
    relation: 'unanswerable',
    sql: (needed) => `
unanswerable as materialized (
  select given.n from given where given.is_answer
  and not exists (
    select from messages m where m.organization_id = $organization and m.topic_id = given.conversation_topic_id
    and m.withheld_from is distinct from given.sender_id)${[retriesPart, sendKeysPart]
      .filter((part) => needed.has(part))
      .map(
        ({ leavesOut: { relation } }) => `\n  and not exists (select from ${relation} where ${relation}.n = given.n)`,
      )
      .join('')})`,
  },
  answers: [{ what: 'not begun', columns: { n: 'n', base: 'base' }, from: 'unanswerable cross join lock' }],
  results(rows, _, { outcomes }) {
    for (const { what, n } of rows) if (what === 'not begun') outcomes.set(n, 'not begun')
  },
}

function mayOnlyReply(organization: OrganizationState, { senderId, conversation }: OutgoingMessage): boolean {
  if (conversation === null) return false
  return !mayStartConversation(
    organization,
    { userId: senderId, role: knownUser(organization, senderId).role },
    conversation.memberIds,
  )
}
