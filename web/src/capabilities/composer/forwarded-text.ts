import { signal } from '@preact/signals'
import { conversationAt, type Destination } from '../../kernel/destination.ts'
import { newId } from '../../kernel/ids.ts'
import { othersOf, type Message } from '../../kernel/message.ts'
import { addressOf, type Conversation } from '../../kernel/route.ts'
import { store } from '../../platform/client.ts'
import { channelById } from '../channels/state.ts'
import { ownId } from '../users/state.ts'
import { linkTo } from './actions.ts'
import { ComposedText, type AddressedText } from './composed-text.ts'
import { quoteOf, shorten } from './quoting.tsx'

/** Characters reserved for closing the blocks of a shortened quote. */
const CLOSING_CHARACTERS = 100

const OPEN_DESTINATION: Destination = { view: 'topic', channelId: undefined, topic: undefined }

/** Comment on a message that is forwarded to another conversation. */
export class ForwardedText extends ComposedText implements AddressedText {
  readonly destination = signal<Destination>(OPEN_DESTINATION)
  /** Markdown of the message; undefined while it loads. */
  readonly source = signal<string | undefined>(undefined)
  readonly key = `forward:${newId()}`
  readonly #message: Message

  constructor(message: Message) {
    super()
    this.#message = message
  }

  get conversation(): Conversation | undefined {
    return conversationAt(this.destination.value)
  }

  /** Without an argument, or without people, lets the user choose any conversation again. */
  redirect(destination: Destination = OPEN_DESTINATION): void {
    const isOpen = destination.view === 'direct' && destination.userIds.length === 0
    this.destination.value = isOpen ? OPEN_DESTINATION : destination
  }

  /** The comment, and below it the message with a link. A message that leaves no space for the comment is shortened. */
  override get content(): string {
    const comment = this.text.value.trim()
    const begin = comment === '' ? '' : `${comment}\n\n`
    const quote = (source: string): string => begin + quoteOf(this.#message, source, this.#link)
    const space = store().read('max_message_length') - quote('').length - CLOSING_CHARACTERS
    return quote(shorten(this.source.value ?? '', Math.max(0, space)))
  }

  /** Kind of the original conversation if some people at the destination may not have access to it. */
  get hiddenOrigin(): 'private' | 'direct' | undefined {
    const { conversation: to } = this
    const { stream_id: channelId } = this.#message
    if (channelId === undefined) {
      const people = [...othersOf(this.#message, ownId()), ownId()]
      return to?.view === 'direct' && to.userIds.every((id) => people.includes(id)) ? undefined : 'direct'
    }
    const isShared = to?.view === 'topic' && to.channelId === channelId
    return isShared || channelById(channelId)?.invite_only === false ? undefined : 'private'
  }

  /** Names neither a private channel nor its topic to people who may not have access to them. */
  get #link(): string {
    const { stream_id: channelId, id: near } = this.#message
    if (channelId === undefined || this.hiddenOrigin === undefined) return linkTo(this.#message)
    return window.location.origin + addressOf({ view: 'channel-feed', channelId, near })
  }

  /** Canceling keeps the text for Undo, so nothing is stored. */
  protected save(): void {
    return undefined
  }

  protected hiddenTextWith(): undefined {
    return undefined
  }
}
