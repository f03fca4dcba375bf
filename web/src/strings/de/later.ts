import type { Strings } from '../en/index.ts'

export const later: Strings['later'] = {
  hour: 'In einer Stunde',
  evening: 'Heute Abend',
  tomorrow: 'Morgen früh',
  monday: 'Montag früh',
  remind: 'Erinnern',
  reminded: (time) => `Erinnerung erstellt: ${time}`,
  send: 'Später senden',
  scheduled: (time) => `Nachricht geplant: ${time}`,
  other: 'Datum und Uhrzeit wählen …',
  dayAndTime: 'Datum und Uhrzeit',
  isOver: 'Dieser Zeitpunkt ist vorbei.',
  change: 'Zeit ändern',
  deleteReminder: 'Erinnerung löschen',
  reminderDeleted: 'Erinnerung gelöscht',
  noReminders: 'Keine Erinnerungen',
  noRemindersMore: 'Wähle bei einer Nachricht „Erinnern“, um sie später wiederzusehen.',
  isGone: 'Diese Nachricht gibt es nicht mehr.',
  hasFailed: 'Senden fehlgeschlagen',
}
