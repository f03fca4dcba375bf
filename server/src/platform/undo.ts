import { ApiError } from '../kernel/refusal.ts'

/** Undoes what preceded a transaction if it is refused. After other failures, the transaction may have committed. */
export async function undoIfRefused<Result>(acting: Promise<Result>, undo: () => Promise<void>): Promise<Result> {
  try {
    return await acting
  } catch (error) {
    if (error instanceof ApiError) await undo()
    throw error
  }
}
