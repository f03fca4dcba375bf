import * as z from 'zod/mini'
import { endpoint } from '../../kernel/endpoint.ts'
import { event } from '../../kernel/event.ts'
import { boolean, id, nothing } from '../../kernel/schemas.ts'

const publicPageSettings = {
  /** Whether the channel's public pages ask search engines not to list them. */
  hidden_from_search_engines: boolean,
}

export const getPublicPageSettings = endpoint({
  id: 'getPublicPageSettings',
  method: 'GET',
  path: '/streams/:stream_id/public_pages',
  summary: "Get the settings of a channel's public pages.",
  description: 'A channel has public pages while it is web-public. Its settings are kept when it is not.',
  since: 420,
  forTokens: 'reading',
  input: z.object({ stream_id: id }),
  output: z.object(publicPageSettings),
  errors: ['BAD_REQUEST'],
})

export const updatePublicPageSettings = endpoint({
  id: 'updatePublicPageSettings',
  method: 'PATCH',
  path: '/streams/:stream_id/public_pages',
  summary: "Change the settings of a channel's public pages.",
  description: 'Clients with the capability `public_pages` get an event.',
  since: 420,
  input: z.object({ stream_id: id, ...publicPageSettings }),
  output: nothing,
  errors: ['BAD_REQUEST', 'CANNOT_ADMINISTER_CHANNEL'],
})

/** Sent only to clients with the capability `public_pages`. */
export const publicPageSettingsUpdated = event({
  type: 'public_pages',
  summary: "The settings of a channel's public pages changed.",
  payload: z.strictObject({ stream_id: id, ...publicPageSettings }),
  touches: [],
  apply: () => undefined,
})
