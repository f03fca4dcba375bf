import { signal } from '@preact/signals'
import { useEffect, useRef, useState, useLayoutEffect, useMemo } from 'preact/hooks'
import { type Destination, conversationAt } from '../../../kernel/destination.ts'
import { newId } from '../../../kernel/ids.ts'
import { tl } from '../../../kernel/later-texts.ts'
import { otherParticipants, type Message } from '../../../kernel/message.ts'
import { rankItems } from '../../../kernel/ranking.ts'
import { placeKey, addressOf, type Conversation } from '../../../kernel/route.ts'
import { t } from '../../../kernel/strings.ts'
import { store } from '../../../platform/client.ts'
import { keepFocus } from '../../../platform/dom/growing-field.tsx'
import { Icon } from '../../../platform/dom/icons.tsx'
import { Combobox, type ComboboxOption } from '../../../platform/overlay/combobox.tsx'
import { Dialog } from '../../../platform/overlay/dialog.tsx'
import { offerUndo } from '../../../platform/undo.ts'
import { channelById, channelName, subscriptionTo } from '../../channels/state.ts'
import { maySendTo } from '../../message-edits/rules.ts'
import { fetchSource, openedDialog, type DialogProps } from '../../message-edits/state.ts'
import { sendMessage } from '../../messages/outbox.ts'
import { warmUpRenderer } from '../../messages/rendering.ts'
import { previewOf } from '../../muted-users/state.ts'
import { allEntries, weightOf, type Entry } from '../../palette/entries.ts'
import { ChannelSign } from '../../places/title.tsx'
import { GroupAvatar } from '../../users/parts/avatar.tsx'
import { PersonMark } from '../../users/parts/signs.tsx'
import { ownId } from '../../users/state.ts'
import { askForDestination, excessCharacters, offerSentConversation, linkTo } from '../actions.ts'
import { ComposedText, type AddressedText } from '../composed-text.ts'
import { useDroppedFiles } from '../pasting.ts'
import { quoteOf, shortenMarkdown } from '../quoting.tsx'
import { mayWriteIn, initialTopic } from '../rights.ts'
import { conversationOnScreen, isSendKey } from '../state.ts'
import { MissingDestination, PeopleChips, TopicField } from './destination.tsx'
import { Field } from './field.tsx'
import { Tools } from './tools.tsx'
import { Uploads } from './uploads.tsx'
import { Preview, Warnings } from './warnings.tsx'
import './destination.css'
import './quote.css'

/** Canceled forward that Undo opens again. */
let restored: ForwardedText | undefined

function takeRestored(): ForwardedText | undefined {
  const taken = restored
  restored = undefined
  return taken
}

export function Forward({ message, onClose }: DialogProps) {
  const form = useRef<HTMLFormElement>(null)
  const [writing] = useState(() => takeRestored() ?? new ForwardedText(message))
  useEffect(() => {
    if (writing.conversation !== undefined) writing.field?.focus()
    warmUpRenderer()
    void fetchSource(message).then((source) => {
      if (source === undefined) onClose()
      else writing.source.value = source
    })
  }, [])
  useDroppedFiles(writing, form)
  const { conversation, source, hasPreview } = writing
  const isReady = source.value !== undefined && conversation !== undefined && mayWriteIn(conversation)
  const cancel = (): void => {
    onClose()
    if (writing.text.peek().trim() === '') return
    offerUndo(tl().forward.discarded, async () => {
      restored = writing
      openedDialog.value = { name: 'forward', message }
    })
  }
  return (
    <Dialog title={tl().forward.title} class="forward-dialog" onClose={cancel}>
      <form
        ref={form}
        class="forward"
        data-drop-area
        onMouseDown={keepFocus}
        onSubmit={(event) => {
          event.preventDefault()
          void sendForward(writing, onClose)
        }}
      >
        <div class="composer-box">
          <Recipients writing={writing} />
          <div class="composer-text">
            <Field
              writing={writing}
              label={tl().forward.comment}
              placeholder={tl().forward.addComment}
              onKey={(event) => {
                const isSent = isSendKey(event)
                if (isSent) void sendForward(writing, onClose)
                return isSent
              }}
            />
          </div>
          <Original message={message} />
          {writing.hasFiles && <Uploads writing={writing} />}
          <Notes writing={writing} />
          <Warnings writing={writing} />
          {hasPreview.value && <Preview text={writing.content} />}
          <Tools writing={writing}>
            <button class="button primary" type="submit" disabled={!isReady}>
              {t().messages.forward}
            </button>
          </Tools>
        </div>
      </form>
    </Dialog>
  )
}

async function sendForward(writing: ForwardedText, close: () => void): Promise<void> {
  await writing.insertion
  const { conversation, content } = writing
  if (writing.source.peek() === undefined || excessCharacters(content) > 0) return
  if (conversation === undefined) return askForDestination(writing)
  if (!mayWriteIn(conversation)) return
  if (writing.isUploading) return writing.queue(() => void sendForward(writing, close))
  sendMessage(conversation, content)
  close()
  const shown = conversationOnScreen()
  if (shown === undefined || placeKey(shown) !== placeKey(conversation)) offerSentConversation(conversation)
}

function Original({ message }: Pick<DialogProps, 'message'>) {
  const { author, text } = previewOf(message)
  return (
    <p class="composer-quote" role="group" aria-label={tl().forward.original}>
      <span class="quote-line">
        <bdi class="quote-author">{author}</bdi> <bdi>{text}</bdi>
      </span>
    </p>
  )
}

