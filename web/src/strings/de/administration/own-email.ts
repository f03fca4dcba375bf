import type { Administration } from '../../en/administration/index.ts'

export const ownEmail: Administration['ownEmail'] = {
  title: 'E-Mail-Adresse',
  more: 'Mit ihr meldest du dich an, und dorthin gehen E-Mails.',
  other: 'Andere E-Mail-Adresse',
  change: 'Ändern',
  isFixed: 'Adressen ändert hier nur die Verwaltung.',
  onItsWay: (email) =>
    `Eine E-Mail ist unterwegs an ${email}. Öffne innerhalb eines Tages den Link darin; bis dahin bleibt deine Adresse, wie sie ist.`,
  changed: (email) => `Deine Adresse ist jetzt ${email}.`,
}
