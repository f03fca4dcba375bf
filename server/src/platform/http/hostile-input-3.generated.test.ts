import { testHostileInput } from '../../testing/hostile-input.ts'

testHostileInput({ part: 3, of: 4 })
