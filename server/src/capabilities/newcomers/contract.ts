import * as z from 'zod/mini'
import { endpoint } from '../../kernel/endpoint.ts'
import { id, text } from '../../kernel/schemas.ts'
import { MAX_WELCOME_TEXT } from '../organizations/contract/settings.ts'

export const testWelcomeMessage = endpoint({
  id: 'testWelcomeMessage',
  method: 'POST',
  path: '/realm/test_welcome_bot_custom_message',
  summary: 'Get the message that a text would be to a newcomer. For organization administrators.',
  since: 416,
  input: z.object({ welcome_message_custom_text: text(MAX_WELCOME_TEXT) }),
  output: z.object({ message_id: id }),
  errors: ['BAD_REQUEST'],
})
