import { once } from 'node:events'
import { connect } from 'node:net'
import { expect, it } from 'vitest'
import { isUnavailable } from './unavailable.ts'

it('detects a database that is unreachable at every address of its host name', async () => {
  const addresses = ['127.0.0.1', '127.0.0.2'].map((address) => ({ address, family: 4 }))
  const socket = connect({
    host: 'database.test',
    port: 1,
    autoSelectFamily: true,
    lookup: (_name, _options, found) => found(null, addresses),
  })
  const failure = await once(socket, 'connect').catch((error: unknown) => error)
  expect(failure).toBeInstanceOf(AggregateError)
  expect(isUnavailable(failure)).toBe(true)
  expect(isUnavailable(new AggregateError([failure, new Error('a bug')]))).toBe(false)
})
