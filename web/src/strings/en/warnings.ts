import { count, list } from './numbers.ts'

export const warnings = {
  label: 'Before you send',
  archived: 'This channel is archived. Nobody can write in it.',
  notSubscribed: (channel: string) => `You are not subscribed to ${channel}, and will not see answers.`,
  resolved: 'This topic is marked as resolved.',
  muted: 'You muted this topic, and may miss answers.',
  everybody: (people: number) => `This notifies ${count(people, 'person', 'people')}.`,
  everybodyInTopic: 'This notifies everybody who wrote in this topic.',
  strangers: (names: readonly string[]) =>
    `${list.format(names)} ${names.length === 1 ? 'is' : 'are'} not subscribed, and will not be notified.`,
  subscribe: 'Subscribe them',
}
