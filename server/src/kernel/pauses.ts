/** Maximum time that one request can block the event loop. */
const SLICE_MILLISECONDS = 10
/** After a longer step, an account waits as long as the step took if another one has a request in progress. */
const LONG_STEP_MILLISECONDS = 5
const MAX_REST_MILLISECONDS = 100

/** Waiting callers by owner, in the order of turns; no list is empty. */
const waiting = new Map<string, (() => void)[]>()
/** Time at which each owner's rest ends. */
const resting = new Map<string, number>()
/** Counts of each account's requests in progress. */
const busy = new Map<string, number>()
let isScheduled = false
/** Timer that is set while all owners with waiting callers are resting. */
let alarm: NodeJS.Timeout | undefined
let step: { readonly owner: string; readonly began: number } | undefined

export function turnOwner(organizationId: number, userId: number): string {
  return `${organizationId}/${userId}`
}

/** Until `endRequest`, other owners rest after long steps to let this account run. */
export function beginRequest(owner: string): void {
  busy.set(owner, (busy.get(owner) ?? 0) + 1)
}

export function endRequest(owner: string): void {
  const count = busy.get(owner) ?? 0
  if (count > 1) busy.set(owner, count - 1)
  else busy.delete(owner)
}

/** Lets the account rest after long synchronous work. */
export function timeStep<Result>(owner: string, work: () => Result): Result {
  const began = performance.now()
  try {
    return work()
  } finally {
    restAfter(owner, performance.now() - began)
  }
}

export function isResting(owner: string): boolean {
  const until = resting.get(owner)
  return until !== undefined && until > performance.now()
}

/** `await pause()` yields to the event loop once the time slice is used up. `owner` is as for `ownTurn`. */
export function createYielder(owner?: string): () => Promise<void> | undefined {
  let began = performance.now()
  return () => {
    if (performance.now() - began < SLICE_MILLISECONDS) return undefined
    return ownTurn(owner).then(() => {
      began = performance.now()
    })
  }
}

/**
 * Resolves in a later turn of the event loop, one caller per turn: several would block it for too long.
 * @param owner result of `turnOwner`; owners take turns. Omitted within a transaction
 */
export async function ownTurn(owner = ''): Promise<void> {
  return new Promise((resolve) => {
    const own = waiting.get(owner)
    if (own === undefined) waiting.set(owner, [resolve])
    else own.push(resolve)
    // Otherwise, an alarm for resting owners would delay a new one.
    if (!isScheduled) schedule()
  })
}

/** Schedules two callbacks in one turn of the event loop, so that only the resumed step runs between them. */
function schedule(): void {
  clearTimeout(alarm)
  isScheduled = true
  setImmediate(resumeNext)
  setImmediate(endStep)
}

function resumeNext(): void {
  const now = performance.now()
  for (const [owner, resolves] of waiting) {
    if ((resting.get(owner) ?? 0) > now) continue
    resting.delete(owner)
    waiting.delete(owner)
    resolves.shift()?.()
    if (resolves.length > 0) waiting.set(owner, resolves)
    step = { owner, began: now }
    return
  }
}

function endStep(): void {
  const now = performance.now()
  if (step !== undefined) {
    restAfter(step.owner, now - step.began)
    step = undefined
    if (waiting.size > 0) schedule()
    else isScheduled = false
    return
  }
  isScheduled = false
  const next = Math.min(...[...waiting.keys()].map((owner) => resting.get(owner) ?? now))
  if (waiting.size > 0) alarm = setTimeout(schedule, next - now)
}

/** @param took milliseconds of a step that just ended */
export function restAfter(owner: string, took: number): void {
  // Work without an owner never rests: it can hold a transaction for which others wait.
  if (took <= LONG_STEP_MILLISECONDS || owner === '' || busy.size <= (busy.has(owner) ? 1 : 0)) return
  const now = performance.now()
  for (const [rested, until] of resting) if (until <= now) resting.delete(rested)
  resting.set(owner, now + Math.min(took, MAX_REST_MILLISECONDS))
}
