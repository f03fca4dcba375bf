import type { World } from '../../../kernel/fold.ts'
import type { Member } from '../../groups/rules.ts'
import type { ChannelRecord } from '../contract/index.ts'
import { presentChannel, type Channel } from '../queries.ts'
import { firstMessageFor } from '../rules.ts'

/** A channel as one of those who may know of it sees it. */
export function showChannel(world: World, member: Member, channel: Channel): ChannelRecord {
  return { ...presentChannel(world, channel), first_message_id: firstMessageFor(world, member, channel) }
}
