import { readFileSync } from 'node:fs'
import { describe, expect, it } from 'vitest'
import { useTestServer } from '../../testing/server.ts'

async function fetchMetrics(url: string, authorization?: string): Promise<Response> {
  return fetch(`${url}/metrics`, { headers: authorization === undefined ? {} : { authorization } })
}

describe('metrics with a token', () => {
  const server = useTestServer({ PARLEY_METRICS_TOKEN: 'a-secret-token' })

  it('reports the lag and work of log consumers', async () => {
    const { owner } = await server().organization()
    await owner.subscribe(['general'])
    await owner.send('general', 'talk', 'Hello')
    const answer = await fetchMetrics(server().parley.url, 'Bearer a-secret-token')
    expect([answer.status, answer.headers.get('content-type')]).toEqual([
      200,
      'text/plain; version=0.0.4; charset=utf-8',
    ])
    const text = await answer.text()
    const values = new Map(
      text
        .split('\n')
        .filter((line) => !line.startsWith('#'))
        .map((line) => line.split(' '))
        .map(([name, value]) => [name, value] as const),
    )
    const about = (name: string): number => Number(values.get(`parley_consumer_${name}{consumer="followUp"}`))
    expect(about('runs_total')).toBe(1)
    expect(about('events_total')).toBe(1)
    expect(about('behind_events')).toBe(0)
    expect(about('behind_seconds')).toBe(0)
    expect(about('failures_total')).toBe(0)
    expect(about('skipped_events_total')).toBe(0)
    expect(text).toMatch(/^# TYPE parley_consumer_runs_total counter$/m)
  })

  it('reports requests, batches, waiting long polls, and log positions', async () => {
    const { owner } = await server().organization()
    await owner.subscribe(['general'])
    const queue = await owner.register({ event_types: ['message'] })
    for (const text of ['One', 'Two', 'Three']) await owner.send('general', 'talk', text)
    await owner.try('GET', '/messages/0')
    expect(await queue.events()).toHaveLength(3)
    const waiting = queue.next()
    await expect.poll(() => server().parley.queues.count().parked).toBe(1)
    const text = await (await fetchMetrics(server().parley.url, 'Bearer a-secret-token')).text()
    const value = (of: string): number =>
      Number(
        text
          .split('\n')
          .find((line) => line.startsWith(`${of} `))
          ?.split(' ')[1],
      )
    expect(value('parley_http_requests_total{method="POST",path="/api/v1/messages",code="200"}')).toBe(4)
    expect(value('parley_http_requests_total{method="GET",path="/api/v1/messages/:message_id",code="400"}')).toBe(1)
    expect(value('parley_http_request_seconds_count{method="POST",path="/api/v1/messages"}')).toBe(4)
    expect(value('parley_batch_items_total{kind="send"}')).toBeGreaterThanOrEqual(3)
    expect(value('parley_batches_total{kind="send"}')).toBeGreaterThanOrEqual(1)
    expect(value('parley_parked_polls')).toBe(1)
    expect(value('parley_queues')).toBeGreaterThanOrEqual(1)
    expect(value('parley_organizations')).toBeGreaterThanOrEqual(2)
    expect(value('parley_log_position')).toBeGreaterThan(4)
    expect(value('parley_log_behind_events')).toBe(0)
    expect(value('parley_ready')).toBe(1)
    expect(value('parley_database_waiting')).toBe(0)
    expect(text).toMatch(/^nodejs_eventloop_lag_p99_seconds /m)
    expect(text).toMatch(/^process_resident_memory_bytes /m)
    expect(text).not.toContain(owner.email)
    await owner.send('general', 'talk', 'Four')
    await waiting
  })

  it('exports every metric named in the alerts, dashboard, and docs', async () => {
    const text = await (await fetchMetrics(server().parley.url, 'Bearer a-secret-token')).text()
    const known = new Set([...text.matchAll(/^# TYPE (\S+)/gm)].map(([, name]) => name))
    for (const file of ['alerts.yml', 'dashboard.json', 'watching.md']) {
      const words = readFileSync(new URL(`../../../../docs/operating/${file}`, import.meta.url), 'utf8')
      const named = [...words.matchAll(/\b(?:parley|nodejs|process)_[a-z\d_]+/g)].map(([name]) =>
        name.replace(/_bucket$/, ''),
      )
      expect(named.length).toBeGreaterThan(5)
      expect([file, named.filter((name) => !known.has(name))]).toEqual([file, []])
      // An expression for a label value that never occurs would never alert.
      const values = [...words.matchAll(/\b(parley_\w+)\{(\w+)=\\?"([^"\\]+)/g)].map(([, name, label, value]) => ({
        line: `${String(name)}{${String(label)}="${String(value)}"`,
        isOfRequests: name?.startsWith('parley_http_') === true,
      }))
      expect(values.filter(({ line, isOfRequests }) => !isOfRequests && !text.includes(line))).toEqual([])
    }
  })

  it.each([undefined, 'Bearer another', 'Basic a-secret-token', 'Bearer'])(
    'rejects the credentials %s',
    async (given) => {
      const answer = await fetchMetrics(server().parley.url, given)
      expect(answer.status).toBe(401)
      expect(await answer.json()).toMatchObject({ code: 'UNAUTHENTICATED_USER' })
    },
  )
})

describe('metrics without a token', () => {
  const server = useTestServer()

  it('serves no metrics without a configured token', async () => {
    expect((await fetchMetrics(server().parley.url, 'Bearer ')).status).toBe(404)
  })
})
