import { createHash, timingSafeEqual } from 'node:crypto'
import { Refusal } from '../../kernel/refusal.ts'
import type { ConsumerReport } from '../consumers/consumers.ts'
import type { Address } from '../http/routing.ts'

/** A number that the server says of itself, for each consumer of the log. */
interface Metric {
  readonly name: string
  readonly type: 'counter' | 'gauge'
  readonly help: string
  readonly value: (report: ConsumerReport) => number
}

const CONSUMER_METRICS: readonly Metric[] = [
  {
    name: 'parley_consumer_behind_events',
    type: 'gauge',
    help: 'Events that the consumer has to handle and has not handled yet, as far as this process knows.',
    value: ({ behind }) => behind,
  },
  {
    name: 'parley_consumer_behind_seconds',
    type: 'gauge',
    help: 'How long this process has known the oldest of these events.',
    value: ({ behindSeconds }) => behindSeconds,
  },
  {
    name: 'parley_consumer_runs_total',
    type: 'counter',
    help: 'Runs of the consumer in this process that were committed.',
    value: ({ runs }) => runs,
  },
  {
    name: 'parley_consumer_events_total',
    type: 'counter',
    help: 'Events that these runs handled.',
    value: ({ events }) => events,
  },
  {
    name: 'parley_consumer_failures_total',
    type: 'counter',
    help: 'Runs of the consumer in this process that failed, and are tried again.',
    value: ({ failures }) => failures,
  },
  {
    name: 'parley_consumer_skipped_events_total',
    type: 'counter',
    help: 'Events that this process left out, because they failed again and again.',
    value: ({ skipped }) => skipped,
  },
]

/** The metrics of a process in the text format of Prometheus. */
export function metricsText(consumers: readonly ConsumerReport[]): string {
  const lines = CONSUMER_METRICS.flatMap(({ name, type, help, value }) => [
    `# HELP ${name} ${help}`,
    `# TYPE ${name} ${type}`,
    ...consumers.map((report) => `${name}{consumer="${report.name}"} ${value(report)}`),
  ])
  return `${lines.join('\n')}\n`
}

/** The path of the metrics. They tell how busy the organizations are, so a request needs the token. */
export function metricsAddress(token: string, consumers: () => readonly ConsumerReport[]): Address {
  return {
    method: 'GET',
    path: '/metrics',
    answer(exchange) {
      const given = /^bearer +(\S+)$/i.exec(exchange.request.headers.authorization?.trim() ?? '')?.[1]
      if (given === undefined || !timingSafeEqual(digest(given), digest(token))) {
        throw new Refusal('UNAUTHENTICATED_USER', 'The metrics need the token of PARLEY_METRICS_TOKEN')
      }
      exchange.send(200, { 'content-type': 'text/plain; version=0.0.4; charset=utf-8' }, metricsText(consumers()))
    },
  }
}

/** Of one length, so that the comparison tells nothing. */
function digest(text: string): Buffer {
  return createHash('sha256').update(text).digest()
}
