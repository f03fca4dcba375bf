import type { Input, Output } from '../../kernel/endpoint.ts'
import { pausing } from '../../kernel/pauses.ts'
import { unknownQueue } from '../../platform/queues/queue.ts'
import { findQueue } from '../../platform/queues/store.ts'
import type { Call } from '../../platform/request.ts'
import { PRESENCE_HISTORY_DAYS } from '../presence/contract.ts'
import { readState } from '../queues/actions.ts'
import type * as contract from './contract.ts'
import { digestedFields, DIGESTED_EVENT_TYPES, digestField } from './contract.ts'

/** Digests of the state that registering would answer now to the client of a queue. */
export async function getStateDigest(
  call: Call,
  input: Input<typeof contract.getStateDigest>,
): Promise<Output<typeof contract.getStateDigest>> {
  const queue = await findQueue(call.reads, call.log.organization.id, call.actor.userId, input.queue_id)
  if (queue === undefined) throw unknownQueue(input.queue_id)
  const { form, eventTypes } = queue.registration
  const asked = input.fetch_event_types ?? DIGESTED_EVENT_TYPES
  const { position, fields } = await readState(call, {
    form,
    eventTypes: eventTypes === null ? asked : asked.filter((type) => eventTypes.includes(type)),
    presenceHistoryDays: PRESENCE_HISTORY_DAYS,
  })
  const pause = pausing()
  const digests: [string, string][] = []
  const entries: [string, Readonly<Record<string, string>>][] = []
  for (const name of digestedFields(fields)) {
    const made = digestField(fields, name)
    digests.push([name, made.digest])
    if (made.entries !== undefined && input.entries_of.includes(name)) entries.push([name, made.entries])
    await pause()
  }
  return { position, digests: Object.fromEntries(digests), entries: Object.fromEntries(entries) }
}
