import { expect, it, onTestFinished } from 'vitest'
import { readConfig } from '../../config.ts'
import { openStore, serve } from '../../start.ts'
import { PostgresServer } from '../../testing/postgres-server.ts'
import { withoutRepeats, type Logger } from '../logger.ts'
import { Outage } from './outage.ts'

interface Line {
  readonly message: string
  readonly reason?: string
}

function recordingLogger(windowMilliseconds = 1): { logger: Logger; lines: Line[] } {
  const lines: Line[] = []
  const keep = (details: object, message: string): void => {
    lines.push({ ...details, message })
  }
  return {
    logger: withoutRepeats({ info: keep, warn: keep, error: keep, isLevelEnabled: () => true }, windowMilliseconds),
    lines,
  }
}

it('logs once that the database is unreachable and once that it is reachable again', async () => {
  const postgres = await PostgresServer.start()
  onTestFinished(async () => postgres.close())
  const { logger, lines } = recordingLogger()
  const config = readConfig({ PORT: '0', PARLEY_ROOT_DOMAIN: 'parley.test', PARLEY_RATE_LIMITS: 'off' })
  const parley = await serve(openStore(postgres.connection, config, logger, { shared: true }), config, logger)
  onTestFinished(async () => parley.close())
  lines.length = 0

  await postgres.end('SIGINT')
  // Checks take time, in which the housekeeping that runs every second also fails several times.
  let looks = 0
  const looked = async (): Promise<number> => (looks += (await parley.facts.health.problems()).length)
  await expect.poll(looked, { timeout: 30_000, interval: 1_000 }).toBeGreaterThan(4)
  expect(lines[0]?.message).toBe('database unreachable')
  await postgres.begin()
  await expect
    .poll(() => lines.map(({ message }) => message), { timeout: 30_000 })
    .toContain('database reachable again')
  const said = lines.map(({ message }) => message)
  expect(new Set(said)).toEqual(new Set(['database unreachable', 'database reachable again']))
  expect(said.filter((message) => message === 'database reachable again')).toHaveLength(1)
  const reasons = lines.flatMap(({ reason }) => reason ?? [])
  expect(new Set(reasons).size).toBe(reasons.length)
}, 120_000)

it('logs the stack of a bug but not of a connection timeout', async () => {
  const { logger, lines } = recordingLogger()
  const outage = new Outage(logger, { noticeMilliseconds: 10 })
  const bug = new Error('a bug')
  outage.report(bug, 'housekeeping')
  expect(lines).toEqual([{ err: bug, message: 'housekeeping' }])
  outage.report(new Error('timeout exceeded when trying to connect'), 'housekeeping')
  await expect.poll(() => lines.length).toBe(2)
  expect(lines[1]).toEqual({ reason: 'timeout exceeded when trying to connect', message: 'housekeeping' })
})

it('logs an ongoing outage again at intervals, and each new reason immediately', async () => {
  const { logger, lines } = recordingLogger()
  const outage = new Outage(logger, { againMilliseconds: 1_000 })
  const reasons = (): unknown[] => lines.map(({ message, reason }) => reason ?? message)
  outage.lost(new Error('stops'))
  outage.lost(new Error('is not there'))
  outage.lost(new Error('is not there'))
  expect(reasons()).toEqual(['stops', 'is not there'])
  await expect
    .poll(() => {
      outage.lost(new Error('is not there'))
      return reasons()
    })
    .toEqual(['stops', 'is not there', 'is not there'])
  outage.connected()
  outage.connected()
  expect(reasons()).toEqual(['stops', 'is not there', 'is not there', 'database reachable again'])
  // A later outage is reported separately.
  outage.lost(new Error('stops'))
  expect(reasons()).toHaveLength(5)
})

it('logs the start and end of each of two outages in quick succession', () => {
  const { logger, lines } = recordingLogger(60_000)
  const outage = new Outage(logger)
  for (let time = 0; time < 2; time++) {
    outage.lost(new Error('stops'))
    outage.connected()
  }
  const times = ['database unreachable', 'database reachable again']
  expect(lines.map(({ message }) => message)).toEqual([...times, ...times])
})

it('logs pending failures on close and no failures afterward', () => {
  const { logger, lines } = recordingLogger()
  const outage = new Outage(logger)
  outage.report(new Error('timeout exceeded when trying to connect'), 'activity', { organization: 1 })
  outage.close()
  outage.report(new Error('a bug'), 'housekeeping')
  outage.failed(new Error('Connection terminated'))
  expect(lines).toEqual([{ organization: 1, reason: 'timeout exceeded when trying to connect', message: 'activity' }])
})
