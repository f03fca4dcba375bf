import type { ApiEvent } from '@parley/client'
import type { flags, messageEdits, messages } from '@parley/server/contract'
import { batch, signal, type Signal } from '@preact/signals'
import { isIn, type Message } from '../../kernel/message.ts'
import type { Place } from '../../kernel/route.ts'
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
import type { MessageWindow } from './window.ts'

/** The messages that the browser has and the windows that show them, which events keep true. */
export class HeldMessages {
  readonly byId = new Map<number, Signal<Message>>()
  /** In the order in which they were used, the last used last. */
  readonly windows = new Map<string, MessageWindow>()
  readonly kept = new KeptMessages()
  readonly #ownId: () => number

  constructor(ownId: () => number) {
    this.#ownId = ownId
  }

  put(message: Message): void {
    this.kept.change(message.id)
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
    const ownId = this.#ownId()
    batch(() => {
      for (const window of this.windows.values()) {
        if (!window.atNewest.value) continue
        if ((isIn(window.place, sent, ownId) ?? window.search?.matches(sent)) !== true) continue
        this.put(sent)
        window.add([sent.id])
      }
    })
  }

  #onUpdate(update: messageEdits.MessageUpdate): void {
    const { message_ids: ids, message_id: id, subject, new_stream_id } = update
    const isMove = subject !== undefined || new_stream_id !== undefined
    batch(() => {
      if (update.rendered_content !== undefined) {
        for (const window of this.windows.values()) window.unmark(id)
        this.#change(id, (message) => withContent(message, update))
      }
      if (!isMove) return
      for (const moved of ids) this.#change(moved, (message) => withLocation(message, update))
      this.#refit(new Set(ids))
    })
  }

  /**
   * Takes messages out of windows where they are no longer, and has those read again that may show them now.
   * @param only windows of one kind, where others do not depend on what has changed
   */
  #refit(ids: ReadonlySet<number>, only?: Place['view']): void {
    const ownId = this.#ownId()
    for (const window of this.windows.values()) {
      if (only !== undefined && window.place.view !== only) continue
      window.remove((id) => {
        const message = this.byId.get(id)?.value
        return ids.has(id) && message !== undefined && isIn(window.place, message, ownId) === false
      })
      const arrived: number[] = []
      for (const id of ids) {
        const message = this.byId.get(id)?.value
        if (message === undefined) window.stale.value = true
        else if (isIn(window.place, message, ownId) === true && this.#covers(window, id)) arrived.push(id)
      }
      window.add(arrived)
    }
  }

  #covers(window: MessageWindow, id: number): boolean {
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

  #onFlags({ op, flag, messages: ids, all }: Event<typeof flags.flagsAdded> & { op?: string }): void {
    batch(() => {
      for (const id of all ? this.byId.keys() : ids) {
        this.#change(id, (message) => withFlag(message, flag, op === 'remove'))
      }
      if (flag === 'starred') this.#refit(new Set(ids), 'starred')
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
      this.#refit(new Set([id]), 'reactions')
    })
  }

  #change(id: number, change: (message: Message) => Message): void {
    const known = this.byId.get(id)
    if (known === undefined) return
    this.kept.change(id)
    known.value = change(known.value)
  }
}

/** The fields of a declared event. */
type Event<Declaration extends { apply: (state: never, fields: never, client: never) => void }> = Parameters<
  Declaration['apply']
>[1]
