import { setTimeout as sleep } from 'node:timers/promises'
import type { Parameters, TestUser } from '../../server/src/testing/user.ts'
import { retryUntilSuccess, type RetryContext } from './requests.ts'

/** A destination, and the users who see its messages. */
export interface Destination {
  readonly parameters: Parameters
  readonly audience: ReadonlySet<number>
}

/** An acknowledged message. */
export interface SentMessage {
  readonly id: number
  readonly content: string
  readonly senderId: number
  readonly readBySender: boolean
  readonly audience: ReadonlySet<number>
}

const DELAY_RANGE_MILLISECONDS = [0, 60] as const
/** Probability of repeating an acknowledged message. */
const NEEDLESS_RETRY_PROBABILITY = 0.05

/** Sends messages one after another, each until acknowledged. Retries use the same local ID or idempotency key. */
export async function sendMessagesUntil(
  stopped: AbortSignal,
  { name, user, places }: { name: string; user: TestUser; places: readonly Destination[] },
  patience: RetryContext,
  onSent: (sent: SentMessage) => void,
): Promise<void> {
  const { random } = patience
  const { queue_id } = await retryUntilSuccess(user, 'POST', '/register', { event_types: ['message'] }, patience)
  for (let count = 1; !stopped.aborted; count += 1) {
    const { parameters, audience } = random.of(places)
    const content = `${name} ${count}`
    const readBySender = random.chance(0.3)
    const retried = random.chance(0.5) ? { queue_id, local_id: `${count}` } : { idempotency_key: content }
    const message = { ...parameters, content, read_by_sender: readBySender, ...retried }
    const send = async (): Promise<number> => (await retryUntilSuccess(user, 'POST', '/messages', message, patience)).id
    const id = await send()
    onSent({ id, content, senderId: user.id, readBySender, audience })
    if (random.chance(NEEDLESS_RETRY_PROBABILITY)) {
      const again = await send()
      if (again !== id) throw new Error(`'${content}' was sent as ${id} and again as ${again}`)
    }
    await sleep(random.between(...DELAY_RANGE_MILLISECONDS))
  }
}
