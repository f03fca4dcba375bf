import { groups } from './groups.ts'
import { count, list } from './numbers.ts'

const only = (holders: readonly string[]): string =>
  holders.length === 1 && holders[0] === groups.nobody ? groups.nobody : `Only ${list.format(holders)}`

export const warnings = {
  label: 'Before you send',
  archived: 'This channel is archived. No one can post in it.',
  notSubscribed: (channel: string) => `You haven’t joined ${channel}, so you won’t see replies.`,
  resolved: 'This topic is marked as resolved.',
  muted: 'You muted this topic and may miss replies.',
  everybody: (people: number) => `This notifies ${count(people, 'person', 'people')}.`,
  everybodyInTopic: (people: number) =>
    `This notifies everyone who wrote in this topic: at least ${count(people, 'person', 'people')}.`,
  tooMany: (people: number, holders: readonly string[]) =>
    `${only(holders)} can notify ${count(people, 'person', 'people')} at once.`,
  group: (name: string, holders: readonly string[]) => `${only(holders)} can mention ${name}.`,
  silence: 'Mention silently',
  mayNotWrite: (holders: readonly string[]) => `${only(holders)} can post in this channel.`,
  mayNotWriteTo: (holders: readonly string[]) => `${only(holders)} can send direct messages here.`,
  changePermissions: 'Change permissions',
  gone: (names: readonly string[]) => `${list.format(names)} left and can’t receive messages.`,
  leaveOut: 'Remove them',
  guests: (names: readonly string[], others: number) =>
    `Guests can read this: ${list.format(others === 0 ? names : [...names, count(others, 'other', 'others')])}.`,
  understood: 'Got it',
  needsTopic: 'Messages in this channel need a topic.',
  noTopics: (topic: string) => `This channel allows only the topic ${topic}.`,
  moved: (where: string) => `This topic was moved to ${where}.`,
  writeThere: 'Use that topic',
  strangers: (names: readonly string[]) =>
    `${list.format(names)} ${names.length === 1 ? 'isn’t' : 'aren’t'} in this channel and won’t be notified.`,
  subscribe: 'Add them',
}
