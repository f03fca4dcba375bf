import type { OrganizationState } from '../../../kernel/projection.ts'
import type { Db, SharedTx } from '../../../kernel/transaction.ts'
import type { EventBinding, LoggedEvent } from '../../../kernel/event-binding.ts'
import type { MessageWithPlace } from '../../channels/rules/index.ts'
import { viewingMember } from '../../users/rules/visibility.ts'
import { type Submessage, submessageAdded } from '../contract/index.ts'
import { directReadersSql, mayReadMessage } from './index.ts'

const SUBMESSAGE_COLUMNS = 's.id, s.message_id, s.sender_id, s.msg_type, s.content'

export async function submessagesOf(
  db: Db,
  organizationId: number,
  messageIds: readonly number[],
): Promise<Map<number, Submessage[]>> {
  const byMessage = new Map<number, Submessage[]>()
  if (messageIds.length === 0) return byMessage
  const rows = await db.rows<Submessage>(
    'submessages_of',
    `select ${SUBMESSAGE_COLUMNS} from submessages s
     where s.organization_id = $1 and s.message_id = any($2::bigint[]) order by s.message_id, s.id`,
    [organizationId, messageIds],
  )
  for (const row of rows) {
    const known = byMessage.get(row.message_id)
    if (known === undefined) byMessage.set(row.message_id, [row])
    else known.push(row)
  }
  return byMessage
}

export async function isWidget(tx: SharedTx, messageId: number): Promise<boolean> {
  const sentWith = await tx.db.rows(
    'is_widget',
    'select from submessages where organization_id = $1 and message_id = $2 and id = $2',
    [tx.organizationId, messageId],
  )
  return sentWith.length > 0
}

type PlacedSubmessage = Submessage & Pick<MessageWithPlace, 'channelId' | 'readerIds'>

async function attachSubmessages(
  db: Db,
  { id: organizationId }: OrganizationState,
  events: readonly { refId: number | null; attached?: unknown }[],
): Promise<number> {
  const rows = await db.rows<PlacedSubmessage>(
    'submessages_by_id',
    `select ${SUBMESSAGE_COLUMNS}, m.channel_id as "channelId", ${directReadersSql({ message: 'm', conversation: 'c' })} as "readerIds"
     from submessages s join messages m on m.organization_id = $1 and m.id = s.message_id
     left join conversations c on m.channel_id is null and c.organization_id = $1 and c.topic_id = m.topic_id
     where s.organization_id = $1 and s.id = any($2::bigint[])`,
    [organizationId, events.map(({ refId }) => refId)],
  )
  const byId = new Map(rows.map((row) => [row.id, row]))
  for (const event of events) event.attached = byId.get(event.refId ?? 0)
  return events.length
}

export const submessageBinding: EventBinding = {
  event: submessageAdded,
  administration: false,
  hydrate: attachSubmessages,
  // A viewer who reads the event late may have lost access to the channel. Deleted submessages are not shown.
  isWanted: (event, viewer) => {
    const added = attachedSubmessage(event)
    return (
      added !== undefined &&
      mayReadMessage(viewer.organization, viewingMember(viewer), { ...added, id: added.message_id })
    )
  },
  toClient: (event) => {
    const added = attachedSubmessage(event)
    if (added === undefined) return undefined
    const { id, channelId: _, readerIds: __, ...shown } = added
    return { ...shown, submessage_id: id }
  },
}

function attachedSubmessage(event: LoggedEvent): PlacedSubmessage | undefined {
  // Safe: `attachSubmessages` attached this value.
  return event.attached as PlacedSubmessage | undefined
}
