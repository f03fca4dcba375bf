/*
 * Several busy servers on one database. When a request is answered at one server, its effects apply at the others: new
 * accounts, keys, and channels are visible, and revoked permissions are enforced even for requests without a position.
 */
import { effort } from '../server/src/testing/effort.ts'
import { testFrozenServer, testReadYourWrites, useTrio } from './read-your-writes/trio.ts'

const trio = useTrio('database')
testReadYourWrites(trio, effort(20))
testFrozenServer(trio, effort(3))
