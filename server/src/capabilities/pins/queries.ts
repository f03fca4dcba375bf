import type { Input, Output } from '../../kernel/endpoint.ts'
import type { LoggedEvent } from '../../kernel/event-binding.ts'
import type { Db, Reader } from '../../kernel/transaction.ts'
import type { Viewer } from '../../kernel/viewer.ts'
import { mayReadMessage } from '../channels/rules/index.ts'
import { presentTopic } from '../channels/rules/topics.ts'
import type * as contract from './contract.ts'
import type { Link, Pin } from './contract.ts'
import { requireReadableChannel } from './rules.ts'

/** Omits pins of messages that a server of the previous version moved to another channel. */
const PINS_OF_CHANNEL = `
  select p.message_id, p.scope, coalesce(m.topic_spelling, t.name) as topic, p.pinned_by, p.pinned_at
  from channel_pins p
  join messages m on m.organization_id = $1 and m.id = p.message_id and m.channel_id = p.channel_id
  join topics t on t.organization_id = $1 and t.id = m.topic_id
  where p.organization_id = $1 and p.channel_id = $2 order by p.pinned_at desc, p.message_id desc`

const LINKS_OF_CHANNEL = `
  select id as link_id, title, url, created_by, created_at from channel_links
  where organization_id = $1 and channel_id = $2 order by position, id`

/** Includes pins of messages that the reader cannot see. */
export async function pinsOf(db: Db, organizationId: number, channelId: number): Promise<Pin[]> {
  return db.rows('channel_pins', PINS_OF_CHANNEL, [organizationId, channelId])
}

export async function linksOf(db: Db, organizationId: number, channelId: number): Promise<Link[]> {
  return db.rows('channel_links', LINKS_OF_CHANNEL, [organizationId, channelId])
}

export async function getChannelPins(
  { db, organizationId, organization, actor }: Reader,
  { stream_id: channelId, allow_empty_topic_name: emptyTopicName }: Input<typeof contract.getChannelPins>,
): Promise<Output<typeof contract.getChannelPins>> {
  requireReadableChannel(organization, actor, channelId)
  const [pins, links] = await Promise.all([
    pinsOf(db, organizationId, channelId),
    linksOf(db, organizationId, channelId),
  ])
  return {
    pins: pins
      .filter(({ message_id: id }) => mayReadMessage(organization, actor, { id, channelId, readerIds: null }))
      .map((pin) => presentPin(pin, emptyTopicName)),
    links,
  }
}

export function pinToClient(
  { payload: { stream_id, pin } }: LoggedEvent<{ stream_id: number; pin: Pin }>,
  { form }: Viewer,
): Record<string, unknown> {
  return { stream_id, pin: presentPin(pin, form.capabilities.empty_topic_name) }
}

function presentPin(pin: Pin, emptyTopicName: boolean): Pin {
  return { ...pin, topic: presentTopic(pin.topic, emptyTopicName) }
}
