import { count } from '../numbers.ts'

export const content = {
  retention: 'Keeping messages',
  retentionOf: 'Messages are kept',
  retentionMore: 'What is older is deleted for good. A channel can have a time of its own.',
  forEver: 'for ever',
  forDays: (days: number) => `for ${count(days, 'day', 'days')}`,
  retentionSure: (days: number) =>
    `Delete for good all messages older than ${count(days, 'day', 'days')}? Nobody can bring them back.`,
  retentionShorten: 'Delete older messages',
  reports: 'Reports',
}
