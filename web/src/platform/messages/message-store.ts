import { isEvent, type ApiEvent, type PayloadOf } from '@parley/client'
import { flags, messageEdits, messages, reactions } from '@parley/server/contract'
import { caseKey } from '@parley/server/kernel/case-key'
import { batch, signal, type Signal } from '@preact/signals'
import { isMessageIn, parseMove, type Message } from '../../kernel/message.ts'
import { placeKey, type Place } from '../../kernel/route.ts'
import { onlyChangesResolution } from '../../kernel/topic.ts'
import { StoredMessages } from './kept.ts'
import { initialAnchor } from './page.ts'
import { MAX_WINDOW_ROWS, type MessageWindow } from './window.ts'

export class MessageStore {
  readonly byId = new Map<number, Signal<Message>>()
  /** IDs of messages that may be outdated, because events were missed. */
  readonly outdated = new Set<number>()
  /** Least recently used first. */
  readonly windows = new Map<string, MessageWindow>()
  readonly kept = new StoredMessages()
  isMuted: (message: Message) => boolean = () => false
  /** Whether an open list follows these messages when they move without the rest of their topic. */
  isFollowed: (ids: readonly number[]) => boolean = () => false
  readonly #ownId: () => number

  constructor(ownId: () => number) {
    this.#ownId = ownId
  }

  put(message: Message): void {
    this.kept.change(message.id)
    this.outdated.delete(message.id)
    const known = this.byId.get(message.id)
    if (known === undefined) this.byId.set(message.id, signal(message))
    else known.value = message
  }

  onEvent(event: ApiEvent): void {
    if (isEvent(event, messages.messageSent)) this.#onMessage(event)
    else if (isEvent(event, messageEdits.messageUpdated)) this.#onUpdate(event)
    else if (isEvent(event, messageEdits.messagesDeleted)) this.#onDeletion(event)
    else if (isEvent(event, flags.flagsAdded)) this.#onFlags(event, true)
    else if (isEvent(event, flags.flagsRemoved)) this.#onFlags(event, false)
    else if (isEvent(event, reactions.reactionAdded)) this.#onReaction(event, true)
    else if (isEvent(event, reactions.reactionRemoved)) this.#onReaction(event, false)
    else if (isEvent(event, messages.submessageAdded)) {
      this.#change(event.message_id, (message) => withSubmessage(message, event))
    }
  }

  #onMessage({ message, flags: own }: PayloadOf<typeof messages.messageSent>): void {
    const sent: Message = { ...message, flags: own }
    batch(() => {
      for (const window of this.windows.values()) {
        if (!window.atNewest.value) continue
        if ((this.#isIn(window, sent) ?? window.search?.matches(sent)) !== true) continue
        this.put(sent)
        this.#add(window, [sent.id])
      }
    })
  }

  #isIn({ place }: MessageWindow, message: Message): boolean | undefined {
    return place.view === 'feed' ? !this.isMuted(message) : isMessageIn(place, message, this.#ownId())
  }

  /** Adds messages, and trims an overfull list at the end that is farther from the reader's position. */
  #add(window: MessageWindow, ids: readonly number[]): void {
    window.add(ids)
    const { value: all } = window.ids
    // Keeps all messages of an open list while its reader is not at the end.
    if (all.length <= MAX_WINDOW_ROWS || (window.isOpen && window.position !== undefined)) return
    const begin = window.isOpen ? undefined : (this.firstUnread(window) ?? window.position?.id)
    window.trim(begin === undefined || begin >= (all.at(-MAX_WINDOW_ROWS) ?? 0) ? 'newer' : 'older')
  }

  firstUnread(window: MessageWindow, after = 0): number | undefined {
    if (initialAnchor(window.place) !== 'first_unread') return undefined
    return window.ids.value.find((id) => id > after && this.byId.get(id)?.value.flags.includes('read') === false)
  }

