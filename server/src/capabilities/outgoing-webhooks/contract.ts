import type { Limit } from '../../kernel/limits.ts'

export const DELIVERY_LIMIT: Limit = {
  most: 1_000,
  per: 'account',
  what: 'messages that wait to be sent to one outgoing webhook bot; further ones are not, and the owner is told',
}
