import { call } from '@parley/client'
import { registrationChallenges } from '@parley/server/contract'
import { te } from '../../kernel/entrance-texts.ts'
import { startWorker } from '../../platform/dom/html.ts'
import { UserFacingError } from '../../platform/requests.ts'
import { SESSION } from '../../platform/sync/sync.ts'

/** Returns the proof for a registration; undefined if the organization requires none. Calls `onWork` if it does. */
export async function proofOfWork(onWork: () => void): Promise<string | undefined> {
  const { challenge: text } = await call(SESSION, registrationChallenges.getRegistrationChallenge, {})
  if (text === null) return undefined
  // Browsers offer the cryptography only on encrypted pages.
  if (!isSecureContext) throw new UserFacingError(te().proofNeedsEncryption)
  onWork()
  const challenge: unknown = JSON.parse(text)
  const worker = startWorker('solving')
  try {
    const solution = await new Promise<unknown>((resolve, reject) => {
      worker.addEventListener('message', ({ data }: MessageEvent<unknown>) => resolve(data))
      worker.addEventListener('error', () => reject(new UserFacingError(te().proofFailed)))
      worker.postMessage(challenge)
    })
    if (solution === null) throw new UserFacingError(te().proofFailed)
    return JSON.stringify({ challenge, solution })
  } finally {
    worker.terminate()
  }
}