  #onUpdate(update: messageEdits.MessageUpdate): void {
    const { message_ids: ids, message_id: id, subject, new_stream_id } = update
    // The event of a message that became visible through a move does not contain the former location.
    const isMove = update.rendered_content === undefined || subject !== undefined || new_stream_id !== undefined
    batch(() => {
      if (update.rendered_content !== undefined) {
        for (const window of this.windows.values()) window.unmark(id)
        this.#change(id, (message) => withContent(message, update))
      }
      if (!isMove) return
      this.#followTopic(update)
      for (const moved of ids) this.#change(moved, (message) => withLocation(message, update))
      this.#refit(new Set(ids), (place) => mayShowMovedMessages(place, update))
    })
  }

  /** Lets an open list follow a moved topic, so that its message editors stay open. Reads the list again. */
  #followTopic(update: messageEdits.MessageUpdate): void {
    const move = parseMove(update)
    const from = move && placeKey(move.from)
    const window = this.windows.get(from ?? '')
    if (move === undefined || from === undefined || window?.isOpen !== true) return
    if (!move.isWhole) {
      const { message_ids: moved } = update
      if (!this.isFollowed(moved)) return
      window.remove((id) => !moved.includes(id))
    }
    window.place = move.to
    window.stale.value = true
    this.windows.delete(from)
    this.windows.set(placeKey(move.to), window)
  }

  /** Updates windows after messages change. Marks a window as stale if unloaded messages may belong in it. */
  #refit(ids: ReadonlySet<number>, mayShow: (place: Place) => boolean, only?: Place['view']): void {
    for (const window of this.windows.values()) {
      if (only !== undefined && window.place.view !== only) continue
      const covered = [...ids].filter((id) => this.#covers(window, id))
      const isInNow = (id: number): boolean | undefined => {
        const message = this.byId.get(id)?.value
        return message === undefined ? undefined : this.#isIn(window, message)
      }
      window.remove((id) => ids.has(id) && isInNow(id) === false)
      if (mayShow(window.place) && covered.some((id) => isInNow(id) === undefined)) window.stale.value = true
      this.#add(
        window,
        covered.filter((id) => isInNow(id) === true),
      )
    }
  }

  #covers(window: MessageWindow, id: number): boolean {
    // The window shows only local matches, because the server has not searched yet.
    if (window.isOfKept.value) return false
    const { value: ids } = window.ids
    const [first = 0, last = 0] = [ids[0], ids.at(-1)]
    return (window.atOldest.value || id > first) && (window.atNewest.value || id < last)
  }

  #onDeletion({ message_ids: ids = [] }: messageEdits.MessageDeletion): void {
    const gone = new Set(ids)
    batch(() => {
      for (const window of this.windows.values()) window.remove((id) => gone.has(id))
      for (const id of gone) this.byId.delete(id)
    })
  }

  forgetIn(channelIds: ReadonlySet<number>): void {
    if (channelIds.size === 0) return
    const isThere = (id: number): boolean => channelIds.has(this.byId.get(id)?.peek().stream_id ?? 0)
    batch(() => {
      const gone = new Set([...this.byId.keys()].filter(isThere))
      for (const window of this.windows.values()) {
        window.remove((id) => gone.has(id))
        if (!('channelId' in window.place) || !channelIds.has(window.place.channelId)) continue
        window.empty()
        this.windows.delete(placeKey(window.place))
      }
      for (const id of gone) this.byId.delete(id)
    })
  }

  /** After missed events, drops messages that no window shows, and marks the rest as possibly outdated. */
  forgetUnshown(): void {
    const shown = new Set([...this.windows.values()].flatMap((window) => window.ids.value))
    for (const id of this.byId.keys()) {
      if (shown.has(id)) this.outdated.add(id)
      else this.byId.delete(id)
    }
  }

  #onFlags(
    { flag, messages: ids, all }: PayloadOf<typeof flags.flagsAdded | typeof flags.flagsRemoved>,
    isAdded: boolean,
  ): void {
    batch(() => {
      for (const id of all ? this.byId.keys() : ids) this.#change(id, (message) => withFlag(message, flag, !isAdded))
      if (flag === 'starred') this.#refit(new Set(ids), () => isAdded, 'starred')
      else if (flag === 'read' && !isAdded) this.#divideBefore(new Set(ids))
    })
  }

  /** Moves the divider up to the first message that was marked as unread. */
  #divideBefore(unread: ReadonlySet<number>): void {
    for (const { ids, divider } of this.windows.values()) {
      const first = ids.value.find((id) => unread.has(id))
      if (first !== undefined && (divider.value === undefined || divider.value > first)) divider.value = first
    }
  }

  #onReaction(reaction: reactions.ReactionEvent, isAdded: boolean): void {
    const { message_id: id } = reaction
    batch(() => {
      this.#change(id, (message) => withReaction(message, reaction, isAdded))
      this.#refit(new Set([id]), () => isAdded, 'reactions')
    })
  }

  #change(id: number, change: (message: Message) => Message): void {
    const known = this.byId.get(id)
    if (known === undefined) return
    this.kept.change(id)
    known.value = change(known.value)
  }
}

