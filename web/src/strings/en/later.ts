export const later = {
  hour: 'In an hour',
  evening: 'This evening',
  tomorrow: 'Tomorrow morning',
  monday: 'Monday morning',
  remind: 'Remind me',
  reminded: (time: string) => `You will be reminded: ${time}`,
  send: 'Send later',
  scheduled: (time: string) => `Will be sent: ${time}`,
  other: 'Choose a day and time …',
  dayAndTime: 'Day and time',
  isOver: 'This time is over.',
}
