import type { Tx } from '../../../kernel/transaction.ts'
import { ATTEMPT_TIMEOUT_SECONDS, startedAttemptFields } from '../../../platform/jobs/pieces.ts'
import { unreadSql } from '../../flags/queries/unread.ts'
import { mayReadMessage, messagesById, type StoredMessage } from '../../messages/queries/index.ts'
import { activeUsersAmong } from '../../presence/queries/index.ts'
import { userById, userSetting, type UserRow } from '../../users/queries/index.ts'
import { PUSHED_CONVERSATION_LIMIT } from '../contract.ts'
import {
  duePush,
  pausedUntil,
  unreadAmong,
  type DuePush,
  pushSettingsOf,
  serverKeysOf,
  webPushProjection,
  webPushStateOf,
} from '../queries.ts'
import type { ServerKeys } from '../rules/cryptography.ts'
import { isQuietTime } from '../rules/wanted.ts'

/** Delay of pushes to online users, who may read the message in the meantime. */
const DELAY_WHILE_ONLINE_SECONDS = 5

const DEVICES_OF_USERS = `
  select s.id as "subscriptionId", s.user_id as "userId", n.id as "knownId" from push_subscriptions s
  left join push_notifications n
    on n.organization_id = s.organization_id and n.subscription_id = s.id and n.topic_id = $3
  where s.organization_id = $1 and s.user_id = any($2::bigint[]) order by s.id`

/** A scheduled retry keeps its time, because the push service does not accept an earlier push. */
const QUEUE_PUSHES = `
  insert into push_notifications as n (organization_id, id, subscription_id, topic_id, message_id, due_at)
  select $1, d.id, d.subscription_id, $2, $3, d.due_at
  from unnest($4::bigint[], $5::bigint[], $6::bigint[]) as d(id, subscription_id, due_at)
  on conflict (organization_id, subscription_id, topic_id) do update set
    message_id = greatest(n.message_id, excluded.message_id),
    due_at = case when n.due_at is null or n.begun_until > 0 then excluded.due_at
      when n.attempts > 0 then n.due_at else least(n.due_at, excluded.due_at) end`

const DELETE_OLDEST_PUSHES = `
  delete from push_notifications where organization_id = $1 and id in (
    select id from (
      select id, row_number() over (partition by subscription_id order by message_id desc) as place
      from push_notifications where organization_id = $1 and subscription_id = any($2::bigint[])) ranked
    where place > $3)`

export async function queuePushes(tx: Tx, message: StoredMessage, userIds: readonly number[]): Promise<void> {
  const { organizationId, db } = tx
  interface Device {
    readonly subscriptionId: number
    readonly userId: number
    readonly knownId: number | null
  }
  const devices = await db.rows<Device>('devices_of', DEVICES_OF_USERS, [organizationId, userIds, message.topicId])
  if (devices.length === 0) return
  const present = await activeUsersAmong(db, organizationId, userIds, tx.now)
  await db.rows('queue_pushes', QUEUE_PUSHES, [
    organizationId,
    message.topicId,
    message.id,
    devices.map(({ knownId }) => knownId ?? tx.nextId()),
    devices.map(({ subscriptionId }) => subscriptionId),
    devices.map(({ userId }) => tx.now + (present.has(userId) ? DELAY_WHILE_ONLINE_SECONDS : 0)),
  ])
  const grown = devices.filter(({ knownId }) => knownId === null).map(({ subscriptionId }) => subscriptionId)
  if (grown.length > 0) {
    await db.rows('forget_pushed', DELETE_OLDEST_PUSHES, [organizationId, grown, PUSHED_CONVERSATION_LIMIT.most])
  }
}

const WITHDRAW_READ_MESSAGES = `
  update push_notifications n set due_at = least(n.due_at, $3)
  from push_subscriptions s
  where n.organization_id = $1 and n.shown_id is not null and s.organization_id = $1 and s.id = n.subscription_id
    and s.user_id = $2 and not exists (
      select from messages m where m.organization_id = $1 and m.id = n.shown_id and ${unreadSql({ message: 'm' })})`

/** Withdraws pushed messages that a user has read or can no longer read. */
export async function queueWithdrawalsForUser(tx: Tx, userId: number): Promise<void> {
  await tx.db.rows('withdraw_read', WITHDRAW_READ_MESSAGES, [tx.organizationId, userId, tx.now])
}

const WITHDRAW_DELETED_MESSAGES = `
  update push_notifications set due_at = least(due_at, $3)
  where organization_id = $1 and shown_id = any($2::bigint[])`

export async function queueWithdrawalsOfDeleted(tx: Tx, messageIds: readonly number[]): Promise<void> {
  await tx.db.rows('withdraw_deleted', WITHDRAW_DELETED_MESSAGES, [tx.organizationId, messageIds, tx.now])
}

export type PushContent =
  | { readonly kind: 'message'; readonly message: StoredMessage; readonly showsContent: boolean }
  | { readonly kind: 'withdrawal'; readonly messageId: number }
  | { readonly kind: 'test' }

export interface StartedPush {
  readonly push: DuePush
  readonly user: UserRow
  readonly content: PushContent
  readonly serverKeys: ServerKeys
}

