import * as z from 'zod/mini'
import { COUNT_LIMITS } from '../../../kernel/limits.ts'
import { endpoint } from '../../../kernel/endpoint.ts'
import { nothing, string, text } from '../../../kernel/schemas.ts'

/** The limit of one key, in code points. */
export const MAX_KEY = 500
/** The limit of all keys and values that one account keeps, in code points. */
export const MAX_CHARACTERS = COUNT_LIMITS.storedCharacters.most
/** Keys that one account keeps. */
export const MAX_KEYS = COUNT_LIMITS.storedKeys.most

/** Values by key. What values mean, only the bot's program knows. */
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
