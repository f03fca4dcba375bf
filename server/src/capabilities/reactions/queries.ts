import type { Db } from '../../kernel/transaction.ts'
import type { LoggedEvent } from '../../kernel/event-binding.ts'
import type { Viewer } from '../../kernel/viewer.ts'
import type { Reaction } from '../messages/contract/index.ts'
import { unknownSender, userById } from '../users/queries/index.ts'
import { canSeeUser, viewingMember } from '../users/rules/visibility.ts'
import type { ReactionEvent } from './contract.ts'

export async function reactionsOf(
  db: Db,
  organizationId: number,
  messageIds: readonly number[],
): Promise<Map<number, Reaction[]>> {
  const byMessage = new Map<number, Reaction[]>()
  if (messageIds.length === 0) return byMessage
  const rows = await db.rows<Reaction & { message_id: number }>(
    'reactions_of',
    `select message_id, emoji_name, emoji_code, reaction_type, user_id from reactions
     where organization_id = $1 and message_id = any($2::bigint[]) order by message_id, position`,
    [organizationId, messageIds],
  )
  for (const { message_id, ...reaction } of rows) {
    const known = byMessage.get(message_id)
    if (known === undefined) byMessage.set(message_id, [reaction])
    else known.push(reaction)
  }
  return byMessage
}

/** Hides the name and email of users whom a limited guest cannot see. */
export function reactionToClient(
  { payload }: LoggedEvent<ReactionEvent>,
  viewer: Viewer,
): Readonly<Record<string, unknown>> {
  const { organization } = viewer
  const { user_id } = payload
  const user = userById(organization, user_id)
  if (user === undefined) return payload
  const isKnown = canSeeUser(organization, viewingMember(viewer), user)
  const shown = isKnown ? { email: user.email, full_name: user.fullName } : unknownSender(organization, user_id)
  return { ...payload, user: { user_id, ...shown } }
}
