import { call, driftOf, positionOfEvent } from '@parley/client'
import { stateDigest } from '@parley/server/contract'
import type { ClientState } from '@parley/server/kernel/event'
import { SESSION, type Sync } from './sync.ts'

/** Wait for events that happened before the server's response but arrive after it. */
const ARRIVAL_MILLISECONDS = 3_000

/** Number of differing fields; undefined if events changed the state during the comparison. */
export type Audit = { readonly drifted: number } | undefined

/**
 * Compares the client's state with the server's. If fields differ, the state is reloaded.
 * @throws if the server does not respond
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
