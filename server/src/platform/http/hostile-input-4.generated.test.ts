import { testHostileInput } from '../../testing/hostile-input.ts'

testHostileInput({ part: 4, of: 4 })
