import { conversationOf, placeKey, type Conversation, type Route } from './route.ts'

/** Where a message is to go: a conversation, or as much of one as was chosen until now. */
export type Destination =
  | { readonly view: 'topic'; readonly channelId: number | undefined; readonly topic: string }
  | { readonly view: 'direct'; readonly userIds: readonly number[] }

/** The conversation that a destination is; undefined as long as a part of it is not chosen. */
export function conversationAt(destination: Destination): Conversation | undefined {
  if (destination.view === 'direct') return destination.userIds.length === 0 ? undefined : destination
  const { view, channelId, topic } = destination
  return channelId === undefined ? undefined : { view, channelId, topic }
}

/** What is the same for two destinations that are the same conversation, and for all that are none yet. */
export function destinationKey(destination: Destination): string {
  const conversation = conversationAt(destination)
  return conversation === undefined ? 'open' : placeKey(conversation)
}

/** Where one writes in a view: its conversation, or its channel with the topic still open; in a feed one chooses what to answer. */
export function destinationOfView(route: Route): Destination | undefined {
  if (route.view === 'channel') return { view: 'topic', channelId: route.channelId, topic: '' }
  return conversationOf(route)
}
