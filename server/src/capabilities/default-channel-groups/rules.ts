import type { Channel } from '../channels/queries/index.ts'

/** Whether a group can offer the channel: everyone can join it, and no one joins by default. */
export function mayBeGrouped(channel: Channel): boolean {
  return !channel.inviteOnly && !channel.isArchived && !channel.isDefault
}
