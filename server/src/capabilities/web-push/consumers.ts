import type { OrganizationState } from '../../kernel/projection.ts'
import type { Tx } from '../../kernel/transaction.ts'
import { eventName } from '../../kernel/event.ts'
import type { ConsumedEvent, Consumer } from '../../platform/consumers/consumer.ts'
import { flagsAdded } from '../flags/contract.ts'
import { messagesDeleted } from '../message-edits/contract.ts'
import { messageSent } from '../messages/contract/index.ts'
import { pairEventsWithMessages, type StoredMessage } from '../messages/queries/index.ts'
import { VISIBILITY } from '../user-topics/contract.ts'
import { policiesAmong } from '../user-topics/queries.ts'
import { queuePushes, queueWithdrawalsForUser, queueWithdrawalsOfDeleted } from './actions/pushes.ts'
import { webPushProjection } from './queries.ts'
import { pushCandidates, wantsPush } from './rules/wanted.ts'

export const queuePushesOfMessages: Consumer = {
  name: 'notePushes',
  events: [messageSent],
  isNeeded: (organization, event) => pushCandidates(organization, event).length > 0,
  async run(tx, events) {
    for (const [event, message] of await pairEventsWithMessages(tx, events)) await queueForMessage(tx, event, message)
  },
}

async function queueForMessage(tx: Tx, event: ConsumedEvent, message: StoredMessage): Promise<void> {
  const reached = pushCandidates(tx.organization, event)
  const { channelId, topic } = message
  const policies =
    channelId === null
      ? new Map<number, never>()
      : await policiesAmong(tx.db, tx.organizationId, { channelId, topic }, reached)
  const sent = { ...message, payload: event.payload }
  const wanting = reached.filter((userId) =>
    wantsPush(tx.organization, userId, sent, policies.get(userId) ?? VISIBILITY.none),
  )
  if (wanting.length > 0) await queuePushes(tx, message, wanting)
}

export const queueWithdrawalsOfMessages: Consumer = {
  name: 'noteWithdrawals',
  events: [flagsAdded, messagesDeleted],
  isNeeded: (organization, event) =>
    readersIn(organization, event).length > 0 || deletedMessageIds(organization, event).length > 0,
  async run(tx, events) {
    const readers = new Set(events.flatMap((event) => readersIn(tx.organization, event)))
    for (const userId of readers) await queueWithdrawalsForUser(tx, userId)
    const deleted = events.flatMap((event) => deletedMessageIds(tx.organization, event))
    if (deleted.length > 0) await queueWithdrawalsOfDeleted(tx, deleted)
  },
}

const DELETION_EVENT = eventName(messagesDeleted)

const NO_IDS: readonly number[] = []

function readersIn(organization: OrganizationState, { type, audience, payload }: ConsumedEvent): readonly number[] {
  const { shownTo } = organization.of(webPushProjection)
  if (shownTo.size === 0 || type === DELETION_EVENT || payload['flag'] !== 'read') return NO_IDS
  return audience.users?.filter((userId) => shownTo.has(userId)) ?? NO_IDS
}

function deletedMessageIds(organization: OrganizationState, { type, payload }: ConsumedEvent): readonly number[] {
  if (type !== DELETION_EVENT || organization.of(webPushProjection).shownTo.size === 0) return NO_IDS
  // Safe: this is the event's declared payload. If a deletion sends several events, the first lists all IDs.
  return (payload as { message_ids?: readonly number[] }).message_ids ?? NO_IDS
}
