import { testHostileInput } from '../../testing/hostile-input.ts'

testHostileInput(({ method }) => method === 'POST')
