export const palette = {
  label: 'Go to a conversation or do something',
  placeholder: 'Conversation, person or command',
  empty: 'Nothing fits.',
}
