import type { World } from '../../../kernel/fold.ts'
import type { Member } from '../../groups/rules.ts'
import type { ChannelRecord, ListedChannel } from '../contract/index.ts'
import { presentChannel, type Channel } from '../queries.ts'
import { firstMessageFor } from '../rules.ts'
import { shownCount } from '../rules/onlookers.ts'

/** A channel as one of those who may know of it sees it. */
export function showChannel(world: World, member: Member, channel: Channel): ChannelRecord {
  const record = presentChannel(world, channel, shownCount(world, member, channel.id))
  return showsFirst(world, member, channel) ? record : withoutFirst(record)
}

/** Whether the member may read the channel's first message, or there is none. */
export function showsFirst(world: World, member: Member, channel: Channel): boolean {
  return firstMessageFor(world, member, channel) === channel.firstMessageId
}

export function withoutFirst<Record extends ListedChannel>(record: Record): Record {
  return { ...record, first_message_id: null }
}
