export const keys = {
  title: 'Keyboard',
  palette: 'Go anywhere',
  search: 'Search messages',
  nextUnread: 'Next unread conversation',
  inbox: 'Open the inbox',
  recent: 'Open recent conversations',
  feed: 'Open all messages',
  writing: 'Open drafts',
  reply: 'Write in this conversation',
  up: 'Message above',
  down: 'Message below',
  help: 'Show the keyboard map',
}
