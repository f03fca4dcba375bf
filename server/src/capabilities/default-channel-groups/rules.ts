import type { Channel } from '../channels/queries/index.ts'

/** Whether new people can be offered the channel in a group: they may all join it, and have not joined it as a default. */
export function mayBeGrouped(channel: Channel): boolean {
  return !channel.inviteOnly && !channel.isArchived && !channel.isDefault
}
