import type { Limit } from '../../kernel/limits.ts'

export const OUTGOING_MAIL_LIMIT: Limit = {
  most: 10_000,
  per: 'organization',
  what: 'e-mails that wait for being sent; no more are written then',
}
