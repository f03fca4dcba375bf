import { count, list } from './numbers.ts'

export const warnings = {
  label: 'Before you send',
  archived: 'This channel is archived. Nobody can write in it.',
  notSubscribed: (channel: string) => `You are not subscribed to ${channel}, and will not see answers.`,
  resolved: 'This topic is marked as resolved.',
  muted: 'You muted this topic, and may miss answers.',
  everybody: (people: number) => `This notifies ${count(people, 'person', 'people')}.`,
  everybodyInTopic: (people: number) =>
    `This notifies everybody who wrote in this topic: at least ${count(people, 'person', 'people')}.`,
  tooMany: (people: number, holders: readonly string[]) =>
    `You may not notify ${count(people, 'person', 'people')} at once. Allowed: ${list.format(holders)}.`,
  group: (name: string, holders: readonly string[]) => `You may not mention ${name}. Allowed: ${list.format(holders)}.`,
  silence: 'Mention silently',
  mayNotWrite: (holders: readonly string[]) => `You may not write in this channel. Allowed: ${list.format(holders)}.`,
  mayNotWriteTo: (holders: readonly string[]) => `You may not write directly here. Allowed: ${list.format(holders)}.`,
  changePermissions: 'Change that',
  gone: (names: readonly string[]) =>
    `${list.format(names)} ${names.length === 1 ? 'has' : 'have'} left, and cannot be written to.`,
  leaveOut: 'Leave them out',
  guests: (names: readonly string[], others: number) =>
    `Guests read this: ${list.format(others === 0 ? names : [...names, count(others, 'other', 'others')])}.`,
  understood: 'Got it',
  needsTopic: 'Messages in this channel need a topic.',
  noTopics: (topic: string) => `This channel has no topics but ${topic}.`,
  moved: (where: string) => `This topic was moved to ${where}.`,
  writeThere: 'Write there',
  strangers: (names: readonly string[]) =>
    `${list.format(names)} ${names.length === 1 ? 'is' : 'are'} not subscribed, and will not be notified.`,
  subscribe: 'Subscribe them',
}
