import { Refusal } from '../../kernel/refusal.ts'
import type { ActorTx } from '../../kernel/transaction.ts'
import type { Call } from '../request.ts'

/** Removes written files if the action is refused. */
export async function actWithFiles<Result>(
  call: Pick<Call, 'actor' | 'log' | 'server'>,
  keys: readonly string[],
  action: (tx: ActorTx) => Promise<Result>,
): Promise<Result> {
  return call.log.act(call.actor, action).catch(async (error: unknown) => {
    if (error instanceof Refusal) await removeFiles(call, keys)
    throw error
  })
}

export async function writeFiles(
  call: Pick<Call, 'server'>,
  files: readonly (readonly [key: string, bytes: Uint8Array])[],
): Promise<void> {
  try {
    for (const [key, bytes] of files) await call.server.files.write(key, bytes)
  } catch (error) {
    const keys = files.map(([key]) => key)
    await removeFiles(call, keys)
    throw error
  }
}

/** Only reports a failure, because unreferenced files merely waste space. */
export async function removeFiles({ server }: Pick<Call, 'server'>, keys: readonly string[]): Promise<void> {
  await Promise.all(keys.map(async (key) => server.files.remove(key).catch((error: unknown) => server.report(error))))
}
