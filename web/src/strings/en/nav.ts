import { count } from './numbers.ts'

export const nav = {
  label: 'Conversations',
  views: 'Views',
  inbox: 'Inbox',
  recent: 'Recent',
  feed: 'All messages',
  mentions: 'Mentions',
  starred: 'Starred',
  writing: 'Drafts',
  channels: 'Channels',
  directs: 'Direct messages',
  pinned: 'Pinned',
  settings: 'Settings',
  menu: 'Menu',
  filter: 'Filter conversations',
  noMatch: 'Nothing is called so.',
  browse: 'All channels',
  unread: (number: number) => count(number, 'unread message', 'unread messages'),
  mentionCount: (number: number) => count(number, 'mention', 'mentions'),
  muted: 'muted',
  expand: (name: string) => `Show the topics of ${name}`,
}
