import { administration } from './en/administration/index.ts'
import { longerOf, mirroredOf } from './pseudo.ts'

export const longer = longerOf(administration)
export const mirrored = mirroredOf(administration)
