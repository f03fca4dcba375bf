import * as z from 'zod/mini'
import { endpoint } from '../../../kernel/endpoint.ts'
import { event } from '../../../kernel/event.ts'
import { id, nothing } from '../../../kernel/schemas.ts'

export const deactivateRealm = endpoint({
  id: 'deactivateRealm',
  method: 'POST',
  path: '/realm/deactivate',
  summary: 'End the organization: nobody can use it any more. Only owners may.',
  description:
    'Everything that was written stays stored, and those who run the server can bring the organization back. Until then ' +
    'every request to it is refused with `REALM_DEACTIVATED`.',
  since: 0,
  input: nothing,
  output: nothing,
  errors: ['BAD_REQUEST'],
})

export const realmDeactivated = event({
  type: 'realm',
  op: 'deactivated',
  summary: 'The organization was deactivated. It is the last event of every queue.',
  payload: z.strictObject({ realm_id: id }),
  touches: [],
  apply() {},
})
