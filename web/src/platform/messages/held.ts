import type { ApiEvent } from '@parley/client'
import type { flags, messageEdits, messages } from '@parley/server/contract'
import { batch, signal, type Signal } from '@preact/signals'
import { isIn, type Message } from '../../kernel/message.ts'
import { placeKey, type Place } from '../../kernel/route.ts'
import {
  withContent,
  withFlag,
  withLocation,
  withReaction,
  withSubmessage,
  type Reacted,
  type Submessage,
} from './changes.ts'
import { KeptMessages } from './kept.ts'
import { beginningOf } from './page.ts'
import { MOST_ROWS, type MessageWindow } from './window.ts'

/** The messages that the browser has and the windows that show them, which events keep true. */
export class HeldMessages {
  readonly byId = new Map<number, Signal<Message>>()
  /** Those of which something may have been missed. */
  readonly outdated = new Set<number>()
  /** In the order in which they were used, the last used last. */
  readonly windows = new Map<string, MessageWindow>()
  readonly kept = new KeptMessages()
  /** Whether a message is left out of the combined feed since it is muted. */
  isMuted: (message: Message) => boolean = () => false
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
    // Each event has the fields that its declaration gives it.
    switch (event.type) {
      case 'message':
        this.#onMessage(event as unknown as Event<typeof messages.messageSent>)
        break
      case 'update_message':
        this.#onUpdate(event as unknown as messageEdits.MessageUpdate)
        break
      case 'delete_message':
        this.#onDeletion(event as unknown as messageEdits.MessageDeletion)
        break
      case 'update_message_flags':
        this.#onFlags(event as unknown as Event<typeof flags.flagsAdded>)
        break
      case 'reaction':
        this.#onReaction(event as unknown as Reacted)
        break
      case 'submessage':
        this.#change(event['message_id'] as number, (message) =>
          withSubmessage(message, event as unknown as Submessage),
        )
        break
    }
  }

  #onMessage({ message, flags: own }: Event<typeof messages.messageSent>): void {
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
    return place.view === 'feed' ? !this.isMuted(message) : isIn(place, message, this.#ownId())
  }

  /** Adds messages. What is more than a list has goes at the end that is further from where one reads, or will begin to. */
  #add(window: MessageWindow, ids: readonly number[]): void {
    window.add(ids)
    const { value: all } = window.ids
    // Who reads further up in a list that is open keeps all of it.
    if (all.length <= MOST_ROWS || (window.isOpen && window.position !== undefined)) return
    const begin = window.isOpen ? undefined : (this.firstUnread(window) ?? window.position?.id)
    window.trim(begin === undefined || begin >= (all.at(-MOST_ROWS) ?? 0) ? 'newer' : 'older')
  }

  /** The first unread message of a window where messages are read one after the other. */
  firstUnread(window: MessageWindow, after = 0): number | undefined {
    if (beginningOf(window.place) !== 'first_unread') return undefined
    return window.ids.value.find((id) => id > after && this.byId.get(id)?.value.flags.includes('read') === false)
  }

  #onUpdate(update: messageEdits.MessageUpdate): void {
    const { message_ids: ids, message_id: id, subject, new_stream_id } = update
    // Messages that were moved to where one may read them come without the place that they come from.
    const isMove = update.rendered_content === undefined || subject !== undefined || new_stream_id !== undefined
    batch(() => {
      if (update.rendered_content !== undefined) {
        for (const window of this.windows.values()) window.unmark(id)
        this.#change(id, (message) => withContent(message, update))
      }
      if (!isMove) return
      for (const moved of ids) this.#change(moved, (message) => withLocation(message, update))
      this.#refit(new Set(ids), (place) => mayShowMoved(place, update))
    })
  }

  /**
   * Takes messages out of windows where they are no longer, and puts them where they are now. Windows are read again that may
   * show some of them which are not here.
   * @param only windows of one kind, where others do not depend on what has changed
   */
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

  /** Whether a message, if it belongs to a window, is among those that the window has. */
  #covers(window: MessageWindow, id: number): boolean {
    // The server did not search for it yet.
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

  /** Forgets what was in channels that one may not read any more; windows of them, too, say that there is nothing. */
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

  /** Forgets what no window shows, and remembers that the rest may be otherwise by now: events were missed. */
  forgetUnshown(): void {
    const shown = new Set([...this.windows.values()].flatMap((window) => window.ids.value))
    for (const id of this.byId.keys()) {
      if (shown.has(id)) this.outdated.add(id)
      else this.byId.delete(id)
    }
  }

  #onFlags({ op, flag, messages: ids, all }: Event<typeof flags.flagsAdded> & { op?: string }): void {
    batch(() => {
      for (const id of all ? this.byId.keys() : ids) {
        this.#change(id, (message) => withFlag(message, flag, op === 'remove'))
      }
      if (flag === 'starred') this.#refit(new Set(ids), () => op !== 'remove', 'starred')
      else if (flag === 'read' && op === 'remove') this.#divideBefore(new Set(ids))
    })
  }

  /** Messages that are unread again are new again: the divider goes up to the first of them. */
  #divideBefore(unread: ReadonlySet<number>): void {
    for (const { ids, divider } of this.windows.values()) {
      const first = ids.value.find((id) => unread.has(id))
      if (first !== undefined && (divider.value === undefined || divider.value > first)) divider.value = first
    }
  }

  #onReaction(event: Reacted): void {
    const { message_id: id } = event
    batch(() => {
      this.#change(id, (message) => withReaction(message, event))
      this.#refit(new Set([id]), () => event.op === 'add', 'reactions')
    })
  }

  #change(id: number, change: (message: Message) => Message): void {
    const known = this.byId.get(id)
    if (known === undefined) return
    this.kept.change(id)
    known.value = change(known.value)
  }
}

/** Whether a place may show messages that were moved, as far as the event tells. */
function mayShowMoved(
  place: Place,
  { stream_id, new_stream_id, subject, conversation }: messageEdits.MessageUpdate,
): boolean {
  const channelId = new_stream_id ?? stream_id
  const topic = subject ?? (conversation !== undefined && 'topic' in conversation ? conversation.topic : undefined)
  switch (place.view) {
    case 'topic':
      return place.channelId === channelId && (topic ?? place.topic).toLowerCase() === place.topic.toLowerCase()
    case 'channel-feed':
      return place.channelId === channelId
    case 'direct':
      return false
    case 'feed':
    case 'search':
      return true
    default:
      // Where they are does not matter there, but that they may be read.
      return subject === undefined && new_stream_id === undefined
  }
}

/** The fields of a declared event. */
type Event<Declaration extends { apply: (state: never, fields: never, client: never) => void }> = Parameters<
  Declaration['apply']
>[1]
