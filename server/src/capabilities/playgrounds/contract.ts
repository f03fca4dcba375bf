import * as z from 'zod/mini'
import type { Limit } from '../../kernel/limits.ts'
import { endpoint } from '../../kernel/endpoint.ts'
import { event } from '../../kernel/event.ts'
import { composedText, id, nothing, string, text } from '../../kernel/schemas.ts'

export const MAX_LANGUAGE_CHARACTERS = 40
export const MAX_NAME_CHARACTERS = 100
export const MAX_URL_TEMPLATE_CHARACTERS = 1_000
export const PLAYGROUND_LIMIT: Limit = { most: 200, per: 'organization', what: 'code playgrounds' }

export const playground = z.strictObject({
  id,
  name: string,
  highlighter_language: string,
  url_template: string,
})
export type Playground = z.output<typeof playground>

export const addPlayground = endpoint({
  id: 'addPlayground',
  method: 'POST',
  path: '/realm/playgrounds',
  summary: 'Add a code playground for a language.',
  since: 49,
  input: z.object({
    name: composedText(MAX_NAME_CHARACTERS),
    highlighter_language: text(MAX_LANGUAGE_CHARACTERS),
    url_template: text(MAX_URL_TEMPLATE_CHARACTERS),
  }),
  output: z.object({ id }),
  errors: ['BAD_REQUEST'],
})

export const removePlayground = endpoint({
  id: 'removePlayground',
  method: 'DELETE',
  path: '/realm/playgrounds/:playground_id',
  summary: 'Remove a code playground.',
  since: 49,
  input: z.object({ playground_id: id }),
  output: nothing,
  errors: ['BAD_REQUEST'],
})

export const playgroundsChanged = event({
  type: 'realm_playgrounds',
  summary: 'The code playgrounds changed. Contains all of them.',
  payload: z.strictObject({ realm_playgrounds: z.array(playground) }),
  touches: ['realm_playgrounds'],
  apply(state, { realm_playgrounds }) {
    if (state['realm_playgrounds'] !== undefined) state['realm_playgrounds'] = realm_playgrounds
  },
})
