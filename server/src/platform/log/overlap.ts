import { sql } from 'kysely'
import type { OpenTransaction } from './open-transaction.ts'

/** Kind and objects of an action: actions of one kind with disjoint objects can run concurrently. */
export interface Subject {
  readonly kind: string
  /** Objects that no concurrent action can use. */
  readonly of: readonly string[]
}

/** Returns actions that it did not start, in order. @throws the first error, after all running actions have ended */
export async function runOverlapping<Action extends { readonly subject: Subject }>(
  actions: readonly Action[],
  run: (action: Action) => Promise<void>,
  mayBegin: () => boolean,
): Promise<Action[]> {
  const running = new Map<Action, Promise<void>>()
  const failures: unknown[] = []
  const begin = (action: Action): void => {
    const ran = run(action)
      .catch((error: unknown) => failures.push(error))
      .then(() => void running.delete(action))
    running.set(action, ran)
  }
  let waiting = [...actions]
  for (;;) {
    const taken = new Set([...running.keys()].flatMap(({ subject }) => subject.of))
    let kind = running.keys().next().value?.subject.kind
    waiting = waiting.filter((action) => {
      kind ??= action.subject.kind
      if (action.subject.kind !== kind) return true
      const isFree = action.subject.of.every((one) => !taken.has(one))
      // Keeps actions on the same subject in order.
      for (const one of action.subject.of) taken.add(one)
      if (!isFree || failures.length > 0) return true
      if (action !== actions[0] && !mayBegin()) return true
      begin(action)
      return false
    })
    if (running.size === 0) break
    await Promise.race(running.values())
  }
  if (failures.length > 0) throw failures[0]
  return waiting
}

export interface PendingAction {
  /** Runs the action. The returned callback is called once the result is durable and applied. */
  readonly run: (tx: OpenTransaction) => Promise<() => void>
  readonly reject: (error: unknown) => void
}

export interface SharingAction extends PendingAction {
  readonly subject: Subject
}

/** Means that an action failed and cannot be undone without the other actions in its transaction. */
export class SharedTransactionError extends Error {}

/** Time limit for starting actions in one transaction. It is short, because other writers wait. */
const SHARING_TIME_LIMIT_MILLISECONDS = 50

interface SharedRun {
  readonly settled: readonly (() => void)[]
  readonly late: readonly SharingAction[]
}

/** @throws SharedTransactionError if an action fails */
export async function runConcurrently(tx: OpenTransaction, actions: readonly SharingAction[]): Promise<SharedRun> {
  const settled: (() => void)[] = []
  const run = async (action: SharingAction): Promise<void> => {
    settled.push(await action.run(tx))
  }
  try {
    return { late: await runOverlapping(actions, run, createTimeLimit()), settled }
  } catch (cause) {
    throw new SharedTransactionError('one of several actions failed', { cause })
  }
}

export async function runOneByOne(tx: OpenTransaction, actions: readonly SharingAction[]): Promise<SharedRun> {
  const settled: (() => void)[] = []
  const mayBegin = createTimeLimit()
  for (const [index, action] of actions.entries()) {
    if (index > 0 && !mayBegin()) return { settled, late: actions.slice(index) }
    settled.push(await runSeparately(tx, action))
  }
  return { settled, late: [] }
}

function createTimeLimit(): () => boolean {
  const began = performance.now()
  return () => performance.now() - began < SHARING_TIME_LIMIT_MILLISECONDS
}

async function runSeparately(tx: OpenTransaction, action: PendingAction): Promise<() => void> {
  const mark = tx.mark()
  await sql`savepoint action`.execute(tx.db)
  try {
    const resolve = await action.run(tx)
    await sql`release savepoint action`.execute(tx.db)
    return resolve
  } catch (error) {
    await sql`rollback to savepoint action`.execute(tx.db)
    tx.rollBackTo(mark)
    return () => action.reject(error)
  }
}
