import type { Administration } from '../../en/administration/index.ts'
import { count } from '../numbers.ts'

export const measurements: Administration['measurements'] = {
  title: 'Leistung',
  here: 'Wie schnell Parley bei dir ist',
  note: 'In diesem Tab gemessen, seit du ihn geöffnet hast. Nichts wird gesendet, außer du kopierst es.',
  what: 'Messung',
  value: 'Hier',
  goal: 'Ziel',
  missed: 'langsamer als das Ziel',
  unknown: 'noch nicht gemessen',
  milliseconds: (milliseconds) => `${Math.round(milliseconds).toLocaleString('de')}\u00a0ms`,
  megabytes: (megabytes) => `${megabytes.toLocaleString('de', { maximumFractionDigits: 1 })}\u00a0MB`,
  atMost: (value) => `≤\u00a0${value}`,
  middle: (times) => (times === 0 ? undefined : `Median von ${times.toLocaleString('de')}`),
  nearlyAll: (times) => (times === 0 ? undefined : `98. Perzentil von ${times.toLocaleString('de')}`),
  start: 'Öffnen der Seite',
  interaction: 'Reaktion auf Taste oder Klick',
  delivery: 'Zustellung einer Nachricht an alle',
  answer: 'Antwortzeit des Servers',
  longTasks: 'Länger als 50 ms nicht ansprechbar',
  times: (times, longest) =>
    times === 0 ? 'nie' : `${count(times, 'Mal', 'Mal')}, höchstens ${Math.round(longest).toLocaleString('de')} ms`,
  memory: 'Speicher',
  holding: (people, messages) =>
    `mit ${count(people, 'Person', 'Personen')} und ${count(messages, 'Nachricht', 'Nachrichten')}`,
  copy: 'Messwerte kopieren',
  copied: 'Messwerte kopiert',
}
