import * as z from 'zod/mini'
import { endpoint } from '../../kernel/endpoint.ts'
import { event } from '../../kernel/event.ts'
import { boolean, id, nothing, string } from '../../kernel/schemas.ts'
import { REALM_SETTINGS } from '../organizations/contract/settings.ts'
import { USER_SETTINGS } from '../users/contract/settings.ts'

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

export const getPublicNames = endpoint({
  id: 'getPublicNames',
  method: 'GET',
  path: '/public_names',
  summary: 'Get how people without an account see your name.',
  description:
    'They see the full name, the given name, or a pseudonym with a generated picture: the more private one of ' +
    '`public_names` of `PATCH /realm` and `public_name` of `PATCH /settings`. This includes mentions and searches. ' +
    'A pseudonym is the same everywhere in the organization. Bots always show their names.',
  since: 420,
  forTokens: 'reading',
  input: nothing,
  output: z.object({
    /** The organization's choice. */
    organization: REALM_SETTINGS.public_names.type,
    /** Your own choice. */
    own: USER_SETTINGS.public_name.type,
    /** Your name as people without an account see it. */
    shown_name: string,
  }),
  errors: [],
})

/** Sent only to clients with the capability `public_pages`. */
export const publicPageSettingsUpdated = event({
  type: 'public_pages',
  summary: "The settings of a channel's public pages changed.",
  payload: z.strictObject({ stream_id: id, ...publicPageSettings }),
  touches: [],
  apply: () => undefined,
})
