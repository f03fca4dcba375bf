import { count } from './numbers.ts'

export const recent = {
  filters: 'Show only',
  unread: 'Unread',
  participated: 'I wrote',
  unresolved: 'Unresolved',
  followed: 'Followed',
  empty: 'No conversations',
  emptyMore: 'Join a channel, or write to somebody directly.',
  emptyFiltered: 'No conversation is all of this',
  emptyFilteredMore: 'Fewer filters show more.',
  participants: (number: number) => count(number, 'person', 'people'),
  loading: 'Loading older ones …',
  older: 'Show older ones',
}
