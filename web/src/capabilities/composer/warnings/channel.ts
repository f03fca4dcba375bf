import { t } from '../../../kernel/strings.ts'
import { toast } from '../../../platform/overlay/toasts.tsx'
import { reasonOf } from '../../../platform/requests.ts'
import { change, join } from '../../channels/actions.ts'
import { openChannel } from '../../channels/open.ts'
import { mayAdminister, mayJoin } from '../../channels/rights.ts'
import { channelById, subscriptionTo, type Channel } from '../../channels/state.ts'
import { coversMe } from '../../groups/state.ts'
import { holdersOf } from '../../groups/members.ts'
import type { Warning } from './warning.ts'

/** Warns if the user cannot post in the channel or will not see replies. */
export function aboutChannel(channelId: number): readonly Warning[] {
  const channel = channelById(channelId)
  if (channel === undefined) return []
  if (channel.is_archived) return [warnOfArchived(channel)]
  if (!coversMe(channel.can_send_message_group)) return [warnOfDenied(channel)]
  return subscriptionTo(channelId) === undefined ? [notSubscribed(channel)] : []
}

function warnOfArchived(channel: Channel): Warning {
  const run = (): void => {
    change(channel.stream_id, { is_archived: false }).catch((error: unknown) => toast(reasonOf(error)))
  }
  const action = mayAdminister(channel) ? { title: t().channel.unarchive, run } : undefined
  return { key: 'archived', text: t().warnings.archived, ...(action && { action }) }
}

function warnOfDenied(channel: Channel): Warning {
  const action = mayAdminister(channel)
    ? { title: t().warnings.changePermissions, run: () => openChannel(channel.stream_id, 'permissions') }
    : undefined
  const text = t().warnings.mayNotWrite(holdersOf(channel.can_send_message_group))
  return { key: 'denied', text, ...(action && { action }) }
}

function notSubscribed(channel: Channel): Warning {
  const { name } = channel
  const action = mayJoin(channel) ? { title: t().channel.join, run: () => void join(name) } : undefined
  return { key: 'stranger', text: t().warnings.notSubscribed(name), ...(action && { action }) }
}
