export const recent = {
  filters: 'Show only',
  unread: 'Unread',
  participated: 'I wrote',
  unresolved: 'Unresolved',
  followed: 'Followed',
  empty: 'No conversations',
  older: 'Show older ones',
}
