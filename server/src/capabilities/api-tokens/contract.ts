import * as z from 'zod/mini'
import { endpoint } from '../../kernel/endpoint.ts'
import type { Limit } from '../../kernel/limits.ts'
import { boolean, composedText, idInRequest, id, integer, nothing, string } from '../../kernel/schemas.ts'

export const API_TOKEN_LIMIT: Limit = { most: 50, per: 'user', what: 'API tokens, including expired ones' }

export const MAX_TOKEN_NAME_LENGTH = 60
export const MAX_TOKEN_CHANNELS = 100

export const getApiTokens = endpoint({
  id: 'getApiTokens',
  method: 'GET',
  path: '/api_tokens',
  summary: 'List your API tokens, newest first. Tokens are not stored in readable form.',
  since: 420,
  input: nothing,
  output: z.object({
    api_tokens: z.array(
      z.strictObject({
        id,
        name: string,
        is_read_only: boolean,
        channel_ids: z.nullable(z.array(id)),
        /** UNIX seconds. */
        created_at: integer,
        /** Null if the token does not expire. */
        expires_at: z.nullable(integer),
        /** Rounded to the hour; null if never used. */
        last_used_at: z.nullable(integer),
      }),
    ),
  }),
  errors: [],
})

export const createApiToken = endpoint({
  id: 'createApiToken',
  method: 'POST',
  path: '/api_tokens',
  summary: 'Create an API token for a program, with limited access and an expiration.',
  description:
    "Requires the account's password, if it has one. The token is returned only once. A program sends it in place " +
    'of the API key, or as `Authorization: Bearer`. Each endpoint documents the scope that it requires; most do ' +
    'not accept tokens. A token with write access has your permissions for your own account only: it cannot ' +
    'subscribe or unsubscribe other users. A token limited to channels cannot open files or attach them to ' +
    'messages.',
  since: 420,
  input: z.object({
    name: composedText(MAX_TOKEN_NAME_LENGTH),
    password: z._default(string, ''),
    is_read_only: z._default(boolean, true),
    /** Limits reading and sending to these channels; omit to allow every channel. */
    channel_ids: z.optional(z.array(idInRequest).check(z.minLength(1), z.maxLength(MAX_TOKEN_CHANNELS))),
    expires_at: z.optional(integer),
  }),
  output: z.object({ api_token_id: id, api_token: string }),
  errors: ['BAD_REQUEST', 'STREAM_DOES_NOT_EXIST', 'CONFIRMATION_REQUIRED'],
})

export const revokeApiToken = endpoint({
  id: 'revokeApiToken',
  method: 'DELETE',
  path: '/api_tokens/:api_token_id',
  summary: 'Revoke one of your API tokens and end its event queues.',
  since: 420,
  input: z.object({ api_token_id: id }),
  output: nothing,
  errors: ['BAD_REQUEST'],
})
