import { testHiddenIsAbsent } from '../../testing/hidden-is-absent.ts'

testHiddenIsAbsent('former')
