import type { Channel } from '../channels/queries/index.ts'

export function mayBeGrouped(channel: Channel): boolean {
  return !channel.inviteOnly && !channel.isArchived && !channel.isDefault
}
