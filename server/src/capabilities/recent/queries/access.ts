import { Refusal } from '../../../kernel/refusal.ts'
import type { Reader } from '../../../kernel/transaction.ts'
import { channelById, isOpen, subscriptionsProjection } from '../../channels/queries/index.ts'
import { readable } from '../../channels/rules/index.ts'

export interface Access {
  readonly open: readonly number[]
  /** Channels with protected history, where the reader can read only messages sent while subscribed. */
  readonly guarded: readonly number[]
  readonly muted: readonly number[]
}

export function accessToOwn({ organization, actor }: Reader): Access {
  const mine = organization.of(subscriptionsProjection).byUser.get(actor.userId)
  const subscribed = [...(mine?.values() ?? [])].filter(isOpen).map(({ channelId, isMuted }) => {
    const channel = channelById(organization, channelId)
    return { id: channelId, isMuted, part: channel === undefined ? 'none' : readable(organization, actor, channel) }
  })
  return {
    open: subscribed.filter(({ part }) => part === 'all').map(({ id }) => id),
    guarded: subscribed.filter(({ part }) => part === 'subscribed').map(({ id }) => id),
    muted: subscribed.filter(({ isMuted }) => isMuted).map(({ id }) => id),
  }
}

/** @throws Refusal BAD_REQUEST if the channel does not exist or the reader can read no part of it */
export function accessToOne({ organization, actor }: Reader, channelId: number): Access {
  const channel = channelById(organization, channelId)
  const part = channel === undefined ? 'none' : readable(organization, actor, channel)
  if (part === 'none') throw new Refusal('BAD_REQUEST', 'Invalid channel ID')
  return { open: part === 'all' ? [channelId] : [], guarded: part === 'all' ? [] : [channelId], muted: [] }
}
