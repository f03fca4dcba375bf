import type { Input, Output } from '../../../kernel/endpoint.ts'
import type { OrganizationState } from '../../../kernel/projection.ts'
import { ApiError } from '../../../kernel/refusal.ts'
import type { Db, SharedTx, Reader } from '../../../kernel/transaction.ts'
import {
  areAllSubscribedSince,
  subscribedPeriods,
  subscriptionsProjection,
  wasSubscribed,
} from '../../channels/queries/index.ts'
import { personBehind } from '../../community/queries.ts'
import { flagRowsOf } from '../../flags/queries/index.ts'
import { isRecipient, mayReadMessage, messagesById, type StoredMessage } from '../../messages/queries/index.ts'
import { flagNames } from '../../messages/rules/recipients.ts'
import { readersAmong, readersOf, readersPast } from '../../flags/queries/unread.ts'
import { usersBlocking } from '../../muted-users/queries.ts'
import { settingOf } from '../../organizations/queries/index.ts'
import { userById, userSetting } from '../../users/queries/index.ts'
import { botsOf } from '../../users/rules/bots.ts'
import { canSeeUser } from '../../users/rules/visibility.ts'
import type * as contract from '../contract.ts'
import type { FlagGroup } from './events.ts'

export interface StoredEdit {
  readonly position: number
  readonly user_id: number
  readonly date_edited: number
  readonly prev_content: string | null
  readonly prev_rendered_content: string | null
  readonly prev_topic: string | null
  readonly topic: string | null
  readonly prev_channel_id: number | null
  readonly channel_id: number | null
}

/** Selects each message's edits and moves, and moves of its topic since the message was last moved on its own. */
const EDITS_OF_MESSAGES = `
  with m as materialized (
    select m.id, m.topic_id, greatest(m.id, coalesce((
      select max(e.position) from message_edits e
      where e.organization_id = $1 and e.message_id = m.id and e.topic is not null), 0)) as placed_at
    from messages m where m.organization_id = $1 and m.id = any($2::bigint[])),
  edit as (
    select m.id, e.position, e.user_id, e.date_edited, e.prev_content, e.prev_rendered_content, e.prev_topic, e.topic,
           e.prev_channel_id, e.channel_id
    from m join message_edits e on e.organization_id = $1 and e.message_id = m.id
    union all
    select m.id, t.position, t.user_id, t.date_edited, null, null, t.prev_topic, t.topic, t.prev_channel_id, t.channel_id
    from m join topic_moves t on t.organization_id = $1 and t.topic_id = m.topic_id and t.position > m.placed_at)
  select id, position, max(user_id) as user_id, max(date_edited) as date_edited, max(prev_content) as prev_content,
         max(prev_rendered_content) as prev_rendered_content, max(prev_topic) as prev_topic, max(topic) as topic,
         max(prev_channel_id) as prev_channel_id, max(channel_id) as channel_id
  from edit group by id, position order by id, position`

export async function editsOf(
  db: Db,
  organizationId: number,
  messageIds: readonly number[],
): Promise<Map<number, StoredEdit[]>> {
  const byMessage = new Map<number, StoredEdit[]>()
  if (messageIds.length === 0) return byMessage
  const rows = await db.rows<StoredEdit & { id: number }>('edits_of', EDITS_OF_MESSAGES, [organizationId, messageIds])
  for (const { id, ...edit } of rows) {
    const known = byMessage.get(id)
    if (known === undefined) byMessage.set(id, [edit])
    else known.push(edit)
  }
  return byMessage
}

export interface EventRecipients {
  readonly everybody: ReadonlySet<number>
  readonly others: readonly number[]
}

type FlaggedMessage = Pick<StoredMessage, 'id' | 'topicId' | 'channelId' | 'readerIds' | 'mentionsChannel'>

/** Groups the users whose flags differ from the most common flags. */
export async function groupUsersByFlags(
  tx: SharedTx,
  message: FlaggedMessage,
  recipients: EventRecipients,
): Promise<{ readonly usual: string[]; readonly others: FlagGroup[] }> {
  const { everybody, others } = recipients
  const marks = flagRowsOf(tx.db, tx.organizationId, message.id)
  const readers = new Set(await readersAmongRecipients(tx, message, recipients))
  const flags = await marks
  const groups = new Map<string, FlagGroup & { users: number[] }>()
  const put = (userId: number): void => {
    const received = isRecipient(tx.organization, userId, message)
    const isRead = readers.has(userId) || !receivedInCurrentSubscription(tx.organization, userId, message)
    const names = flagNames({ ...(flags.get(userId) ?? NO_MENTION_FLAGS), isRead, received }, message.mentionsChannel)
    const group = groups.get(names.join())
    if (group === undefined) groups.set(names.join(), { flags: names, users: [userId] })
    else group.users.push(userId)
  }
  for (const userId of others) put(userId)
  const known = new Set([...flags.keys(), ...readers].filter((userId) => everybody.has(userId)))
  const areAlike = message.channelId !== null && areAllSubscribedSince(tx.organization, message.channelId, message.id)
  const isMost = areAlike && everybody.size > 2 * (known.size + others.length)
  for (const userId of isMost ? known : everybody) put(userId)
  const [largest, ...smaller] = [...groups.values()].toSorted((a, b) => b.users.length - a.users.length)
  if (!isMost) return { usual: largest?.flags ?? [], others: smaller }
  const usual = flagNames({ ...NO_MENTION_FLAGS, isRead: false, received: true }, message.mentionsChannel)
  groups.delete(usual.join())
  return { usual, others: [...groups.values()] }
}

