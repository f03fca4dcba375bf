import type { Administration } from '../../en/administration/index.ts'

export const exports: Administration['exports'] = {
  title: 'Datenexporte',
  archives: 'Exporte',
  archivesMore: 'Exporte entstehen im Hintergrund. Nur angemeldete Administratoren können sie herunterladen.',
  none: 'Noch keine Exporte',
  noneMore: 'Starte einen Export, um die Daten der Organisation mitzunehmen.',
  what: 'Zu exportierende Daten',
  types: { 1: 'Öffentliche Daten', 2: 'Öffentliche Daten sowie private mit Zustimmung' },
  typesMore: {
    1: 'Öffentliche Kanäle mit Nachrichten und Dateien, Personen und Einstellungen der Organisation',
    2: 'Dazu private Kanäle, Direktnachrichten, Dateien und persönliche Daten aller, die zustimmen',
  },
  begin: 'Export starten',
  begunBy: (when, person) => `${when}, ${person}`,
  pending: 'läuft',
  failed: 'fehlgeschlagen',
  removed: 'gelöscht',
  fetch: 'Herunterladen',
  fetchOf: (when) => `Export vom ${when} herunterladen`,
  remove: 'Export löschen',
  removeOf: (when) => `Export vom ${when} löschen`,
  removeSure: (when) => `Export vom ${when} löschen? Er kann dann nicht mehr heruntergeladen werden.`,
  consents: 'Zustimmung',
  consentsMore:
    'Ob ihre privaten Daten exportiert werden dürfen, legen alle selbst in ihren Einstellungen unter „Profil“ fest.',
  consenting: (agreeing, all) => `${agreeing} von ${all} Personen stimmen zu`,
  consent: 'Administratoren den Export deiner privaten Daten erlauben',
  consentMore:
    'Umfasst deine Direktnachrichten, privaten Kanäle, Dateien, Entwürfe und Einstellungen. Du kannst die Zustimmung später widerrufen; vorhandene Exporte bleiben bestehen.',
}
