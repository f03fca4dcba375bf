export const habits = {
  markRead: 'Messages are read',
  readsFeeds: 'Also when seen in feeds and searches',
  markReadSeen: 'when seen in a conversation',
  markReadNever: 'only when I say so',
  enterSends: 'Enter sends the message',
  enterSendsMore: (key: string) => `Otherwise ${key} sends it.`,
}
