import type { OrganizationState } from '../../../../../kernel/projection.ts'
import { takeTurnsSql, turnFor, type Turn } from '../../../../community/queries.ts'
import type { MessageInsert } from '../outgoing.ts'
import type { ResultRow, SendBatch, StatementPart } from '../part.ts'
import { sendKeysPart, retriesPart } from './retries.ts'

const turnOf = ({ message }: MessageInsert, organization: OrganizationState): Turn | undefined =>
  turnFor(organization, message.senderId, message.channelId, message.topic)

interface TooSoonRow extends ResultRow {
  /** When the sender can send again, in the column of message IDs. */
  readonly id: number
}

const valueOfTurn =
  <Name extends keyof Turn>(name: Name) =>
  (insert: MessageInsert, { organization }: SendBatch) =>
    turnOf(insert, organization)?.[name] ?? null

/** Does not send messages whose senders have to wait; of several in one batch, sends the first. */
export const slowModePart: StatementPart = {
  name: 'slow',
  isNeeded: ({ organization, inserts }) => inserts.some((insert) => turnOf(insert, organization) !== undefined),
  given: [
    { name: 'slow_place', type: 'text', valueOf: valueOfTurn('place') },
    { name: 'slow_user', type: 'bigint', valueOf: valueOfTurn('userId') },
    { name: 'slow_seconds', type: 'bigint', valueOf: valueOfTurn('seconds') },
  ],
  leavesOut: {
    relation: 'too_soon',
    sql: (needed) => `
slow as materialized (
  select given.n, channel_id, slow_place as place, slow_user as user_id, slow_seconds::int as seconds,
    row_number() over (partition by channel_id, slow_place, slow_user order by given.n) as attempt
  from lock cross join given where slow_seconds is not null${[retriesPart, sendKeysPart]
    .filter((part) => needed.has(part))
    .map(({ leavesOut: { relation } }) => `\n  and not exists (select from ${relation} where ${relation}.n = given.n)`)
    .join('')}),
first_attempt as materialized (select * from slow where attempt = 1),
${takeTurnsSql({ turns: 'first_attempt' }).trim()},
too_soon as materialized (
  select slow.n, turn.sent_at + slow.seconds as free_at
  from slow join turn using (channel_id, place, user_id) where attempt > 1 or refusals > 0)`,
  },
  answers: [{ what: 'too soon', columns: { n: 'n', base: 'base', id: 'free_at' }, from: 'too_soon cross join lock' }],
  results(rows, { now }, { outcomes }) {
    for (const row of rows.filter((one): one is TooSoonRow => one.what === 'too soon')) {
      outcomes.set(row.n, { waitSeconds: row.id - now })
    }
  },
}
