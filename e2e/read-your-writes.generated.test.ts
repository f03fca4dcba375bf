/*
 * Several servers on one database, each busy with the sends of others. What was done at one of them holds at the others when the
 * answer arrives: new accounts with their keys, and channels; and revoked rights, which the requests of their former holders do
 * not mention.
 */
import { effort } from '../server/src/testing/effort.ts'
import { testFrozenServer, testReadYourWrites, useTrio } from './read-your-writes/trio.ts'

const trio = useTrio('database')
testReadYourWrites(trio, effort(20))
testFrozenServer(trio, effort(3))
