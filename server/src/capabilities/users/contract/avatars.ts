import * as z from 'zod/mini'
import { endpoint } from '../../../kernel/endpoint.ts'
import { nothing, string } from '../../../kernel/schemas.ts'

/** Path of the new avatar's URL. */
const output = z.object({ avatar_url: string })

export const uploadAvatar = endpoint({
  id: 'uploadAvatar',
  method: 'POST',
  path: '/users/me/avatar',
  summary: 'Upload your avatar.',
  since: 0,
  file: 'picture',
  input: nothing,
  output,
  errors: ['BAD_REQUEST', 'BAD_IMAGE'],
})

export const removeAvatar = endpoint({
  id: 'removeAvatar',
  method: 'DELETE',
  path: '/users/me/avatar',
  summary: 'Reset your avatar.',
  since: 0,
  input: nothing,
  output,
  errors: ['BAD_REQUEST'],
})
