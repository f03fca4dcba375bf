import { sharedLists } from '../../../kernel/shared-lists.ts'
import type { SharedTx, Tx } from '../../../kernel/transaction.ts'
import type { Conversation } from '../../messages/contract/index.ts'
import type { Recipients } from '../../messages/rules/recipients.ts'
import * as contract from '../contract.ts'

export async function rewriteRecipientFlags(
  tx: SharedTx,
  messageId: number,
  reach: Recipients,
): Promise<ReadonlySet<number>> {
  const { mentioned, topicMentioned, alerted } = reach
  const meant = [...new Set([...mentioned, ...topicMentioned, ...alerted])]
  const values = [tx.organizationId, messageId, meant, mentioned, topicMentioned, alerted]
  const rows = await tx.db.rows<{ userId: number }>('rewrite_recipients', REWRITE_RECIPIENTS, values)
  return new Set(rows.map(({ userId }) => userId))
}

const REWRITE_RECIPIENTS = `
  with former as (
    select user_id, mentioned or topic_wildcard_mentioned as was_mentioned, starred or collapsed as is_kept
    from message_flags where organization_id = $1 and message_id = $2),
  cleared as (
    update message_flags f set mentioned = false, topic_wildcard_mentioned = false, has_alert_word = false
    from former where f.organization_id = $1 and f.message_id = $2 and f.user_id = former.user_id
    and former.is_kept and former.user_id <> all($3::bigint[])),
  deleted as (
    delete from message_flags f using former
    where f.organization_id = $1 and f.message_id = $2 and f.user_id = former.user_id
    and not former.is_kept and former.user_id <> all($3::bigint[])),
  written as (
    insert into message_flags
      (organization_id, user_id, message_id, mentioned, topic_wildcard_mentioned, has_alert_word)
    select $1, meant.user_id, $2, meant.user_id = any($4::bigint[]), meant.user_id = any($5::bigint[]),
           meant.user_id = any($6::bigint[])
    from unnest($3::bigint[]) as meant(user_id)
    on conflict (organization_id, user_id, message_id) do update set mentioned = excluded.mentioned,
      topic_wildcard_mentioned = excluded.topic_wildcard_mentioned, has_alert_word = excluded.has_alert_word)
  select user_id as "userId" from former where was_mentioned`

export interface UserMessageFlags {
  readonly user_id: number
  readonly message_id: number
  readonly starred: boolean
}

export async function flagsOnMessages(tx: Tx, messageIds: readonly number[]): Promise<UserMessageFlags[]> {
  return tx.db.rows<UserMessageFlags>(
    'flags_on',
    `select user_id, message_id, starred from message_flags
     where organization_id = $1 and message_id = any($2::bigint[]) order by message_id`,
    [tx.organizationId, messageIds],
  )
}

/** `notified`: users who learn from another event that they lost access to the messages. */
export async function deleteFlags(
  tx: Tx,
  lost: readonly UserMessageFlags[],
  notified: ReadonlySet<number>,
): Promise<void> {
  if (lost.length === 0) return
  await tx.db.rows(
    'delete_flags',
    `delete from message_flags f using unnest($2::bigint[], $3::bigint[]) as lost(user_id, message_id)
     where f.organization_id = $1 and f.user_id = lost.user_id and f.message_id = lost.message_id`,
    [tx.organizationId, lost.map((row) => row.user_id), lost.map((row) => row.message_id)],
  )
  const unstarred = new Map<number, number[]>()
  for (const row of lost) {
    if (!row.starred || notified.has(row.user_id)) continue
    unstarred.set(row.user_id, [...(unstarred.get(row.user_id) ?? []), row.message_id])
  }
  for (const [userId, messages] of unstarred) {
    tx.emit(contract.flagsRemoved, { operation: 'remove', flag: 'starred', messages, all: false }, { users: [userId] })
  }
}

export function emitMessagesRead(tx: Tx, byUser: ReadonlyMap<number, readonly number[]>, place: Conversation): void {
  for (const { messageIds, userIds: users } of sharedLists(byUser)) {
    const messages = [...messageIds]
    const conversations = [{ ...place, message_ids: messages }]
    tx.emit(contract.flagsAdded, { operation: 'add', flag: 'read', messages, all: false, conversations }, { users })
  }
}
