/** Kind and objects of an action. Actions of one kind with disjoint objects can run concurrently. */
export interface Subject {
  readonly kind: string
  /** Objects that no concurrent action can use. */
  readonly of: readonly string[]
}

/**
 * Starts no more actions after a failure.
 * @param mayBegin called before each action but the first
 * @returns the actions not started, in order
 * @throws the first error, after all running actions have ended
 */
export async function overlap<Action extends { readonly subject: Subject }>(
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
