import type { Strings } from '../en/index.ts'

export const notifications: Strings['notifications'] = {
  hidden: 'Neue Nachricht',
}
