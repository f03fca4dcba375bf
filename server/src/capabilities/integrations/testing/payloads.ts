import { FORGES } from './forges.ts'
import { MONITORS } from './monitors.ts'
import { OFFICES } from './offices.ts'
import type { Sample } from './sample.ts'

export const SAMPLES: readonly Sample[] = [...FORGES, ...MONITORS, ...OFFICES]
