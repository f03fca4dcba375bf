import { users } from '@parley/server/contract'
import type { Choice } from '../../kernel/setting.ts'
import { ask } from '../../platform/requests.ts'
import { ownId, userById } from './state.ts'

/** The own time zone, by which others see how late it is here; empty where one does not say. */
export const timezone: Choice<string> = {
  read: () => userById(ownId())?.timezone ?? '',
  write: async (value) => ((await ask(users.updateSettings, { timezone: value })) === undefined ? 'refused' : 'saved'),
}
