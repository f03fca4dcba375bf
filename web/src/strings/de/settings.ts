import type { Strings } from '../en/index.ts'

export const settings: Strings['settings'] = {
  title: 'Einstellungen',
  sections: 'Einstellungsbereiche',
  allSections: 'Alle Einstellungen',
  owners: { person: 'Du', organization: 'Organisation' },
  saved: 'Gespeichert',
  waits: 'Wird gespeichert, sobald du wieder online bist',
  writing: 'Schreiben',
  reading: 'Lesen',
}
