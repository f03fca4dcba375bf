import type { Strings } from '../en/index.ts'
import { count } from './numbers.ts'

const messages = (number: number): string => count(number, 'Nachricht', 'Nachrichten')
const areMessages = (number: number): string => count(number, 'Nachricht ist', 'Nachrichten sind')

export const whole: Strings['whole'] = {
  open: 'Alles kopieren, speichern oder drucken',
  title: 'Die ganze Unterhaltung',
  about: 'Jede Nachricht wird vom Server geholt, nicht nur, was hier zu sehen ist.',
  copy: 'Als Markdown kopieren',
  markdown: 'Als Markdown speichern',
  html: 'Als Webseite speichern',
  htmlMore: 'Die Webseite ist eine Datei, in der auch ihre Bilder sind, und braucht keine Verbindung.',
  print: 'Drucken',
  copyCommand: 'Die ganze Unterhaltung als Markdown kopieren',
  markdownCommand: 'Die ganze Unterhaltung als Markdown speichern',
  htmlCommand: 'Die ganze Unterhaltung als Webseite speichern',
  printCommand: 'Die ganze Unterhaltung drucken',
  reading: (number) => `${messages(number)} bisher`,
  progress: 'Wie viel da ist',
  stopped: (reason, number) =>
    `${reason} ${areMessages(number)} da; kopiert, gespeichert oder gedruckt ist noch nichts.`,
  goOn: 'Fortsetzen',
  isEmpty: 'Hier sind keine Nachrichten.',
  tooLong: (most) => `Es sind mehr als ${messages(most)}. Speichere es stattdessen als Markdown oder als Webseite.`,
  tooLongToSave: (most) => `Es sind mehr als ${messages(most)}, zu viele für einen Browser.`,
  copyNow: (number) => `${areMessages(number)} bereit. Dein Browser möchte, dass du noch einmal drückst.`,
  copied: (number) => `${messages(number)} kopiert`,
  saved: (number, name) => `${messages(number)} als ${name} gespeichert`,
  summary: (number, organization, when) => `${messages(number)} · ${organization} · ${when}`,
  leftOut: (number) => `Ohne ${messages(number)} von Personen, die du stummgeschaltet hast`,
  edited: (when) => `bearbeitet ${when}`,
  moved: (when) => `verschoben ${when}`,
  spoiler: 'Spoiler',
  reactions: 'Reaktionen',
}
