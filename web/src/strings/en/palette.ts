export const palette = {
  label: 'Go to a conversation or run a command',
  placeholder: 'Conversation, person, or command',
  hint: 'Type > for commands, @ for people, # for channels and topics',
  notJoined: 'not joined',
  empty: 'No results',
}
