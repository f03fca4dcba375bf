import { count } from './numbers.ts'

export const recent = {
  filters: 'Show only',
  unread: 'Unread',
  participated: 'Participated',
  unresolved: 'Unresolved',
  followed: 'Followed',
  empty: 'No conversations',
  emptyMore: 'Join a channel or message someone.',
  emptyFiltered: 'No matching conversations',
  emptyFilteredMore: 'Remove a filter to see more.',
  participants: (number: number) => count(number, 'person', 'people'),
  loading: 'Loading older conversations…',
  older: 'Show older conversations',
}
