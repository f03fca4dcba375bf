import * as z from 'zod/mini'
import { endpoint } from '../../kernel/endpoint.ts'
import { id, text } from '../../kernel/schemas.ts'
import { MAX_WELCOME_TEXT_CHARACTERS } from '../organizations/contract/settings.ts'

export const testWelcomeMessage = endpoint({
  id: 'testWelcomeMessage',
  method: 'POST',
  path: '/realm/test_welcome_bot_custom_message',
  summary: 'Send yourself a preview of the welcome message. Administrators only.',
  since: 416,
  input: z.object({ welcome_message_custom_text: text(MAX_WELCOME_TEXT_CHARACTERS) }),
  output: z.object({ message_id: id }),
  errors: ['BAD_REQUEST'],
})
