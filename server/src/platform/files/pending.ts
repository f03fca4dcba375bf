import type { Call } from '../request.ts'

/** Files that a command stored before its transaction. */
export interface StoredFiles {
  readonly keys: readonly string[]
}

export async function removeStoredFiles(call: Pick<Call, 'server'>, { keys }: StoredFiles): Promise<void> {
  await removeFiles(call, keys)
}

/** Result of a change, and the files to which it left no reference. */
export interface FileChange<Answer> {
  readonly answer: Answer
  readonly unused: readonly string[]
}

/** Deletes files after the commit, so that an earlier failure leaves them intact. */
export async function removeUnusedFiles<Answer>(
  call: Pick<Call, 'server'>,
  { answer, unused }: FileChange<Answer>,
): Promise<Answer> {
  await removeFiles(call, unused)
  return answer
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

/** Removes files. Failures are only reported, because unreferenced files merely waste space. */
export async function removeFiles({ server }: Pick<Call, 'server'>, keys: readonly string[]): Promise<void> {
  await Promise.all(keys.map(async (key) => server.files.remove(key).catch((error: unknown) => server.report(error))))
}
