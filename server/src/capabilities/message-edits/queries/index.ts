import type { OrganizationState } from '../../../kernel/projection.ts'
import type { Db, SharedTx } from '../../../kernel/transaction.ts'
import { subscribedPeriods } from '../../channels/queries/index.ts'
import { flagRowsOf } from '../../flags/queries/index.ts'
import { messagesById, wasSentTo, type StoredMessage } from '../../messages/queries/index.ts'
import { flagNames, type PersonalFacts } from '../../messages/rules/recipients.ts'
import { readersAmong } from '../../flags/queries/unread.ts'
import type { FlagGroup } from './events.ts'

/** One change of a message, as it is stored. */
export interface Edit {
  readonly position: number
  readonly user_id: number
  readonly date_edited: number
  /** Both null where the content stayed. */
  readonly prev_content: string | null
  readonly prev_rendered_content: string | null
  /** Both null where the message was not moved. */
  readonly prev_topic: string | null
  readonly topic: string | null
  /** Both null where the channel stayed. */
  readonly prev_channel_id: number | null
  readonly channel_id: number | null
}

/**
 * The changes of messages, each message's in their order: its own, and those of its topic since it is there. One change
 * may be of both kinds, content and place.
 */
const EDITS = `
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

/** The changes of each message that was changed, the oldest first. */
export async function editsOf(
  db: Db,
  organizationId: number,
  messageIds: readonly number[],
): Promise<Map<number, Edit[]>> {
  const byMessage = new Map<number, Edit[]>()
  if (messageIds.length === 0) return byMessage
  const rows = await db.rows<Edit & { id: number }>('edits_of', EDITS, [organizationId, messageIds])
  for (const { id, ...edit } of rows) {
    const known = byMessage.get(id)
    if (known === undefined) byMessage.set(id, [edit])
    else known.push(edit)
  }
  return byMessage
}

/**
 * The flags that some users have of a message, as the database has them now, with those who have the same together. There
 * are few of these, and there may be ten thousand users.
 */
export async function flagsFor(tx: SharedTx, messageId: number, userIds: readonly number[]): Promise<FlagGroup[]> {
  const message = (await messagesById(tx.db, tx.organizationId, [messageId])).get(messageId)
  if (message === undefined) throw new Error(`message ${messageId} is gone`)
  const readers = new Set(await readersAmong(tx.db, tx.organizationId, message, userIds))
  const flags = await flagRowsOf(tx.db, tx.organizationId, messageId)
  const groups = new Map<string, FlagGroup & { users: number[] }>()
  const groupOf = (facts: PersonalFacts): { users: number[] } => {
    const names = flagNames(facts, message.mentionsChannel)
    const key = names.join()
    let group = groups.get(key)
    if (group === undefined) groups.set(key, (group = { flags: names, users: [] }))
    return group
  }
  // Of those who set nothing, and whom the message does not mean, nearly all.
  const usual = [false, true].map((isRead) =>
    [false, true].map((received) => groupOf({ ...NO_FLAGS, isRead, received })),
  )
  for (const userId of userIds) {
    const received = wasSentTo(tx.organization, userId, message)
    const isRead = readers.has(userId) || !reachesStill(tx.organization, userId, message)
    const own = flags.get(userId)
    const group = own === undefined ? usual[Number(isRead)]?.[Number(received)] : groupOf({ ...own, isRead, received })
    group?.users.push(userId)
  }
  return [...groups.values()].filter(({ users }) => users.length > 0)
}

/** Whether a message was sent to a user during the present subscription, or directly: others have nothing unread of it. */
function reachesStill(
  organization: OrganizationState,
  userId: number,
  { id, channelId, memberIds }: Pick<StoredMessage, 'id' | 'channelId' | 'memberIds'>,
): boolean {
  if (channelId === null) return memberIds?.includes(userId) ?? false
  const present = subscribedPeriods(organization, userId, channelId).at(-1)
  return present !== undefined && present[1] === null && present[0] <= id
}

const NO_FLAGS = { mentioned: false, topicWildcardMentioned: false, hasAlertWord: false }
