export const people = {
  write: 'Write a direct message',
  messagesOf: 'Search messages of this person',
  mute: 'Mute',
  unmute: 'Unmute',
  open: (name: string) => `${name}: what to do`,
  active: 'active',
  idle: 'idle',
  offline: 'offline',
}
