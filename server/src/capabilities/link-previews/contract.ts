import type { Limit } from '../../kernel/limits.ts'

export const WAITING_PREVIEW_LIMIT: Limit = {
  most: 500,
  per: 'organization',
  what: 'links waiting for a preview; links beyond the limit get none',
}

export const PREVIEW_LIMIT: Limit = {
  most: 20_000,
  per: 'organization',
  what: 'stored link previews; the oldest are removed from their messages',
}
