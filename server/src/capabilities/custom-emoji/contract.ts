import * as z from 'zod/mini'
import type { Limit } from '../../kernel/limits.ts'
import { endpoint } from '../../kernel/endpoint.ts'
import { event } from '../../kernel/event.ts'
import { boolean, id, nothing, string } from '../../kernel/schemas.ts'

export const MAX_EMOJI_NAME_LENGTH = 64
/** Every change sends the whole list, including deactivated emoji, which old messages still show. */
export const CUSTOM_EMOJI_LIMIT: Limit = {
  most: 1_000,
  per: 'organization',
  what: 'custom emoji, including deactivated ones',
}

export const customEmoji = z.strictObject({
  /** Same as `emoji_code` of reactions. */
  id: string,
  name: string,
  source_url: string,
  /** First frame of an animated emoji; null if the emoji is not animated. */
  still_url: z.nullable(string),
  deactivated: boolean,
  author_id: z.nullable(id),
})
export type CustomEmoji = z.output<typeof customEmoji>

const emojiById = z.record(string, customEmoji)

export const getCustomEmoji = endpoint({
  id: 'getCustomEmoji',
  method: 'GET',
  path: '/realm/emoji',
  summary: 'List custom emoji, including deactivated ones.',
  since: 0,
  forTokens: 'reading',
  input: nothing,
  output: z.object({ emoji: emojiById }),
  errors: [],
})

export const uploadCustomEmoji = endpoint({
  id: 'uploadCustomEmoji',
  method: 'POST',
  path: '/realm/emoji/:emoji_name',
  summary: 'Upload a custom emoji.',
  since: 0,
  file: 'picture',
  input: z.object({ emoji_name: string }),
  output: nothing,
  errors: ['BAD_REQUEST', 'BAD_IMAGE'],
})

export const deactivateCustomEmoji = endpoint({
  id: 'deactivateCustomEmoji',
  method: 'DELETE',
  path: '/realm/emoji/:emoji_name',
  summary: 'Deactivate a custom emoji. It stays where it was used.',
  since: 0,
  input: z.object({ emoji_name: string }),
  output: nothing,
  errors: ['BAD_REQUEST'],
})

export const customEmojiChanged = event({
  type: 'realm_emoji',
  op: 'update',
  summary: 'The custom emoji changed. Contains all of them.',
  payload: z.strictObject({ realm_emoji: emojiById }),
  touches: ['realm_emoji'],
  apply(state, { realm_emoji }) {
    if (state['realm_emoji'] !== undefined) state['realm_emoji'] = realm_emoji
  },
})
