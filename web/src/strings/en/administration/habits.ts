export const habits = {
  markRead: 'Messages are read',
  readsFeeds: 'Also when seen in feeds and searches',
  markReadSeen: 'when seen in a conversation',
  markReadNever: 'only when I say so',
  previews: 'Show what links lead to below messages',
  previewsMore: 'This server fetches the pages and pictures that others link. Your browser never does.',
  enterSends: 'Enter sends the message',
  enterSendsMore: (key: string) => `Otherwise ${key} sends it.`,
}
