/** Maximum time that one request can block the event loop. */
const MAX_STEP_MILLISECONDS = 10
/** After a step longer than this, an account waits equally long if another account has a request in progress. */
const LONG_STEP_MILLISECONDS = 5
const MAX_REST_MILLISECONDS = 100

/** Waiting callers by owner, in the order of the owners' turns; no list is empty. */
const waitingByOwner = new Map<string, (() => void)[]>()
const restEndByOwner = new Map<string, number>()
/** Number of requests in progress, by account. */
const requestsByOwner = new Map<string, number>()
let isScheduled = false
/** Timer that is set while all owners with waiting callers are resting. */
let restTimer: NodeJS.Timeout | undefined
let currentStep: { readonly owner: string; readonly began: number } | undefined

export function turnOwner(organizationId: number, userId: number): string {
  return `${organizationId}/${userId}`
}

/** Until `endRequest`, makes other owners rest after long steps, so that this owner can run. */
export function beginRequest(owner: string): void {
  requestsByOwner.set(owner, (requestsByOwner.get(owner) ?? 0) + 1)
}

export function endRequest(owner: string): void {
  const count = requestsByOwner.get(owner) ?? 0
  if (count > 1) requestsByOwner.set(owner, count - 1)
  else requestsByOwner.delete(owner)
}

/** Runs synchronous work. If it takes long, the account rests afterward. */
export function timeStep<Result>(owner: string, work: () => Result): Result {
  const began = performance.now()
  try {
    return work()
  } finally {
    pauseAfterLongStep(owner, performance.now() - began)
  }
}

export function isResting(owner: string): boolean {
  const until = restEndByOwner.get(owner)
  return until !== undefined && until > performance.now()
}

/** Call this often during long work, and await the result: it yields to the event loop when the time slice is over. */
export type Yielder = () => Promise<void> | undefined

export function createYielder(owner?: string): Yielder {
  let began = performance.now()
  return () => {
    if (performance.now() - began < MAX_STEP_MILLISECONDS) return undefined
    return waitForTurn(owner).then(() => {
      began = performance.now()
    })
  }
}

/** Resolves in a later event-loop turn, one caller per turn. @param owner see `turnOwner`; none in a transaction */
export async function waitForTurn(owner = ''): Promise<void> {
  return new Promise((resolve) => {
    const own = waitingByOwner.get(owner)
    if (own === undefined) waitingByOwner.set(owner, [resolve])
    else own.push(resolve)
    // Does not wait for the timer of resting owners, which would delay a new owner's turn.
    if (!isScheduled) scheduleNextStep()
  })
}

/** Lets the next waiting caller run its step in the next turn of the event loop, and times the step. */
function scheduleNextStep(): void {
  clearTimeout(restTimer)
  isScheduled = true
  setImmediate(resumeNext)
  setImmediate(endStep)
}

function resumeNext(): void {
  const now = performance.now()
  for (const [owner, resolves] of waitingByOwner) {
    if ((restEndByOwner.get(owner) ?? 0) > now) continue
    restEndByOwner.delete(owner)
    waitingByOwner.delete(owner)
    resolves.shift()?.()
    if (resolves.length > 0) waitingByOwner.set(owner, resolves)
    currentStep = { owner, began: now }
    return
  }
}

function endStep(): void {
  const now = performance.now()
  if (currentStep !== undefined) {
    pauseAfterLongStep(currentStep.owner, now - currentStep.began)
    currentStep = undefined
    if (waitingByOwner.size > 0) scheduleNextStep()
    else isScheduled = false
    return
  }
  isScheduled = false
  const next = Math.min(...[...waitingByOwner.keys()].map((owner) => restEndByOwner.get(owner) ?? now))
  // A pause can have ended since `resumeNext`; newer versions of Node warn about negative timeouts.
  if (waitingByOwner.size > 0) restTimer = setTimeout(scheduleNextStep, Math.max(0, next - now))
}

/** @param took duration of a step that just ended, in milliseconds */
export function pauseAfterLongStep(owner: string, took: number): void {
  // Work without an owner never rests: it can hold a transaction for which other requests wait.
  if (took <= LONG_STEP_MILLISECONDS || owner === '' || requestsByOwner.size <= (requestsByOwner.has(owner) ? 1 : 0))
    return
  const now = performance.now()
  for (const [rested, until] of restEndByOwner) if (until <= now) restEndByOwner.delete(rested)
  restEndByOwner.set(owner, now + Math.min(took, MAX_REST_MILLISECONDS))
}