function Notes({ writing }: { readonly writing: ForwardedText }) {
  const { conversation, hiddenOrigin, source } = writing
  const notes = [
    conversation !== undefined && hiddenOrigin !== undefined && tl().forward[hiddenOrigin],
    source.value?.includes('(/user_uploads/') === true && tl().forward.files,
  ]
  return notes.map((note) => note !== false && <p class="note forward-note">{note}</p>)
}

/** One field for people, channels, and topics. A channel also has a field for its topic; a person, for more people. */
function Recipients({ writing }: { readonly writing: ForwardedText }) {
  const { value: destination } = writing.destination
  return (
    <div class="destination" role="group" aria-label={t().composer.destination}>
      <span class="forward-label" aria-hidden="true">
        {t().composer.destination}
      </span>
      {destination.view === 'direct' ? (
        <PeopleChips writing={writing} userIds={destination.userIds} />
      ) : destination.channelId === undefined ? (
        <RecipientField writing={writing} />
      ) : (
        <ChannelChip writing={writing} destination={destination} channelId={destination.channelId} />
      )}
      <MissingDestination writing={writing} />
    </div>
  )
}

interface ChannelChipProps {
  readonly writing: ForwardedText
  readonly destination: Extract<Destination, { view: 'topic' }>
  readonly channelId: number
}

/** The topic has a line of its own, so that nobody takes its field for the comment. */
function ChannelChip({ writing, destination, channelId }: ChannelChipProps) {
  const field = useRef<HTMLInputElement>(null)
  const name = channelName(channelId)
  const color = subscriptionTo(channelId)?.color
  useLayoutEffect(() => {
    if (destination.topic === undefined) field.current?.focus()
  }, [])
  return (
    <>
      <span class="to-chip to-person" style={color === undefined ? {} : { '--channel': color }}>
        <ChannelSign channelId={channelId} />
        <bdi>{name}</bdi>
        <button
          class="icon-button to-remove"
          type="button"
          aria-label={t().composer.removePerson(name)}
          onClick={() => writing.redirect()}
        >
          <Icon name="close" size={13} />
        </button>
      </span>
      <span class="forward-topic">
        <span class="forward-label" aria-hidden="true">
          {t().composer.topic}
        </span>
        <TopicField writing={writing} destination={destination} channelId={channelId} field={field} />
      </span>
    </>
  )
}

interface Recipient extends ComboboxOption {
  readonly destination: Destination
}

function RecipientField({ writing }: { readonly writing: ForwardedText }) {
  const field = useRef<HTMLInputElement>(null)
  const entries = useMemo(recipientEntries, [])
  useLayoutEffect(() => field.current?.focus(), [])
  return (
    <span class="to-more" data-destination="channel">
      <Combobox
        field={field}
        label={t().composer.destination}
        placeholder={tl().forward.find}
        value=""
        opensOnFocus
        optionsFor={(typed) => rankItems(entries, typed, searchTextOf).flatMap(recipientOf)}
        onChoose={({ destination }) => writing.redirect(destination)}
        onDone={() => {
          if (writing.conversation !== undefined) writing.field?.focus()
        }}
      />
    </span>
  )
}

/** Returns the palette's conversations, channels, and people to whom the user can write, the likeliest first. */
function recipientEntries(): readonly Entry[] {
  return allEntries()
    .filter(({ to }) => {
      if (to?.view === 'topic') return mayWriteIn(to)
      const channel = to?.view === 'channel' ? channelById(to.channelId) : undefined
      return to?.view === 'direct' || (channel !== undefined && maySendTo(channel))
    })
    .map((entry) => ({ entry, weight: weightOf(entry) }))
    .toSorted((one, other) => other.weight - one.weight)
    .map(({ entry }) => entry)
}

/** A channel's name also finds its topics. */
function searchTextOf({ name, detail, to }: Entry): string {
  return to?.view === 'topic' ? `${name} ${detail ?? ''}` : name
}

function recipientOf({ key, name, detail, to, userIds, icon }: Entry): Recipient[] {
  const option = { key, label: name, detail }
  if (to?.view === 'topic') return [{ ...option, destination: to, sign: <ChannelSign channelId={to.channelId} /> }]
  if (to?.view === 'channel') {
    const destination = { view: 'topic', channelId: to.channelId, topic: initialTopic(to.channelId) } as const
    return [{ ...option, destination, sign: <ChannelSign channelId={to.channelId} /> }]
  }
  if (to?.view !== 'direct') return []
  const sign = userIds === undefined ? <Icon name={icon} size={17} /> : <GroupAvatar userIds={userIds} size={22} />
  const mark = to.userIds.length === 1 && <PersonMark userId={to.userIds[0] ?? 0} />
  return [{ ...option, destination: to, sign, mark }]
}

/** Characters reserved for closing the blocks of a shortened quote. */
const CLOSING_CHARACTERS = 100

const OPEN_DESTINATION: Destination = { view: 'topic', channelId: undefined, topic: undefined }

/** Comment on a message that is forwarded to another conversation. */
class ForwardedText extends ComposedText implements AddressedText {
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
    return quote(shortenMarkdown(this.source.value ?? '', Math.max(0, space)))
  }

  /** Kind of the original conversation if some people at the destination may not have access to it. */
  get hiddenOrigin(): 'private' | 'direct' | undefined {
    const { conversation: to } = this
    const { stream_id: channelId } = this.#message
    if (channelId === undefined) {
      const people = [...otherParticipants(this.#message, ownId()), ownId()]
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
