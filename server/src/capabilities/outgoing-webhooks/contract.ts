import type { Limit } from '../../kernel/limits.ts'

export const DELIVERY_LIMIT: Limit = {
  most: 1_000,
  per: 'account',
  what: 'messages waiting for one outgoing webhook bot; further ones are dropped and reported to the owner',
}
