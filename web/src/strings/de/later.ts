import type { Strings } from '../en/index.ts'

export const later: Strings['later'] = {
  hour: 'In einer Stunde',
  evening: 'Heute Abend',
  tomorrow: 'Morgen früh',
  monday: 'Montag früh',
  remind: 'Erinnere mich',
  reminded: (time) => `Du wirst erinnert: ${time}`,
  send: 'Später senden',
  scheduled: (time) => `Geplant: ${time}`,
  other: 'Tag und Uhrzeit wählen …',
  dayAndTime: 'Tag und Uhrzeit',
  isOver: 'Diese Zeit ist vorbei.',
  change: 'Zeit ändern',
  deleteReminder: 'Erinnerung löschen',
  reminderDeleted: 'Die Erinnerung ist gelöscht',
  noReminders: 'Keine Erinnerungen',
  noRemindersMore: 'Wähle bei einer Nachricht „Erinnere mich“, und sie kommt wieder, wann du willst.',
  isGone: 'Die Nachricht gibt es nicht mehr.',
  hasFailed: 'Konnte nicht gesendet werden',
}
