import { expect, it } from 'vitest'
import { useTestServer } from '../../testing/server.ts'
import { PACE } from '../pace.ts'
import type { DueJob } from './pieces.ts'
import { startJobs, type Job } from './jobs.ts'

const server = useTestServer()

const POLL_OPTIONS = { timeout: 20_000, interval: 20 }

function startJob(job: Job): ReturnType<typeof startJobs> {
  const { database, logs, facts } = server().parley
  return startJobs([job], {
    reads: database.reads,
    polls: database.polls,
    server: facts,
    useLog: (id, work) => logs.use(id, work),
    pace: PACE,
  })
}

const CONCURRENCY_LIMITS = {
  maxUnits: 3,
  maxUnitsPerOrganization: 3,
  maxUnitsPerHost: 3,
  maxUnitsPerPerson: 3,
  maxUnitsPerPersonAndHost: 3,
}
const UNIT_COUNT = 30

it('polls again as soon as concurrent work finishes, within the same second', async () => {
  const { id: organizationId } = await server().organization()
  const waiting = new Set(Array.from({ length: UNIT_COUNT }, (_, index) => index + 1))
  const seconds: number[] = []
  const running = startJob({
    name: 'test',
    everySeconds: 1,
    concurrency: CONCURRENCY_LIMITS,
    async due() {
      seconds.push(Math.floor(Date.now() / 1000))
      return Promise.resolve([...waiting].map((id): DueJob => ({ organizationId, id })))
    },
    async run(_context, id) {
      waiting.delete(id)
      return Promise.resolve()
    },
  })
  await expect.poll(() => waiting.size, POLL_OPTIONS).toBe(0)
  await running.close()
  expect(seconds.length).toBeGreaterThanOrEqual(UNIT_COUNT / CONCURRENCY_LIMITS.maxUnits)
  expect(new Set(seconds).size).toBeLessThan(seconds.length)
})

it('polls once a second while concurrent work continues or no work is due', async () => {
  const { id: organizationId } = await server().organization()
  const seconds: number[] = []
  let end: () => void = () => undefined
  const held = new Promise<void>((resolve) => {
    end = resolve
  })
  let isDue = true
  const running = startJob({
    name: 'test',
    everySeconds: 1,
    concurrency: CONCURRENCY_LIMITS,
    async due() {
      seconds.push(Math.floor(Date.now() / 1000))
      return Promise.resolve(isDue ? [{ organizationId, id: 1 }] : [])
    },
    run: async () => held,
  })
  await expect.poll(() => seconds.length, POLL_OPTIONS).toBe(3)
  expect(new Set(seconds).size).toBe(3)
  isDue = false
  end()
  const before = seconds.length
  await expect.poll(() => seconds.length, POLL_OPTIONS).toBeGreaterThanOrEqual(before + 4)
  await running.close()
  // Besides one poll per second, there is at most one poll for the job that ended.
  expect(seconds.length - new Set(seconds).size).toBeLessThanOrEqual(1)
})
