/* Repeats read-your-writes.generated.test.ts with NATS as the bus, and with that bus down. */
import { describe } from 'vitest'
import { hasNatsServer } from '../server/src/testing/nats-server.ts'
import { testFrozenServer, testLostBus, testReadYourWrites, useTrio } from './read-your-writes/trio.ts'

const ROUNDS = 20
const FREEZES = 3

describe.skipIf(!hasNatsServer)('three servers with NATS', () => {
  const trio = useTrio('NATS')
  testReadYourWrites(trio, ROUNDS)
  testFrozenServer(trio, FREEZES)
  testLostBus(trio, FREEZES)
})
