import type { Strings } from '../en/index.ts'
import { count } from './numbers.ts'

const messages = (number: number): string => count(number, 'Nachricht', 'Nachrichten')

export const whole: Strings['whole'] = {
  open: 'Alles kopieren, speichern oder drucken',
  title: 'Das ganze Gespräch',
  about: 'Jede Nachricht wird vom Server geholt, nicht nur, was hier zu sehen ist.',
  copy: 'Als Markdown kopieren',
  markdown: 'Als Markdown speichern',
  html: 'Als Webseite speichern',
  htmlMore: 'Die Webseite ist eine Datei, in der auch ihre Bilder sind, und braucht keine Verbindung.',
  print: 'Drucken',
  copyCommand: 'Das ganze Gespräch als Markdown kopieren',
  markdownCommand: 'Das ganze Gespräch als Markdown speichern',
  htmlCommand: 'Das ganze Gespräch als Webseite speichern',
  printCommand: 'Das ganze Gespräch drucken',
  reading: (number) => `${messages(number)} bisher`,
  progress: 'Wie viel da ist',
  stopped: (reason, number) =>
    `${reason} ${messages(number)} sind da; kopiert, gespeichert oder gedruckt ist noch nichts.`,
  goOn: 'Fortsetzen',
  isEmpty: 'Hier sind keine Nachrichten.',
  tooLong: (most) => `Es sind mehr als ${messages(most)}. Speichere es stattdessen als Markdown oder als Webseite.`,
  tooLongToSave: (most) => `Es sind mehr als ${messages(most)}, zu viele für einen Browser.`,
  copyNow: (number) => `${messages(number)} sind bereit. Dein Browser möchte, dass du noch einmal drückst.`,
  copied: (number) => `${messages(number)} kopiert`,
  saved: (number, name) => `${messages(number)} als ${name} gespeichert`,
  summary: (number, organization, when) => `${messages(number)} · ${organization} · ${when}`,
  leftOut: (number) => `Ohne ${messages(number)} von Personen, die du stummgeschaltet hast`,
  edited: (when) => `bearbeitet ${when}`,
  moved: (when) => `verschoben ${when}`,
  spoiler: 'Spoiler',
  reactions: 'Reaktionen',
}
