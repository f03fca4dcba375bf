import type { Strings } from '../en/index.ts'
import { count } from './numbers.ts'

export const composer: Strings['composer'] = {
  label: (where) => `Nachricht an ${where}`,
  placeholder: (where) => `Nachricht an ${where}`,
  send: 'Senden',
  destination: 'Geht an',
  attach: 'Datei anhängen',
  uploading: (name) => `${name} wird hochgeladen …`,
  uploadFailed: (name) => `${name} konnte nicht hochgeladen werden.`,
  preview: 'Vorschau',
  tooLong: (number) => `${count(number, 'Zeichen', 'Zeichen')} zu lang`,
  suggestions: 'Vorschläge',
  everybody: 'Alle in dieser Unterhaltung',
  enterSends: 'Enter sendet',
  ctrlEnterSends: 'Strg+Enter sendet',
  changeKeys: 'Ändern, welche Taste sendet',
}
