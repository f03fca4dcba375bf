import * as z from 'zod/mini'
import type { Limit } from '../../../kernel/limits.ts'
import { endpoint } from '../../../kernel/endpoint.ts'
import { nothing, string, text } from '../../../kernel/schemas.ts'

/** Code points per key. */
export const MAX_KEY = 500
export const STORED_CHARACTER_LIMIT: Limit = {
  most: 2_000_000,
  per: 'account',
  what: 'characters of stored values and their keys',
}
export const STORED_KEY_LIMIT: Limit = { most: 50_000, per: 'account', what: 'stored values' }

/** Values by key, opaque to the server. */
const entries = z.record(text(MAX_KEY), string)
const keys = z.optional(z.array(text(MAX_KEY)))

export const getStorage = endpoint({
  id: 'getStorage',
  method: 'GET',
  path: '/bot_storage',
  summary: 'Read what the own bot keeps: the given keys, or everything.',
  since: 0,
  input: z.object({ keys }),
  output: z.object({ storage: z.record(string, string) }),
  errors: ['BAD_REQUEST'],
})

export const updateStorage = endpoint({
  id: 'updateStorage',
  method: 'PUT',
  path: '/bot_storage',
  summary: 'Keep values for the own bot. Keys that are not given stay as they are.',
  since: 0,
  input: z.object({ storage: entries }),
  output: nothing,
  errors: ['BAD_REQUEST'],
})

export const removeStorage = endpoint({
  id: 'removeStorage',
  method: 'DELETE',
  path: '/bot_storage',
  summary: 'Forget what the own bot keeps: the given keys, or everything.',
  since: 0,
  input: z.object({ keys }),
  output: nothing,
  errors: ['BAD_REQUEST'],
})
