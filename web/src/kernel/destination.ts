import { conversationOf, placeKey, type Conversation, type Route } from './route.ts'

/** A conversation, or the part of it chosen so far. */
export type Destination =
  | { readonly view: 'topic'; readonly channelId: number | undefined; readonly topic: string }
  | { readonly view: 'direct'; readonly userIds: readonly number[] }

export function conversationAt(destination: Destination): Conversation | undefined {
  if (destination.view === 'direct') return destination.userIds.length === 0 ? undefined : destination
  const { view, channelId, topic } = destination
  return channelId === undefined ? undefined : { view, channelId, topic }
}

/** Returns the same key for all incomplete destinations. */
export function destinationKey(destination: Destination): string {
  const conversation = conversationAt(destination)
  return conversation === undefined ? 'open' : placeKey(conversation)
}

/** A view's conversation, or its channel without a topic. In feeds, people reply to a message instead. */
export function destinationOfView(route: Route): Destination | undefined {
  if (route.view === 'channel') return { view: 'topic', channelId: route.channelId, topic: '' }
  return conversationOf(route)
}
