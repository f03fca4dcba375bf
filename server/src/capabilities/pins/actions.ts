import { isBlank, isPrintable } from '../../kernel/characters.ts'
import type { Input, Output } from '../../kernel/endpoint.ts'
import { isReordering } from '../../kernel/keys.ts'
import { ApiError } from '../../kernel/refusal.ts'
import type { ActorTx, Tx } from '../../kernel/transaction.ts'
import { addAuditEntry } from '../audit-log/actions.ts'
import type { AuditChange } from '../audit-log/contract.ts'
import { describeChange } from '../audit-log/rules/described.ts'
import type { Channel } from '../channels/queries/index.ts'
import { requireNoNewcomerLinks } from '../messages/queries/newcomers.ts'
import { readableMessage, type StoredMessage } from '../messages/queries/index.ts'
import type * as contract from './contract.ts'
import {
  LINK_LIMIT,
  linkAdded,
  linkRemoved,
  linksReordered,
  linkUpdated,
  PIN_LIMIT,
  pinAdded,
  pinRemoved,
  type Link,
  type Pin,
} from './contract.ts'
import { linksOf, pinsOf } from './queries.ts'
import { isLinkUrl, mayPin, pinAudience, requirePinnableChannel } from './rules.ts'

export async function pinMessage(
  tx: ActorTx,
  { stream_id, message_id, scope }: Input<typeof contract.pinMessage>,
): Promise<Record<string, never>> {
  const channel = requirePinnableChannel(tx.organization, tx.actor, stream_id)
  const message = await requireMessageInChannel(tx, channel, message_id)
  const pins = await pinsOf(tx.db, tx.organizationId, channel.id)
  const known = pins.find((one) => one.message_id === message.id)
  if (known?.scope === scope) return {}
  if (known === undefined && pins.length >= PIN_LIMIT.most) {
    throw new ApiError('BAD_REQUEST', `A channel can have at most ${PIN_LIMIT.most} pinned messages.`)
  }
  const { topic } = message
  const pin: Pin = { pinned_by: tx.actor.userId, pinned_at: tx.now, ...known, message_id: message.id, scope, topic }
  await tx.db.rows(
    'pin_message',
    `insert into channel_pins (organization_id, message_id, channel_id, scope, pinned_by, pinned_at)
     values ($1, $2, $3, $4, $5, $6) on conflict (organization_id, message_id) do update
     set channel_id = $3, scope = $4, pinned_by = $5, pinned_at = $6`,
    [tx.organizationId, message.id, channel.id, scope, pin.pinned_by, pin.pinned_at],
  )
  tx.emit(pinAdded, { stream_id: channel.id, pin }, pinAudience(tx.organization, channel, message.id))
  await addPinAuditEntry(tx, channel, 'message_pinned', [
    ...describeMessageChange(channel, message.id),
    ...describeChange('pinned_to', undefined, scope),
  ])
  return {}
}

export async function unpinMessage(
  tx: ActorTx,
  { stream_id, message_id }: Input<typeof contract.unpinMessage>,
): Promise<Record<string, never>> {
  const channel = requirePinnableChannel(tx.organization, tx.actor, stream_id)
  const message = await requireMessageInChannel(tx, channel, message_id)
  if ((await deletePins(tx, channel, [message.id])) === 0) throw new ApiError('BAD_REQUEST', 'Message is not pinned.')
  await addPinAuditEntry(tx, channel, 'message_unpinned', describeMessageChange(channel, message.id))
  return {}
}

/** Deletes the pins of these messages, and notifies the channel's readers. Returns the number of deleted pins. */
export async function deletePins(tx: Tx, channel: Channel, messageIds: readonly number[]): Promise<number> {
  const deleted = await tx.db.rows<{ id: number }>(
    'delete_pins',
    `delete from channel_pins where organization_id = $1 and channel_id = $2 and message_id = any($3::bigint[])
     returning message_id as id`,
    [tx.organizationId, channel.id, messageIds],
  )
  for (const { id } of deleted) emitPinRemoved(tx, channel, id)
  return deleted.length
}

/**
 * Call this after the messages moved. If the actor cannot pin in the new channel, unpins all of them. If the channel
 * would have too many pins, unpins the moved messages that were pinned longest ago.
 */
