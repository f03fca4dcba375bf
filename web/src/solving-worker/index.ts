/* Solves one challenge. The page's own thread would have to wait for each attempt. */
import { solveChallenge, type Challenge } from 'altcha-lib'
import { deriveKey } from 'altcha-lib/algorithms/web/pbkdf2'

declare const self: DedicatedWorkerGlobalScope

const MAX_SOLVING_MILLISECONDS = 300_000

self.addEventListener('message', ({ data: challenge }: MessageEvent<Challenge>) => {
  const solving = solveChallenge({ challenge, deriveKey, timeout: MAX_SOLVING_MILLISECONDS })
  solving.then(
    (solution) => self.postMessage(solution),
    () => self.postMessage(null),
  )
})
