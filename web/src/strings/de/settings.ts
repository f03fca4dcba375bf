import type { Strings } from '../en/index.ts'

export const settings: Strings['settings'] = {
  title: 'Einstellungen',
  sections: 'Teile der Einstellungen',
  allSections: 'Alle Einstellungen',
  owners: { person: 'Du', organization: 'Organisation' },
  atOnceForAll: 'Was du wählst, gilt sofort, für alle in der Organisation.',
  atOnce: 'Was du wählst, gilt sofort, in jedem Browser, in dem du angemeldet bist.',
  saved: 'Gespeichert',
  waits: 'Wird gespeichert, sobald es eine Verbindung gibt',
  writing: 'Schreiben',
  reading: 'Lesen',
}