const MAX_QUERIED_USERS = 1_000

async function readersAmongRecipients(
  { db, organizationId }: SharedTx,
  message: FlaggedMessage,
  { everybody, others }: EventRecipients,
): Promise<readonly number[]> {
  return everybody.size > MAX_QUERIED_USERS
    ? readersOf(db, organizationId, message)
    : readersAmong(db, organizationId, message, [...everybody, ...others])
}

/** Whether the user received the message in their current subscription; otherwise, it cannot be unread. */
function receivedInCurrentSubscription(
  organization: OrganizationState,
  userId: number,
  { id, channelId, readerIds }: Pick<StoredMessage, 'id' | 'channelId' | 'readerIds'>,
): boolean {
  if (channelId === null) return readerIds?.includes(userId) ?? false
  const present = subscribedPeriods(organization, userId, channelId).at(-1)
  return present !== undefined && present[1] === null && present[0] <= id
}

const NO_MENTION_FLAGS = { mentioned: false, topicWildcardMentioned: false, hasAlertWord: false }

export async function getReadReceipts(
  reader: Reader,
  input: Input<typeof contract.getReadReceipts>,
): Promise<Output<typeof contract.getReadReceipts>> {
  const { organization, actor, db, organizationId } = reader
  const message = (await messagesById(db, organizationId, [input.message_id])).get(input.message_id)
  if (message === undefined || !mayReadMessage(organization, actor, message))
    throw new ApiError('BAD_REQUEST', 'Invalid message(s)')
  if (!settingOf(organization, 'enable_read_receipts')) {
    throw new ApiError('BAD_REQUEST', 'Read receipts are disabled in this organization.')
  }
  const receivers = (await originalReceivers(reader, message)).filter((userId) => {
    const user = userById(organization, userId)
    if (user?.isActive !== true || userId === message.senderId || !canSeeUser(organization, actor, user)) return false
    return userSetting(user, 'send_read_receipts')
  })
  return { user_ids: [...(await readersOrPassersBy(reader, message, receivers))] }
}

/**
 * Messages of blocked senders start as read. Those who blocked the sender before the message count as its readers once
 * they have read a later message of someone else, like people who read a conversation. Otherwise, receipts would show
 * senders that they are blocked.
 */
async function readersOrPassersBy(
  { organization, db, organizationId }: Reader,
  message: StoredMessage,
  receivers: readonly number[],
): Promise<readonly number[]> {
  const blockers = usersBlocking(organization, message.senderId)
  const isPasserBy = (userId: number): boolean =>
    userId === message.withheldFrom || message.id > (blockers.get(userId) ?? Infinity)
  const passersBy = receivers.filter(isPasserBy)
  if (passersBy.length === 0) return readersAmong(db, organizationId, message, receivers)
  const others = receivers.filter((userId) => !isPasserBy(userId))
  const [readers, passed] = await Promise.all([
    readersAmong(db, organizationId, message, others),
    readersPast(db, organizationId, message, {
      userIds: passersBy,
      accountIds: accountsOf(organization, message.senderId),
    }),
  ])
  return [...readers, ...passed].toSorted((one, other) => one - other)
}

/** Returns the account, and if a person owns it, that person with all their bots. */
function accountsOf(organization: OrganizationState, userId: number): number[] {
  const person = personBehind(organization, userId)
  return person === undefined ? [userId] : [person.id, ...botsOf(organization, person.id).map(({ id }) => id)]
}

/** Finds the users who received the message when it was sent, even if it was in another channel then. */
async function originalReceivers(
  { organization, db, organizationId }: Reader,
  message: StoredMessage,
): Promise<readonly number[]> {
  // Includes members from whom the message is withheld, because its sender must not notice.
  if (message.channelId === null) return message.memberIds ?? []
  const edits = (await editsOf(db, organizationId, [message.id])).get(message.id) ?? []
  const sentTo = edits.find((edit) => edit.prev_channel_id !== null)?.prev_channel_id ?? message.channelId
  return [...organization.of(subscriptionsProjection).byUser.keys()].filter((userId) =>
    wasSubscribed(organization, userId, sentTo, message.id),
  )
}
