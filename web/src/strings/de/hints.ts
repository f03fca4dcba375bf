import type { Strings } from '../en/index.ts'

export const hints: Strings['hints'] = {
  inbox: 'Hier erscheinen ungelesene Nachrichten, nach Themen gruppiert.',
  next: (key) => `Mit ${key} öffnest du von überall die nächste.`,
  topic: 'Deine Nachricht geht in dieses Thema. Gib einen anderen Namen ein, um ein neues Thema zu beginnen.',
  resolve: 'Geklärt? Markiere das Thema als erledigt.',
  close: 'Verstanden',
}
