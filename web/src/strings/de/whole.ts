import type { Strings } from '../en/index.ts'
import { count } from './numbers.ts'

const messages = (number: number): string => count(number, 'Nachricht', 'Nachrichten')
const areMessages = (number: number): string => count(number, 'Nachricht ist', 'Nachrichten sind')

export const whole: Strings['whole'] = {
  open: 'Unterhaltung exportieren',
  title: 'Unterhaltung exportieren',
  about: 'Enthält alle Nachrichten, nicht nur die hier angezeigten.',
  copy: 'Als Markdown kopieren',
  markdown: 'Als Markdown speichern',
  html: 'Als Webseite speichern',
  htmlMore: 'Die Webseite ist eine einzelne Datei mit allen Bildern und funktioniert offline.',
  print: 'Drucken',
  copyCommand: 'Unterhaltung als Markdown kopieren',
  markdownCommand: 'Unterhaltung als Markdown speichern',
  htmlCommand: 'Unterhaltung als Webseite speichern',
  printCommand: 'Unterhaltung drucken',
  reading: (number) => `${messages(number)} bisher`,
  progress: 'Fortschritt',
  stopped: (reason, number) =>
    `${reason} Nach ${count(number, 'Nachricht', 'Nachrichten')} abgebrochen; nichts wurde exportiert.`,
  goOn: 'Fortsetzen',
  isEmpty: 'Es gibt keine Nachrichten zum Exportieren.',
  tooLong: (most) =>
    `Diese Unterhaltung hat mehr als ${messages(most)}. Speichere sie stattdessen als Markdown oder als Webseite.`,
  tooLongToSave: (most) => `Diese Unterhaltung hat mehr als ${messages(most)}, zu viele für einen Browser.`,
  copyNow: (number) => `${areMessages(number)} bereit. Klicke noch einmal, um sie zu kopieren.`,
  copied: (number) => `${messages(number)} kopiert`,
  saved: (number, name) => `${messages(number)} als ${name} gespeichert`,
  summary: (number, organization, when) => `${messages(number)} · ${organization} · ${when}`,
  leftOut: (number) => `Ohne ${messages(number)} von stummgeschalteten Personen`,
  edited: (when) => `bearbeitet ${when}`,
  moved: (when) => `verschoben ${when}`,
  spoiler: 'Spoiler',
  reactions: 'Reaktionen',
}
