import { effect } from '@preact/signals'
import { messages, store, sync } from '../../platform/client.ts'
import { outgoingMessages } from '../messages/outbox.ts'
import { Interactions } from './interactions.ts'

const MIN_EVENT_MILLISECONDS = 16
const MAX_DELIVERIES = 100

const interactions = new Interactions()
const deliveryMilliseconds: number[] = []
let largestPaint: number | undefined
let longTasks = 0
let longestTask = 0

/** Times are in milliseconds. Undefined values were not measured or are not reported by the browser. */
export interface Measurements {
  /** Largest contentful paint. */
  readonly largestPaintMilliseconds: number | undefined
  readonly slowInteractionMilliseconds: number | undefined
  readonly interactionCount: number
  /** Median time from sending a message to receiving its event. */
  readonly deliveryMilliseconds: number | undefined
  readonly deliveryCount: number
  /** Median time to the first byte of API responses. */
  readonly answerMilliseconds: number | undefined
  readonly answerCount: number
  /** Number of tasks over 50 ms. */
  readonly longTasks: number | undefined
  readonly longestTaskMilliseconds: number
  /** Bytes of the JavaScript heap. */
  readonly heapBytes: number | undefined
  readonly people: number
  readonly messages: number
}

export function collectMeasurements(): Measurements {
  const answers = performance.getEntriesByType('resource').filter(isApiResponse)
  return {
    largestPaintMilliseconds: largestPaint,
    slowInteractionMilliseconds: interactions.slow,
    interactionCount: interactions.count,
    deliveryMilliseconds: median(deliveryMilliseconds),
    deliveryCount: deliveryMilliseconds.length,
    answerMilliseconds: median(answers.map(({ requestStart, responseStart }) => responseStart - requestStart)),
    answerCount: answers.length,
    longTasks: supportsEntryType('longtask') ? longTasks : undefined,
    longestTaskMilliseconds: longestTask,
    heapBytes: heapBytes(performance),
    people: store().read('realm_users').length,
    messages: messages.all().length,
  }
}

export function startCollecting(): void {
  observeEntries('event', ({ interactionId, duration }) => interactions.add(interactionId ?? 0, duration))
  observeEntries('first-input', ({ interactionId, duration }) => interactions.add(interactionId ?? 0, duration))
  observeEntries('largest-contentful-paint', ({ startTime }) => {
    largestPaint = startTime
  })
  observeEntries('longtask', ({ duration }) => {
    longTasks += 1
    longestTask = Math.max(longestTask, duration)
  })
  timeDeliveries()
}

/** Measures how long sent messages take to arrive. Excludes messages that waited for a connection. */
function timeDeliveries(): void {
  const begun = new Map<string, number>()
  const known = new Set<string>()
  effect(() => {
    for (const { key, trouble } of outgoingMessages()) {
      if (trouble !== undefined) begun.delete(key)
      else if (!known.has(key)) begun.set(key, performance.now())
      known.add(key)
    }
  })
  sync.listen((event) => {
    const key = event.type === 'message' ? String(event['local_message_id']) : ''
    const at = begun.get(key)
    if (at === undefined) return
    begun.delete(key)
    deliveryMilliseconds.push(performance.now() - at)
    if (deliveryMilliseconds.length > MAX_DELIVERIES) deliveryMilliseconds.shift()
  })
}

interface TimingEntry extends PerformanceEntry {
  readonly interactionId?: number
}

function observeEntries(type: string, take: (entry: TimingEntry) => void): void {
  if (!supportsEntryType(type)) return
  const observer = new PerformanceObserver((list) => list.getEntries().forEach(take))
  // Entry types without a threshold ignore this option.
  const options = { type, buffered: true, durationThreshold: MIN_EVENT_MILLISECONDS }
  observer.observe(options)
}

function supportsEntryType(type: string): boolean {
  return PerformanceObserver.supportedEntryTypes.includes(type)
}

function isApiResponse(entry: PerformanceEntry): entry is PerformanceResourceTiming {
  const { pathname } = new URL(entry.name)
  return pathname.startsWith('/api/v1/') && pathname !== '/api/v1/events' && 'responseStart' in entry
}

function heapBytes(one: Performance & { readonly memory?: { readonly usedJSHeapSize: number } }): number | undefined {
  return one.memory?.usedJSHeapSize
}

function median(numbers: readonly number[]): number | undefined {
  return numbers.toSorted((one, other) => one - other)[Math.floor((numbers.length - 1) / 2)]
}
