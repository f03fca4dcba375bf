import type { Strings } from '../en/index.ts'

export const search: Strings['search'] = {
  emoji: 'Emoji suchen',
  label: 'Nachrichten suchen',
  placeholder: 'Wörter, channel:Name, topic:Name, sender:Name, is:starred, has:link',
  messages: (query) => `Nachrichten mit „${query}“ suchen`,
}
