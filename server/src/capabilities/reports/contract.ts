import * as z from 'zod/mini'
import { endpoint } from '../../kernel/endpoint.ts'
import { id, nothing, text } from '../../kernel/schemas.ts'

export const REPORT_REASONS = {
  spam: 'Spam',
  harassment: 'Harassment',
  inappropriate: 'Inappropriate content',
  norms: 'Violates the norms here',
  other: 'Other reason',
} as const

export const REPORTS_TOPIC = 'message reports'

const MAX_EXPLANATION_CHARACTERS = 1_000

export const reportMessage = endpoint({
  id: 'reportMessage',
  method: 'POST',
  path: '/messages/:message_id/report',
  summary: 'Report a message to the moderators.',
  since: 382,
  input: z.object({
    message_id: id,
    report_type: z.enum(['spam', 'harassment', 'inappropriate', 'norms', 'other']),
    /** Required for `other`. */
    description: z._default(text(MAX_EXPLANATION_CHARACTERS), ''),
  }),
  output: nothing,
  errors: ['BAD_REQUEST'],
})
