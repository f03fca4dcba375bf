import { isEvent, type ApiEvent, type PayloadOf } from '@parley/client'
import { messageEdits, messages as declared } from '@parley/server/contract'
import { caseKey } from '@parley/server/kernel/case-key'
import { signal, type ReadonlySignal } from '@preact/signals'
import { useEffect, useMemo } from 'preact/hooks'
import { isMessageIn, type Message } from '../../kernel/message.ts'
import { placeKey, type Place } from '../../kernel/route.ts'
import { sync } from '../../platform/client.ts'
import { ownId } from '../users/state.ts'

/** Conversation or channel whose messages can be read one page after another. */
export type ReadablePlace = Extract<Place, { view: 'topic' | 'direct' | 'channel-feed' }>

/** Part of the messages to read; undefined for all messages. */
export type ReadableScope = ReadablePlace | undefined

/** Query that can be answered only by reading messages. */
export interface IncrementalQuery<
  Answer extends { readonly isWhole: boolean },
  Scope extends ReadableScope = ReadablePlace,
> {
  readonly begin: (scope: Scope) => Promise<Answer>
  /** Reads further messages to extend an incomplete answer. */
  readonly goOn: (scope: Scope, known: Answer) => Promise<Answer>
  /** Adds a newly sent message. Must be idempotent. */
  readonly add: (known: Answer, message: Message) => Answer
  /** Removes deleted messages. If absent, the answer is read again. */
  readonly remove?: (known: Answer, ids: readonly number[]) => Answer
  readonly size: (known: Answer) => number
  /** Whether an edit or deletion can change the answer, for queries about all messages. Others are read again. */
  readonly isAffected?: (known: Answer, change: MessageChange) => boolean
}

export interface MessageChange {
  readonly message_ids?: readonly number[] | undefined
  readonly rendered_content?: string | undefined
}

export interface PartialReading {
  readonly answer: ReadonlySignal<{ readonly isWhole: boolean } | undefined>
  readonly isLoading: ReadonlySignal<boolean>
  readonly hasFailed: ReadonlySignal<boolean>
  readonly more: () => void
}

const REREAD_DELAY_MILLISECONDS = 2_000

class LiveAnswer<Answer extends { readonly isWhole: boolean }, Scope extends ReadableScope> implements PartialReading {
  readonly answer = signal<Answer | undefined>(undefined)
  readonly isLoading = signal(false)
  readonly hasFailed = signal(false)
  readonly #scope: Scope
  readonly #question: IncrementalQuery<Answer, Scope>
  #sent: Message[] = []
  /** Whether the data changed during a read. */
  #isOutdated = false
  #timer: ReturnType<typeof setTimeout> | undefined

  constructor(scope: Scope, question: IncrementalQuery<Answer, Scope>) {
    this.#scope = scope
    this.#question = question
  }

  follow(): () => void {
    void this.#read('again')
    const ends = [sync.listen((event) => this.#onEvent(event)), sync.onBeginning(() => this.#renew())]
    return () => {
      for (const end of ends) end()
      clearTimeout(this.#timer)
    }
  }

  readonly more = (): void => {
    void this.#read(this.answer.peek() === undefined || this.#isOutdated ? 'again' : 'more')
  }

  async #read(what: 'again' | 'more'): Promise<void> {
    if (this.isLoading.peek()) return
    this.isLoading.value = true
    this.hasFailed.value = false
    this.#sent = []
    if (what === 'again') this.#isOutdated = false
    const known = this.answer.peek()
    try {
      const isMore = what === 'more' && known !== undefined
      const answer = await (isMore ? this.#question.goOn(this.#scope, known) : this.#readAgain(known))
      this.answer.value = this.#sent.reduce(this.#question.add, answer)
    } catch {
      this.hasFailed.value = true
      if (what === 'again') this.#isOutdated = true
    }
    this.isLoading.value = false
    if (this.#isOutdated && !this.hasFailed.peek()) this.#renew()
  }

  /** Reads again until the answer is at least as large as the known answer. */
  async #readAgain(known: Answer | undefined): Promise<Answer> {
    const { begin, goOn, size } = this.#question
    const wanted = known === undefined ? 0 : size(known)
    let answer = await begin(this.#scope)
    while (!answer.isWhole && size(answer) < wanted) answer = await goOn(this.#scope, answer)
    return answer
  }

  #onEvent(event: ApiEvent): void {
    if (isEvent(event, declared.messageSent)) this.#onMessage(event)
    else if (isEvent(event, messageEdits.messagesDeleted) && this.#isHere(event)) this.#onDeletion(event)
    else if (isEvent(event, messageEdits.messageUpdated) && this.#mayBeHere(event)) this.#renew()
  }

  #onMessage({ message, flags }: PayloadOf<typeof declared.messageSent>): void {
    const sent: Message = { ...message, flags }
    if (this.#scope !== undefined && isMessageIn(this.#scope, sent, ownId()) !== true) return
    if (this.isLoading.peek()) this.#sent.push(sent)
    const known = this.answer.peek()
    if (known !== undefined) this.answer.value = this.#question.add(known, sent)
  }

  #onDeletion({ message_ids: ids = [] }: messageEdits.MessageDeletion): void {
    const known = this.answer.peek()
    const { remove } = this.#question
    if (known !== undefined && remove !== undefined) this.answer.value = remove(known, ids)
    // An answer that is being read can still have the messages.
    if (remove === undefined || this.isLoading.peek()) this.#renew()
  }

  #isHere(deletion: messageEdits.MessageDeletion): boolean {
    const { stream_id: channelId, topic = '' } = deletion
    const scope: ReadableScope = this.#scope
    if (scope === undefined) return this.#isAffected(deletion)
    if (scope.view === 'direct') return channelId === undefined
    return channelId === scope.channelId && includesTopic(scope, topic)
  }

  /** Events of edits that move no messages lack the topic, so any such edit in the channel may match. */
  #mayBeHere(update: messageEdits.MessageUpdate): boolean {
    const { rendering_only, stream_id, new_stream_id, orig_subject, subject } = update
    const scope: ReadableScope = this.#scope
    if (rendering_only) return false
    if (scope === undefined) return this.#isAffected(update)
    if (scope.view === 'direct') return stream_id === undefined
    if (![stream_id, new_stream_id].includes(scope.channelId)) return false
    return (
      subject === undefined ||
      [subject, orig_subject].some((topic) => topic !== undefined && includesTopic(scope, topic))
    )
  }

  #isAffected(change: MessageChange): boolean {
    const known = this.answer.peek()
    return known === undefined || this.#question.isAffected?.(known, change) !== false
  }

  #renew(): void {
    this.#isOutdated = true
    this.#timer ??= setTimeout(() => {
      this.#timer = undefined
      void this.#read('again')
    }, REREAD_DELAY_MILLISECONDS)
  }
}

function includesTopic(place: Extract<ReadablePlace, { view: 'topic' | 'channel-feed' }>, topic: string): boolean {
  return place.view !== 'topic' || caseKey(topic) === caseKey(place.topic)
}

export function useLiveAnswer<Answer extends { readonly isWhole: boolean }, Scope extends ReadableScope>(
  scope: Scope,
  question: IncrementalQuery<Answer, Scope>,
): LiveAnswer<Answer, Scope> {
  const key = scope === undefined ? undefined : placeKey(scope)
  const reading = useMemo(() => new LiveAnswer(scope, question), [key, question])
  useEffect(() => reading.follow(), [reading])
  return reading
}
