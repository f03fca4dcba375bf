import type { Strings } from '../en/index.ts'

export const hints: Strings['hints'] = {
  inbox: 'Was du noch nicht gelesen hast, steht hier beisammen, nach Themen.',
  next: (key) => `Mit ${key} kommst du von überall zum nächsten davon.`,
  topic: 'Was du schreibst, geht in dieses Thema. Gib hier ein anderes ein, um ein neues Gespräch anzufangen.',
  resolve: 'Ist ein Thema geklärt, sag es hier: Dann sehen alle, dass nichts mehr zu tun ist.',
  close: 'Verstanden',
}
