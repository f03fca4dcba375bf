import { ApiError } from '../../kernel/refusal.ts'
import type { Member } from '../groups/rules.ts'
import type { UserRow } from '../users/queries/index.ts'
import { requireModerator } from '../users/rules/index.ts'
import type { Ban } from './contract.ts'

/** Requires a role above that of the banned person. @throws ApiError BAD_REQUEST */
export function requireMayBan(actor: Member, target: UserRow): void {
  requireModerator(actor)
  if (target.botType !== null)
    throw new ApiError('BAD_REQUEST', 'Bots cannot be banned. Deactivate the bot, or ban its owner.')
  if (target.role <= actor.role) throw new ApiError('BAD_REQUEST', 'You can only ban people whose role is below yours.')
}

/** Error for the banned user. Web clients translate these sentences. */
export function describeBan({ reason, ends_at: endsAt }: Pick<Ban, 'reason' | 'ends_at'>): string {
  if (endsAt === null) return `You are banned. Reason: ${reason}`
  const time = new Date(endsAt * 1_000).toISOString().slice(0, 16).replace('T', ' ')
  return `You are banned until ${time} UTC. Reason: ${reason}`
}
