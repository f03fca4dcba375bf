import { testHostileInput } from '../../testing/hostile-input.ts'

testHostileInput({ part: 1, of: 4 })
