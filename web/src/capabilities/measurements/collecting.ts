import { effect } from '@preact/signals'
import { messages, store, sync } from '../../platform/client.ts'
import { allOutgoing } from '../messages/outbox.ts'
import { Interactions } from './interactions.ts'
import { median } from './median.ts'

/** Browsers tell of keys and clicks that take at least so long. */
const SHORTEST_MILLISECONDS = 16
/** Of deliveries the last so many count. */
const MOST_DELIVERIES = 100

const interactions = new Interactions()
const deliveries: number[] = []
let painted: number | undefined
let longTasks = 0
let longest = 0

/** What is known of this tab since it was opened. Times are in milliseconds; undefined is what this browser does not tell, or did not happen. */
export interface Measurements {
  /** From the beginning to the paint of the largest part of what was shown first. */
  readonly start: number | undefined
  /** From a key or a click to the paint after it: all but the slowest in fifty took no longer. */
  readonly interaction: number | undefined
  readonly interactions: number
  /** From sending a message to its event, the middle one. */
  readonly delivery: number | undefined
  readonly deliveries: number
  /** How long the server took until it began to answer, the middle one. */
  readonly answer: number | undefined
  readonly answers: number
  /** How often the page could not answer for 50 milliseconds or more, and for how long at most. */
  readonly longTasks: number | undefined
  readonly longest: number
  /** What scripts take, in bytes. */
  readonly memory: number | undefined
  readonly people: number
  readonly messages: number
}

export function measured(): Measurements {
  const answers = performance.getEntriesByType('resource').filter(isAnswer)
  return {
    start: painted,
    interaction: interactions.slow,
    interactions: interactions.count,
    delivery: median(deliveries),
    deliveries: deliveries.length,
    answer: median(answers.map(({ requestStart, responseStart }) => responseStart - requestStart)),
    answers: answers.length,
    longTasks: knows('longtask') ? longTasks : undefined,
    longest,
    memory: memoryOf(performance),
    people: store().read('realm_users').length,
    messages: messages.all().length,
  }
}

/** Listens from now on, and to what the browser remembers of before. */
export function collect(): void {
  observe('event', ({ interactionId, duration }) => interactions.add(interactionId ?? 0, duration))
  observe('first-input', ({ interactionId, duration }) => interactions.add(interactionId ?? 0, duration))
  observe('largest-contentful-paint', ({ startTime }) => {
    painted = startTime
  })
  observe('longtask', ({ duration }) => {
    longTasks += 1
    longest = Math.max(longest, duration)
  })
  timeDeliveries()
}

/** What is on its way is timed from when it is sent; what had to wait for a connection is not. */
function timeDeliveries(): void {
  const begun = new Map<string, number>()
  const known = new Set<string>()
  effect(() => {
    for (const { key, trouble } of allOutgoing()) {
      if (trouble !== undefined) begun.delete(key)
      else if (!known.has(key)) begun.set(key, performance.now())
      known.add(key)
    }
  })
  sync.hear((event) => {
    const key = event.type === 'message' ? String(event['local_message_id']) : ''
    const at = begun.get(key)
    if (at === undefined) return
    begun.delete(key)
    deliveries.push(performance.now() - at)
    if (deliveries.length > MOST_DELIVERIES) deliveries.shift()
  })
}

interface Entry extends PerformanceEntry {
  /** Of an event that belongs to a key or a click. */
  readonly interactionId?: number
}

function observe(type: string, take: (entry: Entry) => void): void {
  if (!knows(type)) return
  const observer = new PerformanceObserver((list) => list.getEntries().forEach(take))
  // Types of entries that know no threshold ignore it.
  const options = { type, buffered: true, durationThreshold: SHORTEST_MILLISECONDS }
  observer.observe(options)
}

function knows(type: string): boolean {
  return PerformanceObserver.supportedEntryTypes.includes(type)
}

/** Answers of the API, but for those that wait for events or stay open. */
function isAnswer(entry: PerformanceEntry): entry is PerformanceResourceTiming {
  const { pathname } = new URL(entry.name)
  return pathname.startsWith('/api/v1/') && pathname !== '/api/v1/events' && 'responseStart' in entry
}

function memoryOf(one: Performance & { readonly memory?: { readonly usedJSHeapSize: number } }): number | undefined {
  return one.memory?.usedJSHeapSize
}
