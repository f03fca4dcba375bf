import type { Job } from '../../platform/jobs/jobs.ts'
import { channelById, isCurrentSubscription, subscriptionsProjection } from '../channels/queries/index.ts'
import { queueMail } from '../mail/actions/index.ts'
import type { OrganizationState } from '../../kernel/projection.ts'
import { userById } from '../users/queries/index.ts'
import { startDigestWeek, claimDigestReader, wantsDigest, digestMail } from './actions.ts'
import { busyTopics, dueDigestReaders, dueDigestWeeks, lastDigestWeek } from './queries.ts'

const POLL_INTERVAL_SECONDS = 600

export const startDigestWeeks: Job = {
  name: 'beginDigests',
  everySeconds: POLL_INTERVAL_SECONDS,
  due: dueDigestWeeks,
  run: async ({ log, server }) => {
    if (server.mailer.isConfigured) await log.write(startDigestWeek)
  },
}

/** One transaction writes a person's digest and removes the person from `digest_readers`. */
export const writeDigests: Job = {
  name: 'writeDigests',
  everySeconds: 5,
  due: dueDigestReaders,
  async run({ log, reads, server }, userId) {
    await log.follower.catchUp()
    const { organization } = log
    const week = await lastDigestWeek(reads, organization.id)
    const topics =
      week === undefined
        ? []
        : await busyTopics(reads, organization.id, userId, digestChannelsOf(organization, userId), week)
    await log.write(async (tx) => {
      if (!(await claimDigestReader(tx, userId))) return
      const user = userById(tx.organization, userId)
      const mine = digestChannelsOf(tx.organization, userId)
      const shown = topics.filter(({ channelId }) => mine.some((own) => own.channelId === channelId))
      if (
        user === undefined ||
        !wantsDigest(tx.organization, user) ||
        shown.length === 0 ||
        !server.mailer.isConfigured
      )
        return
      await queueMail(tx, digestMail(tx.organization, server, user, shown))
    })
  },
  // Drops a digest that keeps failing, because it would block all other digests.
  giveUp: async ({ log }, userId) => {
    await log.write(async (tx) => claimDigestReader(tx, userId))
  },
}

function digestChannelsOf(organization: OrganizationState, userId: number): { channelId: number; start: number }[] {
  const mine = organization.of(subscriptionsProjection).byUser.get(userId)?.values() ?? []
  return [...mine]
    .filter(
      (one) =>
        isCurrentSubscription(one) && !one.isMuted && channelById(organization, one.channelId)?.isArchived === false,
    )
    .map(({ channelId, periods }) => ({ channelId, start: periods.at(-1)?.[0] ?? 0 }))
}
