import * as z from 'zod/mini'
import { endpoint } from '../../../kernel/endpoint.ts'
import { nothing, string } from '../../../kernel/schemas.ts'

export const runZcommand = endpoint({
  id: 'runZcommand',
  method: 'POST',
  path: '/zcommand',
  summary: 'Run a command that a user typed into a client.',
  description:
    '`/ping` only responds; `/day` or `/light` and `/night` or `/dark` set the theme, `/fluid-width` and ' +
    '`/fixed-width` the width.',
  since: 0,
  input: z.object({ command: string }),
  output: nothing,
  errors: ['BAD_REQUEST'],
})