export async function movePins(tx: ActorTx, from: Channel, to: Channel, messageIds: readonly number[]): Promise<void> {
  if (to.id !== from.id && !mayPin(tx.organization, tx.actor, to)) {
    await deletePins(tx, from, messageIds)
    return
  }
  const moved = await tx.db.rows<{ id: number }>(
    'pins_among',
    `select message_id as id from channel_pins
     where organization_id = $1 and channel_id = $2 and message_id = any($3::bigint[])
     order by pinned_at desc, message_id desc`,
    [tx.organizationId, from.id, messageIds],
  )
  if (moved.length === 0) return
  const ids = moved.map(({ id }) => id)
  const kept = to.id === from.id ? ids : await movePinsToChannel(tx, from, to, ids)
  for (const pin of await pinsOf(tx.db, tx.organizationId, to.id)) {
    if (!kept.includes(pin.message_id)) continue
    tx.emit(pinAdded, { stream_id: to.id, pin }, pinAudience(tx.organization, to, pin.message_id))
  }
}

/** Returns the messages that stay pinned. */
async function movePinsToChannel(tx: Tx, from: Channel, to: Channel, ids: readonly number[]): Promise<number[]> {
  const present = await pinsOf(tx.db, tx.organizationId, to.id)
  const kept = ids.slice(0, Math.max(PIN_LIMIT.most - present.length, 0))
  await tx.db.rows(
    'move_pins',
    'update channel_pins set channel_id = $2 where organization_id = $1 and message_id = any($3::bigint[])',
    [tx.organizationId, to.id, kept],
  )
  for (const id of kept) emitPinRemoved(tx, from, id)
  await deletePins(tx, from, ids.slice(kept.length))
  return kept
}

function emitPinRemoved(tx: Tx, channel: Channel, messageId: number): void {
  const payload = { stream_id: channel.id, message_id: messageId }
  tx.emit(pinRemoved, payload, pinAudience(tx.organization, channel, messageId))
}

export async function createChannelLink(
  tx: ActorTx,
  input: Input<typeof contract.createChannelLink>,
): Promise<Output<typeof contract.createChannelLink>> {
  const channel = requirePinnableChannel(tx.organization, tx.actor, input.stream_id)
  const fields = validateLink(input)
  await requireNoNewcomerLinks(tx, tx.actor, [fields.title, fields.url])
  const links = await linksOf(tx.db, tx.organizationId, channel.id)
  if (links.length >= LINK_LIMIT.most) {
    throw new ApiError('BAD_REQUEST', `A channel can have at most ${LINK_LIMIT.most} links.`)
  }
  const link: Link = { link_id: tx.nextId(), ...fields, created_by: tx.actor.userId, created_at: tx.now }
  await tx.db.rows(
    'add_channel_link',
    `insert into channel_links (organization_id, id, channel_id, position, title, url, created_by, created_at)
     select $1, $2, $3, coalesce(max(position) + 1, 0), $4, $5, $6, $7 from channel_links
     where organization_id = $1 and channel_id = $3`,
    [tx.organizationId, link.link_id, channel.id, link.title, link.url, link.created_by, link.created_at],
  )
  tx.emit(linkAdded, { stream_id: channel.id, link }, pinAudience(tx.organization, channel))
  await addPinAuditEntry(tx, channel, 'link_added', describeLinkChange(channel, undefined, link))
  return { link_id: link.link_id }
}

export async function updateChannelLink(
  tx: ActorTx,
  input: Input<typeof contract.updateChannelLink>,
): Promise<Record<string, never>> {
  const channel = requirePinnableChannel(tx.organization, tx.actor, input.stream_id)
  const known = await requireLinkInChannel(tx, channel, input.link_id)
  const link = { ...known, ...validateLink({ title: input.title ?? known.title, url: input.url ?? known.url }) }
  if (link.title === known.title && link.url === known.url) return {}
  await requireNoNewcomerLinks(tx, tx.actor, [link.title, link.url])
  await tx.db
    .updateTable('channel_links')
    .set({ title: link.title, url: link.url })
    .where('organization_id', '=', tx.organizationId)
    .where('id', '=', link.link_id)
    .execute()
  tx.emit(linkUpdated, { stream_id: channel.id, link }, pinAudience(tx.organization, channel))
  await addPinAuditEntry(tx, channel, 'link_changed', describeLinkChange(channel, known, link))
  return {}
}

