import type { Administration } from '../../en/administration/index.ts'

export const devices: Administration['devices'] = {
  title: 'Geräte',
  where: 'Wo du angemeldet bist',
  this: 'Dieses Gerät',
  signOut: 'Abmelden',
  others: 'Überall sonst abmelden',
  othersSure: 'Alle anderen Geräte müssen sich neu anmelden.',
  none: 'Du bist nirgends sonst angemeldet.',
  ended: 'Abgemeldet',
  used: (day: string) => `Zuletzt benutzt: ${day}`,
  signOutOf: (device: string) => `Abmelden: ${device}`,
}
