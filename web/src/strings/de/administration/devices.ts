import type { Administration } from '../../en/administration/index.ts'

export const devices: Administration['devices'] = {
  title: 'Geräte',
  where: 'Angemeldete Geräte',
  this: 'Dieses Gerät',
  signOut: 'Abmelden',
  others: 'Überall sonst abmelden',
  othersSure: 'Alle anderen Geräte abmelden? Sie müssen sich dann neu anmelden.',
  none: 'Du bist sonst nirgends angemeldet.',
  ended: 'Abgemeldet',
  used: (day: string) => `Zuletzt verwendet am ${day}`,
  signOutOf: (device: string) => `Abmelden: ${device}`,
}
