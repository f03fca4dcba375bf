import { ROLE } from '../../kernel/actor.ts'
import type { Output } from '../../kernel/endpoint.ts'
import type { OrganizationState } from '../../kernel/projection.ts'
import { ApiError } from '../../kernel/refusal.ts'
import type { Db, Reader } from '../../kernel/transaction.ts'
import type { Viewer } from '../../kernel/viewer.ts'
import type { Member } from '../groups/rules.ts'
import { settingOf } from '../organizations/queries/index.ts'
import { requireModerator } from '../users/rules/index.ts'
import type * as contract from './contract.ts'
import type { HeldMessage } from './contract.ts'
import { mayReview } from './rules.ts'

export interface StoredHeldMessage extends HeldMessage {
  /** Account that the message is sent from; another than the author only for email. */
  readonly sender_id: number
  readonly client: string
  readonly widget: string | null
  readonly send_key: string | null
  readonly request_digest: string | null
  readonly is_scoped: boolean
}

const COLUMNS = `
  id as held_message_id, author_id, sender_id, channel_id as stream_id, topic, content, widget, client,
  send_key, request_digest, held_at, is_scoped`

const OWN_HELD_MESSAGES = `
  select ${COLUMNS} from held_messages where organization_id = $1 and author_id = $2 order by id`

const HELD_MESSAGE_BY_ID = `select ${COLUMNS} from held_messages where organization_id = $1 and id = $2`

const MAX_QUEUE_LENGTH = 1_000

const HELD_MESSAGE_QUEUE = `
  select ${COLUMNS} from held_messages where organization_id = $1 and id > $2 order by id limit ${MAX_QUEUE_LENGTH}`

export function presentHeldMessage(stored: StoredHeldMessage): HeldMessage {
  const { held_message_id, author_id, stream_id, topic, content, held_at } = stored
  return { held_message_id, author_id, stream_id, topic, content, held_at }
}

export async function heldMessagesOf(db: Db, organizationId: number, userId: number): Promise<HeldMessage[]> {
  const stored = await db.rows<StoredHeldMessage>('held_messages', OWN_HELD_MESSAGES, [organizationId, userId])
  return stored.map(presentHeldMessage)
}

export async function heldMessageById(
  db: Db,
  organizationId: number,
  id: number,
): Promise<StoredHeldMessage | undefined> {
  const [stored] = await db.rows<StoredHeldMessage>('held_message', HELD_MESSAGE_BY_ID, [organizationId, id])
  return stored
}

export async function getHeldMessages({
  db,
  organizationId,
  actor,
}: Reader): Promise<Output<typeof contract.getHeldMessages>> {
  return { held_messages: await heldMessagesOf(db, organizationId, actor.userId) }
}

export async function heldMessagesSnapshot(
  db: Db,
  { organization, userId, form }: Viewer,
): Promise<Record<string, unknown>> {
  return form.capabilities.held_messages ? { held_messages: await heldMessagesOf(db, organization.id, userId) } : {}
}

export async function getHeldMessageQueue({
  db,
  organizationId,
  organization,
  actor,
}: Reader): Promise<Output<typeof contract.getHeldMessageQueue>> {
  requireModerator(actor)
  const visible: StoredHeldMessage[] = []
  let last: number | undefined = 0
  while (last !== undefined && visible.length < MAX_QUEUE_LENGTH) {
    const read: readonly StoredHeldMessage[] = await db.rows('held_message_queue', HELD_MESSAGE_QUEUE, [
      organizationId,
      last,
    ])
    visible.push(...read.filter((one) => mayReview(organization, actor, one)))
    last = read.length < MAX_QUEUE_LENGTH ? undefined : read.at(-1)?.held_message_id
  }
  return {
    held_messages: visible.slice(0, MAX_QUEUE_LENGTH).map(presentHeldMessage),
    patterns: settingOf(organization, 'held_message_patterns'),
  }
}

const CHANNELS_OF_HELD_FILE = `
  select distinct channel_id as stream_id from held_messages
  where organization_id = $1 and author_id = $2 and not is_scoped
  and position(split_part($3::text, '/', 3) in content) > 0`

/** Whether the member reviews a message whose author uploaded the file and links to it. */
export async function mayReviewFile(
  db: Db,
  organization: OrganizationState,
  member: Member,
  { ownerId, pathId }: { readonly ownerId: number; readonly pathId: string },
): Promise<boolean> {
  if (member.role > ROLE.moderator) return false
  const channels = await db.rows<{ stream_id: number }>('channels_of_held_file', CHANNELS_OF_HELD_FILE, [
    organization.id,
    ownerId,
    pathId,
  ])
  return channels.some((channel) => mayReview(organization, member, channel))
}

/** Hidden messages get the same error as missing ones. @throws ApiError BAD_REQUEST */
export async function requireReviewable(
  { db, organizationId, organization, actor }: Pick<Reader, 'db' | 'organizationId' | 'organization' | 'actor'>,
  id: number,
): Promise<StoredHeldMessage> {
  requireModerator(actor)
  const stored = await heldMessageById(db, organizationId, id)
  if (stored === undefined || !mayReview(organization, actor, stored)) throw noSuchHeldMessageError()
  return stored
}

export function noSuchHeldMessageError(): ApiError {
  return new ApiError('BAD_REQUEST', 'This message no longer waits for review.')
}
