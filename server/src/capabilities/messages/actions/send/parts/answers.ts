import type { OrganizationState } from '../../../../../kernel/projection.ts'
import { knownUser } from '../../../../users/rules/index.ts'
import { mayBegin } from '../../../rules/index.ts'
import type { OutgoingMessage } from '../outgoing.ts'
import type { StatementPart } from '../part.ts'
import { keys, retries } from './retries.ts'

/** Skips messages in empty conversations that the sender cannot start. */
export const answers: StatementPart = {
  name: 'answers',
  isNeeded: ({ organization, inserts }) => inserts.some(({ message }) => isAnswer(organization, message)),
  given: [
    { name: 'is_answer', type: 'boolean', valueOf: ({ message }, { organization }) => isAnswer(organization, message) },
  ],
  leavesOut: {
    relation: 'unanswerable',
    sql: (needed) => `
unanswerable as materialized (
  select given.n from given where given.is_answer
  and not exists (
    select from messages m where m.organization_id = $organization and m.topic_id = given.conversation_topic_id)${[
      retries,
      keys,
    ]
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

function isAnswer(organization: OrganizationState, { senderId, conversation }: OutgoingMessage): boolean {
  if (conversation === null) return false
  return !mayBegin(
    organization,
    { userId: senderId, role: knownUser(organization, senderId).role },
    conversation.memberIds,
  )
}
