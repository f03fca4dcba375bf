import { expect, it } from 'vitest'
import { withoutRepeats, type Logger } from './logger.ts'

function recordingLogger(): { logger: Logger; lines: (readonly [string, object])[] } {
  const lines: (readonly [string, object])[] = []
  const keep = (details: object, message: string): void => {
    lines.push([message, details])
  }
  return { logger: { info: keep, warn: keep, error: keep, isLevelEnabled: () => true }, lines }
}

it('logs an error immediately and its repetitions later with a count and request IDs', async () => {
  const { logger, lines } = recordingLogger()
  const quiet = withoutRepeats(logger, 20)
  for (const reqId of ['a-1', 'a-2', 'a-3']) quiet.error({ reqId, reason: 'ECONNREFUSED' }, 'database unavailable')
  expect(lines).toEqual([['database unavailable', { reqId: 'a-1', reason: 'ECONNREFUSED' }]])
  await expect.poll(() => lines.length).toBe(2)
  expect(lines[1]).toEqual([
    'database unavailable',
    { reqId: undefined, reqIds: ['a-2', 'a-3'], again: 2, reason: 'ECONNREFUSED' },
  ])
  quiet.error({ reqId: 'a-4', reason: 'ECONNREFUSED' }, 'database unavailable')
  expect(lines).toHaveLength(2)
  await expect.poll(() => lines.length).toBe(3)
  expect(lines[2]?.[1]).toMatchObject({ reqIds: ['a-4'], again: 1 })
})

it('logs an error again when it occurs after a pause', async () => {
  const { logger, lines } = recordingLogger()
  const quiet = withoutRepeats(logger, 5)
  const countFirstLines = (): number => lines.filter(([, details]) => !('again' in details)).length
  await expect
    .poll(
      () => {
        quiet.error({ reason: 'ECONNREFUSED' }, 'database unavailable')
        return countFirstLines()
      },
      { interval: 40 },
    )
    .toBeGreaterThan(1)
})

it('distinguishes errors by message, reason, and exception', () => {
  const { logger, lines } = recordingLogger()
  const quiet = withoutRepeats(logger)
  quiet.error({ reason: 'one' }, 'failed')
  quiet.error({ reason: 'other' }, 'failed')
  quiet.error({ err: new Error('one') }, 'failed')
  quiet.error({ err: new Error('other') }, 'failed')
  quiet.error({ reason: 'one' }, 'failed otherwise')
  expect(lines).toHaveLength(5)
})

it('logs every repetition of a line that is not an error', () => {
  const { logger, lines } = recordingLogger()
  const quiet = withoutRepeats(logger)
  for (let line = 0; line < 3; line += 1) quiet.info({}, 'request')
  for (let line = 0; line < 3; line += 1) quiet.warn({}, 'careful')
  expect(lines).toHaveLength(6)
})

it('logs every repetition of an error if too many other errors are remembered', () => {
  const { logger, lines } = recordingLogger()
  const quiet = withoutRepeats(logger)
  for (let round = 0; round < 2; round += 1) {
    for (let error = 0; error < 300; error += 1) quiet.error({ reason: String(error) }, 'failed')
  }
  expect(lines).toHaveLength(300 + 100)
})
