import { createHash, timingSafeEqual } from 'node:crypto'
import type * as Prometheus from 'prom-client'
import { ApiError } from '../../kernel/refusal.ts'
import type { BusReport } from '../bus/bus.ts'
import type { Replicas } from '../db/replicas.ts'
import type { StoreReport } from '../files/store.ts'
import type { ConsumerReport } from '../consumers/consumers.ts'
import type { Exchange } from '../http/exchange.ts'
import type { Address, RequestHandler } from '../http/routing.ts'
import { processCounts } from './counts.ts'

export interface MetricSources {
  readonly consumers: () => readonly ConsumerReport[]
  readonly queues: () => { readonly live: number; readonly parked: number; readonly bufferedEvents: number }
  readonly connections: () => { readonly open: number; readonly idle: number; readonly waiting: number }
  readonly organizations: () => readonly { readonly position: number }[]
  readonly bus: () => BusReport
  readonly replicas: () => Pick<Replicas, 'reports' | 'counts'> | undefined
  readonly files: () => StoreReport
  readonly backups: () => Promise<{ readonly latestAt: number | undefined; readonly verifiedAt: number | undefined }>
  readonly health: () => Promise<{ readonly isReady: boolean; readonly behindEvents: number }>
}

export interface Metrics {
  readonly address: Address
  readonly counted: (address: Address) => Address
}

const DURATION_BUCKETS_SECONDS = [0.005, 0.01, 0.025, 0.05, 0.1, 0.25, 0.5, 1, 2.5, 5, 10, 30, 60]

/** Metrics reveal how busy organizations are, so requests need the token. Without a token, no library is loaded. */
export async function openMetrics(token: string, sources: MetricSources): Promise<Metrics> {
  const prometheus = await import('prom-client')
  const registry = new prometheus.Registry()
  prometheus.collectDefaultMetrics({ register: registry })
  registerGauges(prometheus, registry, sources)
  registerConsumerMetrics(prometheus, registry, sources)
  registerCounters(prometheus, registry, sources)
  return {
    address: {
      method: 'GET',
      path: '/metrics',
      async answer(exchange) {
        requireToken(exchange, token)
        exchange.send(200, { 'content-type': registry.contentType }, await registry.metrics())
      },
    },
    counted: createRequestCounter(prometheus, registry),
  }
}

function requireToken({ request }: Exchange, token: string): void {
  const given = /^bearer +(\S+)$/i.exec(request.headers.authorization?.trim() ?? '')?.[1]
  if (given === undefined || !timingSafeEqual(digestToken(given), digestToken(token))) {
    throw new ApiError('UNAUTHENTICATED_USER', 'Metrics require the token in PARLEY_METRICS_TOKEN')
  }
}

/** Hashes to equal lengths, for a constant-time comparison. */
function digestToken(text: string): Buffer {
  return createHash('sha256').update(text).digest()
}

type PrometheusLibrary = typeof Prometheus

function createRequestCounter(
  { Counter, Histogram }: PrometheusLibrary,
  registry: Prometheus.Registry,
): Metrics['counted'] {
  const requests = new Counter({
    name: 'parley_http_requests_total',
    help: 'Answered requests, by endpoint and status.',
    labelNames: ['method', 'path', 'code'] as const,
    registers: [registry],
  })
  const seconds = new Histogram({
    name: 'parley_http_request_seconds',
    help: 'Time from a request to the end of its response, by endpoint. Polls wait for events.',
    labelNames: ['method', 'path'] as const,
    buckets: DURATION_BUCKETS_SECONDS,
    registers: [registry],
  })
  return (address) => {
    const { method, path } = address
    const answer: RequestHandler = (exchange) => {
      const began = performance.now()
      const { response } = exchange
      response.once('close', () => {
        // `gone`: the client disconnected before the end of the response.
        const code = response.writableFinished ? String(response.statusCode) : 'gone'
        requests.inc({ method, path, code })
        seconds.observe({ method, path }, (performance.now() - began) / 1_000)
      })
      return address.answer(exchange)
    }
    return { ...address, answer }
  }
}

function registerGauges({ Gauge }: PrometheusLibrary, registry: Prometheus.Registry, sources: MetricSources): void {
  const gauge = (name: string, help: string, value: () => number): void => {
    const registered: Prometheus.Gauge = new Gauge({
      name,
      help,
      registers: [registry],
      collect: () => registered.set(value()),
    })
  }
  gauge('parley_queues', 'Event queues that this process serves.', () => sources.queues().live)
  gauge('parley_parked_polls', 'Polls and streams waiting for events.', () => sources.queues().parked)
  gauge('parley_buffered_events', 'Events in memory for queues.', () => sources.queues().bufferedEvents)
  gauge('parley_database_connections', 'Database connections for transactions.', () => sources.connections().open)
  gauge(
    'parley_database_connections_idle',
    'Idle database connections for transactions.',
    () => sources.connections().idle,
  )
  gauge('parley_database_waiting', 'Requests waiting for a database connection.', () => sources.connections().waiting)
  gauge('parley_organizations', 'Organizations that this process has loaded.', () => sources.organizations().length)
  gauge('parley_log_position', 'Sum of the applied log positions of loaded organizations.', () =>
    sources.organizations().reduce((sum, { position }) => sum + position, 0),
  )
  gauge('parley_bus_connected', 'Whether the bus connects this process to the other processes.', () =>
    sources.bus().isConnected ? 1 : 0,
  )
  gauge('parley_files_reached', 'Whether the file store answered the latest request.', () =>
    sources.files().isReached ? 1 : 0,
  )
  const replica = new Gauge({
    name: 'parley_replica_answers',
    help: 'Whether this process reads from a database replica.',
    labelNames: ['replica'] as const,
    registers: [registry],
    collect() {
      replica.reset()
      for (const { name, reason } of sources.replicas()?.reports ?? [])
        replica.set({ replica: name }, reason === undefined ? 1 : 0)
    },
  })
  const verified = new Gauge({
    name: 'parley_backup_verified_timestamp_seconds',
    help: 'Time of the latest verified backup; 0 if none is known.',
    registers: [registry],
  })
  const latest = new Gauge({
    name: 'parley_backup_timestamp_seconds',
    help: 'Time of the latest backup; 0 if none is known.',
    registers: [registry],
    async collect() {
      const { latestAt, verifiedAt } = await sources.backups()
      latest.set(latestAt ?? 0)
      verified.set(verifiedAt ?? 0)
    },
  })
  const behind = new Gauge({
    name: 'parley_log_behind_events',
    help: 'Committed events that this process had not applied at the last check.',
    registers: [registry],
  })
  const ready = new Gauge({
    name: 'parley_ready',
    help: 'Whether /readyz reports that this process is ready.',
    registers: [registry],
    async collect() {
      const { isReady, behindEvents } = await sources.health()
      ready.set(isReady ? 1 : 0)
      behind.set(behindEvents)
    },
  })
}

