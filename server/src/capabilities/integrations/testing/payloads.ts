import { BITBUCKET } from './bitbucket.ts'
import { CIRCLECI } from './circleci.ts'
import { FORGES } from './forges.ts'
import { MONITORS } from './monitors.ts'
import { OFFICES } from './offices.ts'
import { PROGRAMS } from './programs.ts'
import type { Sample } from './sample.ts'
import { STRIPE } from './stripe.ts'

export const SAMPLES: readonly Sample[] = [
  ...BITBUCKET,
  ...CIRCLECI,
  ...FORGES,
  ...MONITORS,
  ...OFFICES,
  ...PROGRAMS,
  ...STRIPE,
]
