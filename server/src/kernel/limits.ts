/*
 * How much of each kind of thing may be made. Nothing that a request can make grows without an end: each kind is here, the
 * capability that makes it takes its number from here, and the reference page lists them all. Messages, topics and
 * conversations are bounded by rate limits and retention.
 */

export interface Limit {
  readonly most: number
  /** The owner of the things that are counted. */
  readonly per: 'user' | 'creator' | 'owner' | 'organization' | 'message' | 'account'
  /** What is counted, in the plural, and what happens above the limit where it is not refused. */
  readonly what: string
}

export const COUNT_LIMITS = {
  eventQueues: { most: 200, per: 'user', what: 'event queues; the one that was unused for longest ends' },
  bots: { most: 500, per: 'owner', what: 'bots, ended ones included' },
  channels: { most: 5_000, per: 'creator', what: 'channels, archived ones included' },
  groups: { most: 1_000, per: 'creator', what: 'user groups, deactivated ones included' },
  drafts: { most: 1_000, per: 'user', what: 'drafts' },
  scheduledMessages: { most: 1_000, per: 'user', what: 'scheduled messages that wait' },
  reminders: { most: 1_000, per: 'user', what: 'reminders that wait' },
  savedSnippets: { most: 1_000, per: 'user', what: 'saved snippets' },
  keptCharacters: {
    most: 1_000_000,
    per: 'user',
    what: 'characters of drafts, and as many of scheduled messages, of reminders and of snippets, with their HTML',
  },
  navigationViews: { most: 200, per: 'user', what: 'navigation views' },
  alertWords: { most: 200, per: 'user', what: 'alert words' },
  mutedUsers: { most: 1_000, per: 'user', what: 'muted users' },
  topicSettings: { most: 20_000, per: 'user', what: 'topics that are muted, unmuted or followed' },
  storedKeys: { most: 50_000, per: 'account', what: 'stored values' },
  storedCharacters: { most: 2_000_000, per: 'account', what: 'characters of stored values and their keys' },
  customEmoji: { most: 1_000, per: 'organization', what: 'custom emoji, deactivated ones included' },
  linkifiers: { most: 200, per: 'organization', what: 'linkifiers' },
  playgrounds: { most: 200, per: 'organization', what: 'code playgrounds' },
  profileFields: { most: 100, per: 'organization', what: 'custom profile fields' },
  channelFolders: { most: 500, per: 'organization', what: 'channel folders, archived ones included' },
  emailDomains: { most: 100, per: 'organization', what: 'domains of e-mail addresses' },
  emojiOfMessage: { most: 200, per: 'message', what: 'different emoji in reactions' },
  submessages: { most: 1_000, per: 'message', what: 'submessages' },
} as const satisfies Readonly<Record<string, Limit>>
