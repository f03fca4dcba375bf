import { capability, direct } from '../../platform/capability.ts'
import type { EventBinding } from '../../kernel/event-binding.ts'
import { unknownSender, userById } from '../users/queries.ts'
import { isLimitedGuestViewer, canSeeUser, viewingMember } from '../users/rules/visibility.ts'
import { addReaction, removeReaction } from './actions.ts'
import * as contract from './contract.ts'

const present: EventBinding['toClient'] = ({ payload }, viewer) => {
  const { organization } = viewer
  // The payload is the declared one.
  const { user_id } = payload as contract.ReactionEvent
  const user = userById(organization, user_id)
  if (user === undefined) return payload
  const isKnown = canSeeUser(organization, viewingMember(viewer), user)
  const shown = isKnown ? { email: user.email, full_name: user.fullName } : unknownSender(organization, user_id)
  return { ...payload, user: { user_id, ...shown } }
}

/** Those who do not see everybody may not know who reacted. */
const apart = isLimitedGuestViewer

/** Reactions: emoji that people put on messages. */
export const reactions = capability({
  name: 'reactions',
  tables: ['reactions'],
  routes: [direct(contract.addReaction, addReaction), direct(contract.removeReaction, removeReaction)],
  events: [
    { event: contract.reactionAdded, encodeSeparately: apart, toClient: present },
    { event: contract.reactionRemoved, encodeSeparately: apart, toClient: present },
  ],
})
