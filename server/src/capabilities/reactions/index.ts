import { capability, direct, type EventBinding } from '../../platform/capability.ts'
import { userById } from '../users/queries.ts'
import { addReaction, removeReaction } from './actions.ts'
import * as contract from './contract.ts'

const present: EventBinding['present'] = ({ payload }, { world }) => {
  // The payload is the declared one.
  const { user_id } = payload as contract.ReactionEvent
  const user = userById(world, user_id)
  return user === undefined ? payload : { ...payload, user: { user_id, email: user.email, full_name: user.fullName } }
}

/** Reactions: emoji that people put on messages. */
export const reactions = capability({
  name: 'reactions',
  tables: ['reactions'],
  routes: [direct(contract.addReaction, addReaction), direct(contract.removeReaction, removeReaction)],
  events: [
    { event: contract.reactionAdded, present },
    { event: contract.reactionRemoved, present },
  ],
})
