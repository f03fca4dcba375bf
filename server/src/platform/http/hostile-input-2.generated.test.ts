import { testHostileInput } from '../../testing/hostile-input.ts'

testHostileInput({ part: 2, of: 4 })
