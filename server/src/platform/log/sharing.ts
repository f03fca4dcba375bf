import { sql } from 'kysely'
import type { OpenTransaction } from './open-transaction.ts'
import { overlap, type Subject } from './overlap.ts'

/* How actions share a transaction. */

/** An action that waits for its transaction. */
export interface PendingAction {
  /** Runs it; what is returned is called when it is durable and applied. */
  readonly run: (tx: OpenTransaction) => Promise<() => void>
  readonly reject: (error: unknown) => void
}

/** One that may share it. */
export interface SharingAction extends PendingAction {
  readonly subject: Subject
}

/** One of several actions that ran beside each other has failed: it is not known which statements were its own. */
export class Entangled extends Error {}

/** Others want to write as well: what has not begun by then goes into a later transaction. */
const TOGETHER_MILLISECONDS = 50

interface Ran {
  /** To be called when all is durable and applied. */
  readonly settled: readonly (() => void)[]
  /** Those that did not begin. */
  readonly late: readonly SharingAction[]
}

/** Runs actions beside each other. @throws Entangled where one of them fails */
export async function atOnce(tx: OpenTransaction, actions: readonly SharingAction[]): Promise<Ran> {
  const settled: (() => void)[] = []
  const run = async (action: SharingAction): Promise<void> => {
    settled.push(await action.run(tx))
  }
  try {
    return { late: await overlap(actions, run, briefly()), settled }
  } catch (cause) {
    throw new Entangled('one of several actions failed', { cause })
  }
}

/** Runs actions one after the other, each so that its failure undoes it alone. */
export async function oneByOne(tx: OpenTransaction, actions: readonly SharingAction[]): Promise<Ran> {
  const settled: (() => void)[] = []
  const mayBegin = briefly()
  for (const [index, action] of actions.entries()) {
    if (index > 0 && !mayBegin()) return { settled, late: actions.slice(index) }
    settled.push(await runApart(tx, action))
  }
  return { settled, late: [] }
}

/** Says for a while that there is time for another action. */
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
