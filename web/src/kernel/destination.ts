import { placeKey, type Conversation } from './route.ts'

/** Conversation for a message, possibly incomplete while the user chooses it. */
export type Destination =
  | { readonly view: 'topic'; readonly channelId: number | undefined; readonly topic: string | undefined }
  | { readonly view: 'direct'; readonly userIds: readonly number[] }

export function conversationAt(destination: Destination): Conversation | undefined {
  if (destination.view === 'direct') return destination.userIds.length === 0 ? undefined : destination
  const { view, channelId, topic } = destination
  return channelId === undefined || topic === undefined ? undefined : { view, channelId, topic }
}

/** All incomplete destinations share a key, except a channel without a topic, whose draft the server can store. */
export function destinationKey(destination: Destination): string {
  const isOfChannel = destination.view === 'topic' && destination.topic === undefined
  const conversation = conversationAt(isOfChannel ? { ...destination, topic: '' } : destination)
  return conversation === undefined ? 'open' : placeKey(conversation)
}

/** @param editedAt in milliseconds */
export function draftRequest(destination: Destination, content: string, editedAt: number) {
  const draft = { content, timestamp: Math.floor(editedAt / 1000) }
  if (destination.view === 'topic' && destination.channelId !== undefined)
    return { type: 'stream' as const, to: [destination.channelId], topic: destination.topic ?? '', ...draft }
  const conversation = conversationAt(destination)
  if (conversation?.view !== 'direct') return { type: '' as const, to: [], topic: '', ...draft }
  return { type: 'private' as const, to: [...conversation.userIds], topic: '', ...draft }
}
