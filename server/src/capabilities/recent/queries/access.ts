import { Refusal } from '../../../kernel/refusal.ts'
import type { Reader } from '../../../kernel/transaction.ts'
import { channelById, isOpen, subscriptionsProjection } from '../../channels/queries/index.ts'
import { readable } from '../../channels/rules/index.ts'

/** The channels of which a reader asks, by which of their messages the reader may read. */
export interface Access {
  /** Channels that the reader may read as a whole. */
  readonly open: readonly number[]
  /** Channels with protected history, of which the reader may read what was sent while subscribed. */
  readonly guarded: readonly number[]
  /** The channels of both lists that the reader has muted. */
  readonly muted: readonly number[]
}

/** The channels to which the reader is subscribed. */
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

/** One channel. @throws Refusal BAD_REQUEST where the reader may read nothing of it, as where there is none */
export function accessToOne({ organization, actor }: Reader, channelId: number): Access {
  const channel = channelById(organization, channelId)
  const part = channel === undefined ? 'none' : readable(organization, actor, channel)
  if (part === 'none') throw new Refusal('BAD_REQUEST', 'Invalid channel ID')
  return { open: part === 'all' ? [channelId] : [], guarded: part === 'all' ? [] : [channelId], muted: [] }
}
