import { entrance } from './en/entrance.ts'
import { longerOf, mirroredOf } from './pseudo.ts'

export const longer = longerOf(entrance)
export const mirrored = mirroredOf(entrance)
