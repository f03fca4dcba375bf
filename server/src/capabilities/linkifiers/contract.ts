import * as z from 'zod/mini'
import type { Limit } from '../../kernel/limits.ts'
import { endpoint } from '../../kernel/endpoint.ts'
import { event } from '../../kernel/event.ts'
import { id, nothing, string, text } from '../../kernel/schemas.ts'

export const MAX_PATTERN_CHARACTERS = 1_000
export const MAX_URL_TEMPLATE_CHARACTERS = 1_000
/** Every message is matched against all linkifiers, and every change sends the whole list. */
export const LINKIFIER_LIMIT: Limit = { most: 200, per: 'organization', what: 'linkifiers' }

const pattern = text(MAX_PATTERN_CHARACTERS)
const urlTemplate = text(MAX_URL_TEMPLATE_CHARACTERS)

export const linkifier = z.strictObject({
  /** Python syntax without lookaround and backreferences; `(?P<name>…)` sets a variable. */
  pattern: string,
  /** URL template as in RFC 6570. */
  url_template: string,
  id,
})
export type Linkifier = z.output<typeof linkifier>

/** Format for the oldest clients: pattern, `https://bugs.example.org/%(id)s`, ID. */
export const legacyLinkifier = z.tuple([string, string, id])
export type LegacyLinkifier = z.output<typeof legacyLinkifier>

export const getLinkifiers = endpoint({
  id: 'getLinkifiers',
  method: 'GET',
  path: '/realm/linkifiers',
  summary: 'List linkifiers in order.',
  since: 54,
  forTokens: 'reading',
  input: nothing,
  output: z.object({ linkifiers: z.array(linkifier) }),
  errors: [],
})

export const addLinkifier = endpoint({
  id: 'addLinkifier',
  method: 'POST',
  path: '/realm/filters',
  summary: 'Create a linkifier for new messages.',
  description:
    'The pattern uses RE2 syntax, which matches in linear time. Look-ahead, look-behind, and backreferences are ' +
    'refused with `BAD_REQUEST`.',
  since: 0,
  input: z.object({ pattern, url_template: urlTemplate }),
  output: z.object({ id }),
  errors: ['BAD_REQUEST'],
})

export const updateLinkifier = endpoint({
  id: 'updateLinkifier',
  method: 'PATCH',
  path: '/realm/filters/:filter_id',
  summary: 'Update a linkifier for new messages.',
  since: 57,
  input: z.object({ filter_id: id, pattern, url_template: urlTemplate }),
  output: nothing,
  errors: ['BAD_REQUEST'],
})

export const removeLinkifier = endpoint({
  id: 'removeLinkifier',
  method: 'DELETE',
  path: '/realm/filters/:filter_id',
  summary: 'Remove a linkifier. Messages keep the links they have.',
  since: 0,
  input: z.object({ filter_id: id }),
  output: nothing,
  errors: ['BAD_REQUEST'],
})

export const reorderLinkifiers = endpoint({
  id: 'reorderLinkifiers',
  method: 'PATCH',
  path: '/realm/linkifiers',
  summary: 'Reorder linkifiers.',
  since: 202,
  input: z.object({
    /** Must contain each linkifier's ID exactly once. */
    ordered_linkifier_ids: z.array(id).check(z.maxLength(LINKIFIER_LIMIT.most)),
  }),
  output: nothing,
  errors: ['BAD_REQUEST'],
})

export const linkifiersChanged = event({
  type: 'realm_linkifiers',
  summary: 'The linkifiers changed. Contains all of them. For clients with `linkifier_url_template`.',
  payload: z.strictObject({ realm_linkifiers: z.array(linkifier) }),
  touches: ['realm_linkifiers'],
  apply(state, { realm_linkifiers }) {
    if (state['realm_linkifiers'] !== undefined) state['realm_linkifiers'] = realm_linkifiers
  },
})

export const legacyLinkifiersChanged = event({
  type: 'realm_filters',
  summary: 'The linkifiers changed. For clients without `linkifier_url_template`. Contains those they support.',
  payload: z.strictObject({ realm_filters: z.array(legacyLinkifier) }),
  touches: ['realm_filters'],
  apply(state, { realm_filters }) {
    if (state['realm_filters'] !== undefined) state['realm_filters'] = realm_filters
  },
})