function mayShowMovedMessages(
  place: Place,
  { stream_id, new_stream_id, subject, conversation }: messageEdits.MessageUpdate,
): boolean {
  const channelId = new_stream_id ?? stream_id
  const topic = subject ?? (conversation !== undefined && 'topic' in conversation ? conversation.topic : undefined)
  switch (place.view) {
    case 'topic':
      return place.channelId === channelId && caseKey(topic ?? place.topic) === caseKey(place.topic)
    case 'channel-feed':
      return place.channelId === channelId
    case 'direct':
      return false
    case 'feed':
    case 'search':
      return true
    default:
      // Lists of mentions, stars, and reactions depend on access to the message, not on its topic.
      return subject === undefined && new_stream_id === undefined
  }
}

/* Each of the functions below is idempotent. */

function withContent(message: Message, update: messageEdits.MessageUpdate): Message {
  return {
    ...message,
    content: update.rendered_content ?? message.content,
    flags: update.flags,
    is_me_message: update.is_me_message ?? message.is_me_message,
    ...(update.rendering_only ? {} : { last_edit_timestamp: update.edit_timestamp }),
  }
}

function withLocation(message: Message, update: messageEdits.MessageUpdate): Message {
  const { subject, new_stream_id: channelId, orig_subject: before } = update
  const isResolved = channelId === undefined && onlyChangesResolution(before, subject)
  return {
    ...message,
    ...(subject === undefined ? {} : { subject, topic_links: update.topic_links ?? [] }),
    ...(channelId === undefined ? {} : { stream_id: channelId }),
    ...(isResolved ? {} : { last_moved_timestamp: update.edit_timestamp }),
  }
}

function withFlag(message: Message, flag: string, isRemoved: boolean): Message {
  const others = message.flags.filter((known) => known !== flag)
  return { ...message, flags: isRemoved ? others : [...others, flag] }
}

function withReaction(message: Message, reaction: reactions.ReactionEvent, isAdded: boolean): Message {
  const { user_id, emoji_code, emoji_name, reaction_type } = reaction
  const others = message.reactions.filter(
    (one) => one.user_id !== user_id || one.emoji_code !== emoji_code || one.reaction_type !== reaction_type,
  )
  const added = { user_id, emoji_code, emoji_name, reaction_type }
  return { ...message, reactions: isAdded ? [...others, added] : others }
}

/** ID of a submessage that the server has not confirmed yet. */
export const PREDICTED_SUBMESSAGE_ID = 0

/** Replaces one prediction of the same submessage: sending the same content twice can be two changes. */
function withSubmessage(message: Message, submessage: PayloadOf<typeof messages.submessageAdded>): Message {
  const { submessage_id: id, message_id, sender_id, msg_type, content } = submessage
  const replaced = message.submessages.findIndex((one) =>
    one.id === PREDICTED_SUBMESSAGE_ID
      ? id !== PREDICTED_SUBMESSAGE_ID && one.sender_id === sender_id && one.content === content
      : one.id === id,
  )
  const others = message.submessages.filter((_, index) => index !== replaced)
  return { ...message, submessages: [...others, { id, message_id, sender_id, msg_type, content }] }
}
