import { users } from '@parley/server/contract'
import type { Choice } from '../../kernel/setting.ts'
import { ask } from '../../platform/requests.ts'
import { ownId, userById } from './state.ts'

/** The user's time zone, from which other people see the user's local time; empty if not set. */
export const timezone: Choice<string> = {
  read: () => userById(ownId())?.timezone ?? '',
  write: async (value) => ((await ask(users.updateSettings, { timezone: value })) === undefined ? 'refused' : 'saved'),
}
