import * as z from 'zod/mini'
import { endpoint } from '../../../kernel/endpoint.ts'
import { event } from '../../../kernel/event.ts'
import { id, nothing } from '../../../kernel/schemas.ts'

export const deactivateRealm = endpoint({
  id: 'deactivateRealm',
  method: 'POST',
  path: '/realm/deactivate',
  summary: 'Deactivate the organization. Owners only.',
  description:
    "Nothing is deleted, and the server's operator can reactivate the organization. Until then, all requests to " +
    'it are refused with `REALM_DEACTIVATED`.',
  since: 0,
  input: nothing,
  output: nothing,
  errors: ['BAD_REQUEST'],
})

export const realmDeactivated = event({
  type: 'realm',
  op: 'deactivated',
  summary: 'The organization was deactivated. The last event of every queue.',
  payload: z.strictObject({ realm_id: id }),
  touches: [],
  apply() {},
})
