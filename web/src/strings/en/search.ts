export const search = {
  emoji: 'Search emoji',
  label: 'Search messages',
  placeholder: 'Words, channel:name, topic:name, sender:name, is:starred, has:link',
  messages: (query: string) => `Search messages for “${query}”`,
}