export async function deleteChannelLink(
  tx: ActorTx,
  { stream_id, link_id }: Input<typeof contract.deleteChannelLink>,
): Promise<Record<string, never>> {
  const channel = requirePinnableChannel(tx.organization, tx.actor, stream_id)
  const link = await requireLinkInChannel(tx, channel, link_id)
  await tx.db
    .deleteFrom('channel_links')
    .where('organization_id', '=', tx.organizationId)
    .where('id', '=', link.link_id)
    .execute()
  tx.emit(linkRemoved, { stream_id: channel.id, link_id: link.link_id }, pinAudience(tx.organization, channel))
  await addPinAuditEntry(tx, channel, 'link_removed', describeLinkChange(channel, link, undefined))
  return {}
}

export async function reorderChannelLinks(
  tx: ActorTx,
  { stream_id, order }: Input<typeof contract.reorderChannelLinks>,
): Promise<Record<string, never>> {
  const channel = requirePinnableChannel(tx.organization, tx.actor, stream_id)
  const before = (await linksOf(tx.db, tx.organizationId, channel.id)).map(({ link_id }) => link_id)
  if (!isReordering(order, before)) {
    throw new ApiError('BAD_REQUEST', "The order must list each of the channel's links exactly once.")
  }
  if (order.every((id, index) => before[index] === id)) return {}
  await tx.db.rows(
    'order_channel_links',
    `update channel_links as l set position = wanted.position - 1
     from unnest($2::bigint[]) with ordinality as wanted (id, position)
     where l.organization_id = $1 and l.id = wanted.id`,
    [tx.organizationId, order],
  )
  tx.emit(linksReordered, { stream_id: channel.id, order }, pinAudience(tx.organization, channel))
  await addPinAuditEntry(tx, channel, 'links_ordered')
  return {}
}

/** Rejects a message of another channel with the same error as a hidden message. */
async function requireMessageInChannel(tx: ActorTx, channel: Channel, messageId: number): Promise<StoredMessage> {
  const message = await readableMessage(tx, messageId)
  if (message.channelId !== channel.id) throw new ApiError('BAD_REQUEST', 'Invalid message(s)')
  return message
}

async function requireLinkInChannel(tx: ActorTx, channel: Channel, linkId: number): Promise<Link> {
  const links = await linksOf(tx.db, tx.organizationId, channel.id)
  const link = links.find(({ link_id }) => link_id === linkId)
  if (link === undefined) throw new ApiError('BAD_REQUEST', 'Link does not exist.')
  return link
}

function validateLink(input: Pick<Link, 'title' | 'url'>): Pick<Link, 'title' | 'url'> {
  const title = input.title.trim()
  const url = input.url.trim()
  if (isBlank(title)) throw new ApiError('BAD_REQUEST', 'Title cannot be empty.')
  if (!isPrintable(title)) throw new ApiError('BAD_REQUEST', 'Invalid character in title.')
  if (!isLinkUrl(url)) throw new ApiError('BAD_REQUEST', 'Invalid URL')
  return { title, url }
}

async function addPinAuditEntry(
  tx: ActorTx,
  { id, name }: Channel,
  action: string,
  changes: AuditChange[] = [],
): Promise<void> {
  await addAuditEntry(tx, { kind: 'pins', action, target: { type: 'channel', id, name }, changes })
}

/* Administrators can read the audit log but not all private channels, so the log omits the content of these. */

function describeMessageChange(channel: Channel, messageId: number): AuditChange[] {
  return channel.inviteOnly ? [] : describeChange('message', undefined, messageId)
}

function describeLinkChange(channel: Channel, before: Link | undefined, after: Link | undefined): AuditChange[] {
  return channel.inviteOnly ? [] : describeChange('link', before && linkText(before), after ? linkText(after) : null)
}

function linkText({ title, url }: Link): string {
  return `${title}: ${url}`
}
