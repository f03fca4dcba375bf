import type { Administration } from '../../en/administration/index.ts'

export const exports: Administration['exports'] = {
  title: 'Datenexporte',
  archives: 'Archive',
  archivesMore: 'Ein Archiv entsteht im Hintergrund. Wer es holt, muss als Administrator angemeldet sein.',
  none: 'Noch keine Exporte',
  noneMore: 'Beginne einen, um die Daten der Organisation anderswohin mitzunehmen.',
  what: 'Was exportiert wird',
  types: { 1: 'Öffentliche Daten', 2: 'Öffentliche und private Daten, von allen, die zustimmen' },
  typesMore: {
    1: 'Was alle Mitglieder lesen dürfen: öffentliche Kanäle mit ihren Nachrichten und Dateien, Personen, und was der Organisation gehört',
    2: 'Zusätzlich von allen, die zustimmen: private Kanäle, Direktnachrichten, Dateien und was ihnen selbst gehört',
  },
  begin: 'Export beginnen',
  begunBy: (when, person) => `${when}, ${person}`,
  pending: 'wird gemacht',
  failed: 'fehlgeschlagen',
  removed: 'gelöscht',
  fetch: 'Herunterladen',
  fetchOf: (when) => `Archiv von ${when} herunterladen`,
  remove: 'Archiv löschen',
  removeOf: (when) => `Archiv löschen: ${when}`,
  removeSure: (when) => `Das Archiv von ${when} löschen? Es kann dann nicht mehr geholt werden.`,
  consents: 'Wer zustimmt',
  consentsMore: 'Ob ihre privaten Daten exportiert werden dürfen, wählen Personen in ihren Einstellungen unter Profil.',
  consenting: (agreeing, all) => `${agreeing} von ${all} Personen stimmen zu`,
  consent: 'Administratoren dürfen meine privaten Daten exportieren',
  consentMore:
    'Deine Direktnachrichten, die privaten Kanäle, die du liest, deine Dateien, Entwürfe und Einstellungen. Du kannst es zurücknehmen; Archive, die es schon gibt, bleiben.',
}
