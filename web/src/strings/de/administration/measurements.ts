import type { Administration } from '../../en/administration/index.ts'
import { count } from '../numbers.ts'

export const measurements: Administration['measurements'] = {
  title: 'Geschwindigkeit',
  here: 'Wie schnell Parley bei dir ist',
  note: 'In diesem Tab gemessen, seit er offen ist. Diese Zahlen verlassen ihn nur, wenn du sie kopierst.',
  what: 'Was',
  value: 'Hier',
  goal: 'Ziel',
  missed: 'langsamer, als es sein soll',
  unknown: 'noch nicht',
  milliseconds: (milliseconds) => `${Math.round(milliseconds).toLocaleString('de')}\u00a0ms`,
  megabytes: (megabytes) => `${megabytes.toLocaleString('de', { maximumFractionDigits: 1 })}\u00a0MB`,
  atMost: (value) => `≤\u00a0${value}`,
  middle: (times) => (times === 0 ? undefined : `die mittlere von ${times.toLocaleString('de')}`),
  nearlyAll: (times) => (times === 0 ? undefined : `fast alle von ${times.toLocaleString('de')}`),
  start: 'Vom Öffnen der Seite, bis man sie sieht',
  interaction: 'Von einer Taste oder einem Klick bis zur Wirkung',
  delivery: 'Vom Senden einer Nachricht, bis alle sie haben',
  answer: 'Bis der Server antwortet',
  longTasks: 'Länger als 50 ms ohne Antwort',
  times: (times, longest) =>
    times === 0 ? 'nie' : `${count(times, 'Mal', 'Mal')}, höchstens ${Math.round(longest).toLocaleString('de')} ms`,
  memory: 'Speicher',
  holding: (people, messages) =>
    `mit ${count(people, 'Person', 'Personen')} und ${count(messages, 'Nachricht', 'Nachrichten')}`,
  copy: 'Zahlen kopieren',
  copied: 'Die Zahlen wurden kopiert',
}
