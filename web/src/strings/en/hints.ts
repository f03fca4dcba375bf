export const hints = {
  inbox: 'Unread messages appear here, grouped by topic.',
  next: (key: string) => `Press ${key} anywhere to open the next one.`,
  topic: 'Your message goes to this topic. Enter another name to start a new topic.',
  resolve: 'Done? Mark the topic as resolved.',
  close: 'Got it',
}
