import type { Strings } from '../en/index.ts'

export const people: Strings['people'] = {
  write: 'Direktnachricht schreiben',
  messagesOf: 'Nachrichten dieser Person suchen',
  mute: 'Stumm schalten',
  unmute: 'Nicht mehr stumm',
  open: (name) => `${name}: was tun`,
  active: 'da',
  idle: 'abwesend',
  offline: 'nicht da',
}
