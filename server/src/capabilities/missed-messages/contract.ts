import type { Limit } from '../../kernel/limits.ts'

export const CONVERSATION_MAIL_LIMIT: Limit = {
  most: 20,
  per: 'user',
  what: 'e-mails about missed messages at one time, one for each conversation; one more tells of the others',
}

export const MAX_SHOWN_MESSAGES = 20
