import { call, driftOf, positionOfEvent } from '@parley/client'
import { stateDigest } from '@parley/server/contract'
import type { ClientState } from '@parley/server/kernel/event'
import { SESSION, type Sync } from './sync.ts'

/** Events that happened before the server's answer may come after it; so long they are waited for. */
const ARRIVAL_MILLISECONDS = 3_000

/** Number of differing fields; undefined if the state moved on during the comparison. */
export type Audit = { readonly drifted: number } | undefined

/**
 * Compares the folded state with what the server has, and has it read anew where they differ.
 * @throws where the server does not answer
 */
export async function audit(sync: Sync): Promise<Audit> {
  const { whole } = sync.store
  const answer = await call(SESSION, stateDigest.getStateDigest, { queue_id: whole.queue_id })
  let fields = drifted(sync, answer)
  if (fields !== 0) {
    await arrival()
    fields = drifted(sync, answer)
  }
  if (fields === undefined) return undefined
  if (fields > 0) sync.renew()
  return { drifted: fields }
}

type Answer = Parameters<typeof driftOf>[1] & { readonly position: number }

/** Number of differing fields; undefined if the state is already newer than the answer. */
function drifted(sync: Sync, answer: Answer): number | undefined {
  const { whole } = sync.store
  const eventId = sync.cursor?.eventId ?? -1
  if (positionOfEvent(whole.log_position, eventId) > answer.position) return undefined
  // The same object, under the type used by `fold`.
  return driftOf(whole as unknown as ClientState, answer).length
}

async function arrival(): Promise<void> {
  await new Promise<void>((resolve) => {
    setTimeout(resolve, ARRIVAL_MILLISECONDS)
  })
}
