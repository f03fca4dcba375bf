import { describe, expect, it } from 'vitest'
import { useTestServer } from '../../testing/server.ts'

async function metrics(url: string, authorization?: string): Promise<Response> {
  return fetch(`${url}/metrics`, { headers: authorization === undefined ? {} : { authorization } })
}

describe('with a token', () => {
  const server = useTestServer({ PARLEY_METRICS_TOKEN: 'a-secret-token' })

  it('says how far the consumers of the log are behind, and what they have done', async () => {
    const { owner } = await server().organization()
    await owner.subscribe(['general'])
    // Its first message, and a topic that its sender follows.
    await owner.send('general', 'talk', 'Hello')
    const answer = await metrics(server().parley.url, 'Bearer a-secret-token')
    expect([answer.status, answer.headers.get('content-type')]).toEqual([
      200,
      'text/plain; version=0.0.4; charset=utf-8',
    ])
    const text = await answer.text()
    const values = new Map(
      text
        .split('\n')
        .filter((line) => !line.startsWith('#'))
        .map((line) => line.split(' ') as [string, string]),
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

  it.each([undefined, 'Bearer another', 'Basic a-secret-token', 'Bearer'])('tells nothing to %s', async (given) => {
    const answer = await metrics(server().parley.url, given)
    expect(answer.status).toBe(401)
    expect(await answer.json()).toMatchObject({ code: 'UNAUTHENTICATED_USER' })
  })
})

describe('without a token', () => {
  const server = useTestServer()

  it('has no metrics', async () => {
    expect((await metrics(server().parley.url, 'Bearer ')).status).toBe(404)
  })
})
