import { setTimeout as sleep } from 'node:timers/promises'
import type { AnyResponseTo, ResponseTo } from '../../server/src/testing/contract-types.ts'
import type { Answer, Parameters, TestUser } from '../../server/src/testing/user.ts'
import type { Random } from '../../server/src/testing/random.ts'

/** Maximum duration of any request, including polls, which end with a heartbeat, and requests to a dying server. */
const MAX_REQUEST_MILLISECONDS = 30_000

/** Sends one request to a server that may die before it responds. @returns undefined without a complete response */
export async function tryRequest<Method extends string, Path extends string>(
  user: TestUser,
  method: Method,
  path: Path,
  parameters: Parameters,
): Promise<Answer<AnyResponseTo<Method, Path>> | undefined> {
  const settled = new AbortController()
  const hanging = sleep(MAX_REQUEST_MILLISECONDS, undefined, { signal: settled.signal }).then(
    () => Promise.reject(new Error(`${method} ${path} has no answer after ${MAX_REQUEST_MILLISECONDS} ms`)),
    () => undefined,
  )
  try {
    const answer = await Promise.race([user.try(method, path, parameters), hanging])
    return answer === undefined || answer.status >= 500 ? undefined : answer
  } catch (error) {
    if (isLostConnection(error)) return undefined
    throw error
  } finally {
    settled.abort()
  }
}

export interface RetryContext {
  readonly random: Random
  /** Aborts all requests after a failure. */
  readonly over: AbortSignal
}

/** Repeats a request until it succeeds. @throws if the server refuses it */
export function retryUntilSuccess<Method extends string = string, Path extends string = string>(
  user: TestUser,
  method: Method,
  path: Path,
  parameters: Parameters,
  context: RetryContext,
): Promise<ResponseTo<Method, Path>>
// The server checks its answers against the declarations in tests.
export async function retryUntilSuccess(
  user: TestUser,
  method: string,
  path: string,
  parameters: Parameters,
  { random, over }: RetryContext,
): Promise<unknown> {
  for (;;) {
    const answer = await tryRequest(user, method, path, parameters)
    if (answer?.status === 200) return answer.body
    if (answer !== undefined) throw new Error(`${method} ${path} was refused: ${JSON.stringify(answer.body)}`)
    over.throwIfAborted()
    await sleep(random.between(20, 150))
  }
}

function isLostConnection(error: unknown): boolean {
  const codes = ['ECONNREFUSED', 'ECONNRESET', 'EPIPE']
  return error instanceof Error && 'code' in error && typeof error.code === 'string' && codes.includes(error.code)
}
