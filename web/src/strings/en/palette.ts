export const palette = {
  label: 'Go to a conversation or do something',
  placeholder: 'Conversation, person or command',
  hint: 'Type > for commands, @ for people, # for channels and topics',
  notJoined: 'not joined',
  empty: 'Nothing fits.',
}
