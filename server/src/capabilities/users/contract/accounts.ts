import * as z from 'zod/mini'
import { endpoint } from '../../../kernel/endpoint.ts'
import { composedText, id, nothing, string, text } from '../../../kernel/schemas.ts'
import { profileFieldValues } from './profile.ts'
import { MAX_FULL_NAME_CHARACTERS, role } from './users.ts'

export const MAX_DEACTIVATION_COMMENT_CHARACTERS = 2_000

export const createUser = endpoint({
  id: 'createUser',
  method: 'POST',
  path: '/users',
  summary: 'Create a user.',
  since: 0,
  input: z.object({ email: string, password: string, full_name: composedText(MAX_FULL_NAME_CHARACTERS) }),
  output: z.object({ user_id: id }),
  errors: ['BAD_REQUEST', 'CONFIRMATION_REQUIRED'],
})

const accountChangeParameters = {
  full_name: z.optional(composedText(MAX_FULL_NAME_CHARACTERS)),
  role: z.optional(role),
  new_email: z.optional(string),
  profile_data: z.optional(profileFieldValues),
}

export const updateUser = endpoint({
  id: 'updateUser',
  method: 'PATCH',
  path: '/users/:user_id',
  summary: "Update a user's name, role, email address, or profile.",
  since: 0,
  input: z.object({ user_id: id, ...accountChangeParameters }),
  output: nothing,
  errors: ['BAD_REQUEST', 'CONFIRMATION_REQUIRED'],
})

export const updateUserByEmail = endpoint({
  id: 'updateUserByEmail',
  method: 'PATCH',
  path: '/users/:email',
  summary: 'Update a user by email address.',
  since: 313,
  input: z.object({ email: string, ...accountChangeParameters }),
  output: nothing,
  errors: ['BAD_REQUEST', 'CONFIRMATION_REQUIRED'],
})

export const deactivateUser = endpoint({
  id: 'deactivateUser',
  method: 'DELETE',
  path: '/users/:user_id',
  summary: 'Deactivate a user. Their messages stay.',
  description:
    'Revokes what `POST /password_reset/confirm` revokes, except API keys, which answer `USER_DEACTIVATED`. ' +
    'Deactivates their bots. A bot that is deactivated alone keeps its API key and webhook.',
  since: 0,
  input: z.object({
    user_id: id,
    /** Shown only to the deactivated user, when `fetch_api_key` with the correct password is refused. */
    deactivation_notification_comment: z.optional(text(MAX_DEACTIVATION_COMMENT_CHARACTERS)),
  }),
  output: nothing,
  errors: ['BAD_REQUEST', 'CANNOT_DEACTIVATE_LAST_USER'],
})

export const deactivateOwnUser = endpoint({
  id: 'deactivateOwnUser',
  method: 'DELETE',
  path: '/users/me',
  summary: 'Deactivate your own account.',
  description: 'Revokes the same as `DELETE /users/:user_id`.',
  since: 0,
  input: nothing,
  output: nothing,
  errors: ['CANNOT_DEACTIVATE_LAST_USER', 'CONFIRMATION_REQUIRED'],
})

export const reactivateUser = endpoint({
  id: 'reactivateUser',
  method: 'POST',
  path: '/users/:user_id/reactivate',
  summary: 'Reactivate a user.',
  description:
    'Revokes what `POST /password_reset/confirm` revokes, including API keys; the password and two-factor ' +
    'authentication stay. Bots stay deactivated. The person who reactivates a bot of a deactivated owner becomes its ' +
    'owner: the bot gets a new API key and webhook token, is paused until its URL is set again, and loses its channel ' +
    'email addresses. Other bots keep their key.',
  since: 0,
  input: z.object({ user_id: id }),
  output: nothing,
  errors: ['BAD_REQUEST', 'CONFIRMATION_REQUIRED'],
})
