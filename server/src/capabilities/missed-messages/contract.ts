import type { Limit } from '../../kernel/limits.ts'

export const CONVERSATION_MAIL_LIMIT: Limit = {
  most: 20,
  per: 'user',
  what: 'emails about missed messages at a time, one per conversation; one more email covers the rest',
}

export const MAX_SHOWN_MESSAGES = 20