/** Rechecks whether to push, as messages or settings may have changed. Returns undefined if no push is needed. */
export async function beginPush(tx: Tx, id: number): Promise<StartedPush | undefined> {
  const push = await duePush(tx.db, tx.organizationId, id, tx.now)
  if (push === undefined) return undefined
  const user = userById(tx.organization, push.userId)
  const serverKeys = await serverKeysOf(tx.db, tx.organizationId)
  if (user === undefined || serverKeys === undefined) throw new Error(`push ${id} has no recipient`)
  const { content, isShown } = await choosePushContent(tx, push, user)
  const begun = startedAttemptFields(tx, push, ATTEMPT_TIMEOUT_SECONDS)
  await tx.db
    .updateTable('push_notifications')
    .set({
      ...(content === undefined ? { attempts: 0, due_at: null, begun_until: 0 } : begun),
      // Recorded in advance, so that a message read while the push is in transit is withdrawn.
      ...(content?.kind === 'message' ? { shown_id: content.message.id } : isShown ? {} : { shown_id: null }),
    })
    .where('organization_id', '=', tx.organizationId)
    .where('id', '=', id)
    .execute()
  await deletePushIfIdle(tx, push)
  return content === undefined ? undefined : { push: { ...push, attempts: begun.attempts }, user, content, serverKeys }
}

/** Chooses what to push, if anything. `isShown`: whether the device may show a message afterward. */
async function choosePushContent(
  tx: Tx,
  { topicId, messageId, shownId, attempts, userId, allowsSilent }: DuePush,
  user: UserRow,
): Promise<{ content: PushContent | undefined; isShown: boolean }> {
  if (topicId === 0) return { content: { kind: 'test' }, isShown: false }
  const unread = await unreadAmong(tx.db, tx.organizationId, userId, [messageId, shownId ?? messageId])
  const message = (await messagesById(tx.db, tx.organizationId, [messageId])).get(messageId)
  const settings = await pushSettingsOf(tx.db, tx.organizationId, userId)
  // A message that was already pushed is pushed again only if its delivery is uncertain.
  const isNew = messageId !== shownId || attempts > 0
  if (
    isNew &&
    message !== undefined &&
    unread.has(messageId) &&
    user.isActive &&
    mayReadMessage(tx.organization, { userId, role: user.role }, message) &&
    !isQuietTime(settings.quietHours, user.timezone, tx.now) &&
    (await pausedUntil(tx.db, tx.organizationId, userId)) <= tx.now &&
    !(await arePushesSuppressed(tx, user))
  ) {
    return { content: { kind: 'message', message, showsContent: settings.showsContent }, isShown: true }
  }
  const isGone = shownId !== null && !unread.has(shownId)
  const content: PushContent | undefined =
    isGone && allowsSilent ? { kind: 'withdrawal', messageId: shownId } : undefined
  return { content, isShown: content !== undefined || (shownId !== null && !isGone) }
}

async function arePushesSuppressed(tx: Tx, user: UserRow): Promise<boolean> {
  if (userSetting(user, 'enable_online_push_notifications')) return false
  return (await activeUsersAmong(tx.db, tx.organizationId, [user.id], tx.now)).has(user.id)
}

export type PushResult =
  | { readonly kind: 'arrived' }
  | { readonly kind: 'again'; readonly seconds: number }
  | { readonly kind: 'failed'; readonly reason: string }

/** Ends a push unless another server has claimed it. Keeps a due time that a newer message set during the push. */
const RECORD_PUSH_RESULT = `
  update push_notifications set begun_until = 0, attempts = $4,
    due_at = case when due_at = begun_until then $5 else due_at end,
    shown_id = case when $6 then null else shown_id end
  where organization_id = $1 and id = $2 and attempts = $3 and begun_until > 0`

const RECORD_FAILURE = `
  update push_subscriptions set failure = $3 where organization_id = $1 and id = $2 and failure is distinct from $3`

export async function recordPushResult(tx: Tx, { push, content }: StartedPush, ended: PushResult): Promise<void> {
  const { organizationId, db } = tx
  const [attempts, dueAt] = ended.kind === 'again' ? [push.attempts, tx.now + ended.seconds] : [0, null]
  const isWithdrawn = content.kind === 'withdrawal' && ended.kind !== 'again'
  await db.rows('end_push', RECORD_PUSH_RESULT, [organizationId, push.id, push.attempts, attempts, dueAt, isWithdrawn])
  await deletePushIfIdle(tx, push)
  if (ended.kind === 'again') return
  const failure = ended.kind === 'failed' ? ended.reason : null
  await db.rows('note_push_failure', RECORD_FAILURE, [organizationId, push.subscriptionId, failure])
}

export async function deletePush(tx: Tx, id: number): Promise<void> {
  const push = await duePush(tx.db, tx.organizationId, id, tx.now)
  if (push === undefined) return
  await tx.db
    .updateTable('push_notifications')
    .set({ attempts: 0, due_at: null, begun_until: 0, shown_id: null })
    .where('organization_id', '=', tx.organizationId)
    .where('id', '=', id)
    .execute()
  await deletePushIfIdle(tx, push)
}

async function deletePushIfIdle(tx: Tx, { id, userId }: DuePush): Promise<void> {
  await tx.db
    .deleteFrom('push_notifications')
    .where('organization_id', '=', tx.organizationId)
    .where('id', '=', id)
    .where('due_at', 'is', null)
    .where('shown_id', 'is', null)
    .execute()
  const state = await webPushStateOf(tx.db, tx.organizationId, userId)
  if (state.isShown !== tx.organization.of(webPushProjection).shownTo.has(userId)) tx.change(webPushProjection, state)
}
