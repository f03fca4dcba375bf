import type { LiveQueue, QueueLimits } from './queue.ts'

/** The time, as UNIX seconds. */
export function seconds(): number {
  return Math.floor(Date.now() / 1000)
}

/** The seconds that a queue may be without use: what its client asked for, but no less than the limit for all queues. */
export function idleSecondsOf({ lifespanSeconds }: { lifespanSeconds: number }, limits: QueueLimits): number {
  return Math.max(lifespanSeconds, limits.idleSeconds)
}

/** Whether a client waits at the queue, or did so recently enough. */
export function isInUse(queue: LiveQueue, limits: QueueLimits): boolean {
  return queue.isWaitedFor || seconds() - queue.lastUsedAt <= idleSecondsOf(queue, limits)
}
