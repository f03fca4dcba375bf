import { sql } from 'kysely'
import type { OpenTransaction } from './open-transaction.ts'
import { overlap, type Subject } from './overlap.ts'

export interface PendingAction {
  /** The callback is called once the result is durable and applied. */
  readonly run: (tx: OpenTransaction) => Promise<() => void>
  readonly reject: (error: unknown) => void
}

export interface SharingAction extends PendingAction {
  readonly subject: Subject
}

/** An action failed, and its statements cannot be distinguished from those of other actions. */
export class SharedTransactionError extends Error {}

/** Short, because other writers wait. */
const TOGETHER_MILLISECONDS = 50

interface SharedRun {
  readonly settled: readonly (() => void)[]
  readonly late: readonly SharingAction[]
}

/** @throws SharedTransactionError if an action fails */
export async function atOnce(tx: OpenTransaction, actions: readonly SharingAction[]): Promise<SharedRun> {
  const settled: (() => void)[] = []
  const run = async (action: SharingAction): Promise<void> => {
    settled.push(await action.run(tx))
  }
  try {
    return { late: await overlap(actions, run, briefly()), settled }
  } catch (cause) {
    throw new SharedTransactionError('one of several actions failed', { cause })
  }
}

/** Runs actions one by one, and rolls back each failed one separately. */
export async function oneByOne(tx: OpenTransaction, actions: readonly SharingAction[]): Promise<SharedRun> {
  const settled: (() => void)[] = []
  const mayBegin = briefly()
  for (const [index, action] of actions.entries()) {
    if (index > 0 && !mayBegin()) return { settled, late: actions.slice(index) }
    settled.push(await runApart(tx, action))
  }
  return { settled, late: [] }
}

function briefly(): () => boolean {
  const began = performance.now()
  return () => performance.now() - began < TOGETHER_MILLISECONDS
}

async function runApart(tx: OpenTransaction, action: PendingAction): Promise<() => void> {
  const mark = tx.mark()
  await sql`savepoint action`.execute(tx.db)
  try {
    const settle = await action.run(tx)
    await sql`release savepoint action`.execute(tx.db)
    return settle
  } catch (error) {
    await sql`rollback to savepoint action`.execute(tx.db)
    tx.rollBackTo(mark)
    return () => action.reject(error)
  }
}
