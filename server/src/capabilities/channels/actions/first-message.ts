import type { Audience } from '../../../kernel/audience.ts'
import type { Tx } from '../../../kernel/transaction.ts'
import { channelUpdated } from '../contract/index.ts'
import type { Channel } from '../queries/index.ts'
import { channelAudience, firstMessageFor } from '../rules/index.ts'
import type { Member } from '../../groups/rules.ts'

export interface FirstMessageChange {
  readonly userId: number
  readonly before: number | null
  readonly after: number | null
}

export function emitFirstMessage(
  tx: Tx,
  channel: Channel,
  known: readonly FirstMessageChange[],
  clients: Pick<Audience, 'clients'>,
): void {
  const changed = known.filter(({ before, after }) => before !== after)
  for (const value of new Set(changed.map(({ after }) => after))) {
    const users = changed.filter(({ after }) => after === value).map(({ userId }) => userId)
    tx.emit(channelUpdated, firstMessageUpdate(channel, value), { users, ...clients })
  }
}

/** `members` could see the channel before and still can. `gained` see it only now, and get the ID in another event. */
export function emitFirstMessages(
  tx: Tx,
  before: Channel,
  after: Channel,
  members: readonly Member[],
  gained: readonly number[],
  clients: Pick<Audience, 'clients'>,
): void {
  const known = members.map((member): FirstMessageChange => ({
    userId: member.userId,
    before: firstMessageFor(tx.organization, member, before),
    after: firstMessageFor(tx.organization, member, after),
  }))
  const value = after.firstMessageId
  if (before.firstMessageId === value) {
    emitFirstMessage(tx, after, known, clients)
    return
  }
  const [others, rest] = [known.filter(isOther), known.filter((one) => !isOther(one))]
  const unchanged = rest.filter((one) => one.before === one.after)
  const except = [...gained, ...[...others, ...unchanged].map(({ userId }) => userId)]
  tx.emit(channelUpdated, firstMessageUpdate(after, value), {
    ...channelAudience(tx.organization, after),
    except,
    ...clients,
  })
  emitFirstMessage(tx, after, others, clients)

  function isOther(one: FirstMessageChange): boolean {
    return one.after !== value
  }
}

function firstMessageUpdate({ id, name }: Channel, value: number | null) {
  return { stream_id: id, name, property: 'first_message_id' as const, value }
}
