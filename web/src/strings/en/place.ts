import { count, list } from './numbers.ts'

export const place = {
  topicOf: (topic: string, channel: string) => `${topic} in ${channel}`,
  noTopic: 'general chat',
  directWith: (names: readonly string[]) => list.format(names),
  notes: 'Notes to yourself',
  unknownChannel: 'Unknown channel',
  unknownUser: 'Unknown person',
  searchFor: (query: string) => `Search: ${query}`,
  resolved: 'Resolved',
  subscribers: (number: number) => count(number, 'person', 'people'),
  typing: (names: readonly string[]) => `${list.format(names)} ${names.length === 1 ? 'is' : 'are'} typing…`,
  typingMany: 'Several people are typing…',
}
