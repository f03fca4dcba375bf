import * as z from 'zod/mini'
import { event } from '../../../kernel/event.ts'
import { id } from '../../../kernel/schemas.ts'
import { changeableBotFields, managedBot, managedBotsIn } from '../../users/contract/bots.ts'

export const botAdded = event({
  type: 'realm_bot',
  op: 'add',
  summary: 'There is a bot that the receiver manages: it was made, or became the receiver’s to manage.',
  payload: z.strictObject({ bot: managedBot }),
  touches: ['realm_bots'],
  apply(state, { bot }) {
    const bots = managedBotsIn(state)
    if (bots === undefined) return
    const others = bots.filter(({ user_id }) => user_id !== bot.user_id)
    state['realm_bots'] = [...others, bot].toSorted((a, b) => a.user_id - b.user_id)
  },
})

export const botUpdated = event({
  type: 'realm_bot',
  op: 'update',
  summary: 'A bot that the receiver manages changed: it has the fields that changed.',
  payload: z.strictObject({ bot: z.extend(z.partial(z.strictObject(changeableBotFields)), { user_id: id }) }),
  touches: ['realm_bots'],
  apply(state, { bot }) {
    const known = managedBotsIn(state)?.find(({ user_id }) => user_id === bot.user_id)
    if (known !== undefined) Object.assign(known, bot)
  },
})

export const botDeleted = event({
  type: 'realm_bot',
  op: 'delete',
  summary: 'The receiver does not manage a bot any more. The bot may go on.',
  payload: z.strictObject({ bot: z.strictObject({ user_id: id }) }),
  touches: ['realm_bots'],
  apply(state, { bot }) {
    const bots = managedBotsIn(state)
    if (bots !== undefined) state['realm_bots'] = bots.filter(({ user_id }) => user_id !== bot.user_id)
  },
})