function registerCounters(
  { Counter }: PrometheusLibrary,
  registry: Prometheus.Registry,
  { bus, files, replicas }: MetricSources,
): void {
  const counter = (name: string, help: string, label: string, values: () => Iterable<readonly [string, number]>) => {
    const registered = new Counter({
      name,
      help,
      labelNames: [label],
      registers: [registry],
      collect() {
        registered.reset()
        for (const [labelled, value] of values()) registered.inc({ [label]: labelled }, value)
      },
    })
  }
  const { batches, jobs, confirmations, openings } = processCounts
  const each = <Counted>(of: ReadonlyMap<string, Counted>, value: (counted: Counted) => number) =>
    [...of].map(([name, counted]) => [name, value(counted)] as const)
  counter('parley_batches_total', 'Batches that this process has committed.', 'kind', () =>
    each(batches, (counted) => counted.batches),
  )
  counter(
    'parley_batch_items_total',
    'Items in committed batches, such as the messages in batches of `send`.',
    'kind',
    () => each(batches, ({ items }) => items),
  )
  counter('parley_bus_messages_total', 'Bus messages that this process sent and received.', 'direction', () => {
    const { sent, received } = bus()
    return [['sent', sent] as const, ['received', received] as const]
  })
  counter(
    'parley_rights_taken_total',
    'Changes that removed permissions, by whether other nodes had applied them before the response.',
    'outcome',
    () => Object.entries(confirmations),
  )
  counter(
    'parley_organizations_total',
    'Organizations loaded into memory, and removed from it because they were not used.',
    'step',
    () => Object.entries(openings),
  )
  counter('parley_files_requests_total', 'Requests of this process to the file store.', 'outcome', () => {
    const { requests, failures } = files()
    return [['answered', requests - failures] as const, ['failed', failures] as const]
  })
  counter('parley_replica_reads_total', 'Reads of message history from replicas, by outcome.', 'outcome', () =>
    Object.entries(replicas()?.counts ?? {}),
  )
  counter('parley_job_runs_total', 'Tasks completed by jobs.', 'job', () => each(jobs, ({ done }) => done))
  counter('parley_job_failures_total', 'Tasks that failed and will be retried.', 'job', () =>
    each(jobs, ({ failed }) => failed),
  )
}

const CONSUMER_METRICS: readonly {
  readonly name: string
  readonly type: 'Counter' | 'Gauge'
  readonly help: string
  readonly value: (report: ConsumerReport) => number
}[] = [
  {
    name: 'parley_consumer_behind_events',
    type: 'Gauge',
    help: 'Events that the consumer has not handled yet, as far as this process knows.',
    value: ({ lag }) => lag,
  },
  {
    name: 'parley_consumer_behind_seconds',
    type: 'Gauge',
    help: 'How long this process has known the oldest event that the consumer has not handled.',
    value: ({ lagSeconds }) => lagSeconds,
  },
  {
    name: 'parley_consumer_runs_total',
    type: 'Counter',
    help: 'Runs of the consumer that this process has committed.',
    value: ({ runs }) => runs,
  },
  {
    name: 'parley_consumer_events_total',
    type: 'Counter',
    help: 'Events handled by committed runs of the consumer.',
    value: ({ events }) => events,
  },
  {
    name: 'parley_consumer_failures_total',
    type: 'Counter',
    help: 'Failed runs of the consumer in this process, which will be retried.',
    value: ({ failures }) => failures,
  },
  {
    name: 'parley_consumer_skipped_events_total',
    type: 'Counter',
    help: 'Events that this process skipped because they failed repeatedly.',
    value: ({ skipped }) => skipped,
  },
]

function registerConsumerMetrics(
  prometheus: PrometheusLibrary,
  registry: Prometheus.Registry,
  { consumers }: MetricSources,
): void {
  for (const { name, type, help, value } of CONSUMER_METRICS) {
    const registered = new prometheus[type]({
      name,
      help,
      labelNames: ['consumer'],
      registers: [registry],
      collect() {
        registered.reset()
        for (const report of consumers()) registered.inc({ consumer: report.name }, value(report))
      },
    })
  }
}
