import { security } from './en/security.ts'
import { longerOf, mirroredOf } from './pseudo.ts'

export const longer = longerOf(security)
export const mirrored = mirroredOf(security)
