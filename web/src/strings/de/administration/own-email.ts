import type { Administration } from '../../en/administration/index.ts'

export const ownEmail: Administration['ownEmail'] = {
  title: 'E-Mail-Adresse',
  more: 'Für die Anmeldung und den Empfang von E-Mails.',
  other: 'Neue E-Mail-Adresse',
  change: 'Ändern',
  isFixed: 'Nur Administratoren können E-Mail-Adressen ändern.',
  onItsWay: (email) =>
    `Wir haben einen Link an ${email} geschickt. Öffne ihn innerhalb eines Tages zur Bestätigung; bis dahin bleibt deine Adresse unverändert.`,
  changed: (email) => `E-Mail-Adresse geändert in ${email}`,
}
