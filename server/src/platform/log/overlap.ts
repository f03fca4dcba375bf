/** What an action that may run beside others is about: those of another kind, or of the same subject, run before or after it. */
export interface Subject {
  /** Actions of one kind know what they leave to each other. */
  readonly kind: string
  /** What it reads and changes, of which it has to be the only one to do so. */
  readonly of: readonly string[]
}

/**
 * Runs actions, those of one kind at once as far as they are about different things. After one that fails no other
 * begins.
 * @param mayBegin asked before each but the first
 * @returns those that did not begin, in their order
 * @throws what the first that failed has thrown, once none runs any more
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
      // Of the same thing the one that came first is the first.
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
