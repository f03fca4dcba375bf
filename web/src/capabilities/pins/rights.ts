import { store } from '../../platform/client.ts'
import { mayAdminister, mayRead } from '../channels/rights.ts'
import { channelById } from '../channels/state.ts'
import { coversCurrentUser } from '../groups/state.ts'
import { maySendTo } from '../message-edits/rules.ts'

/** Whether the user can change the channel's pins and links. Mirrors the server's rule. */
export function mayPinIn(channelId: number): boolean {
  const channel = channelById(channelId)
  if (channel === undefined || channel.is_archived || !mayRead(channel)) return false
  if (mayAdminister(channel)) return true
  return coversCurrentUser(store().read('realm_can_pin_messages_group')) && maySendTo(channel)
}
