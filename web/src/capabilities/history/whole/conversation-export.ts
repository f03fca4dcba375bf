import { call } from '@parley/client'
import { history } from '@parley/server/contract'
import { signal } from '@preact/signals'
import { narrowOf, type Message } from '../../../kernel/message.ts'
import type { Conversation } from '../../../kernel/route.ts'
import { tl } from '../../../kernel/later-texts.ts'
import { reasonOf } from '../../../platform/requests.ts'
import { SESSION } from '../../../platform/sync/sync.ts'
import { isMutedUser } from '../../users/state.ts'
import { createExportMaker, type ExportOutcome, type ExportMaker } from './forms.ts'
import type { ExportFormat } from '../actions.ts'

type ExportStep =
  | { readonly kind: 'reading' }
  | { readonly kind: 'failed'; readonly reason: string; readonly mayGoOn: boolean }
  | { readonly kind: 'ended'; readonly ending: ExportOutcome }

export class ConversationExport {
  readonly step = signal<ExportStep>({ kind: 'reading' })
  readonly count = signal(0)
  /** Progress from 0 to 1, based on timestamps. */
  readonly share = signal(0)
  readonly #conversation: Conversation
  readonly #form: ExportFormat
  readonly #aborter = new AbortController()
  readonly #maker: ExportMaker
  #leftOut = 0
  #first: number | undefined
  #newest: number | undefined
  #last: Message | undefined
  #made: Message | undefined
  #isRead = false

  constructor(conversation: Conversation, form: ExportFormat) {
    this.#conversation = conversation
    this.#form = form
    this.#maker = createExportMaker(form, this.#aborter.signal)
  }

  async run(): Promise<void> {
    this.step.value = { kind: 'reading' }
    try {
      this.#newest ??= await newestMessageId({ conversation: this.#conversation, signal: this.#aborter.signal })
      while (!this.#isRead && (await this.#readPage()));
      if (!this.#isRead) return
      const extent = { conversation: this.#conversation, count: this.count.value, leftOut: this.#leftOut }
      this.step.value = { kind: 'ended', ending: await this.#maker.end(extent) }
    } catch (error) {
      if (!this.#aborter.signal.aborted) this.#fail(reasonOf(error), true)
    }
  }

  cancel(): void {
    this.#aborter.abort()
  }

  async #readPage(): Promise<boolean> {
    const { isSource, maxMessages, add } = this.#maker
    const reading = { conversation: this.#conversation, isSource, signal: this.#aborter.signal }
    const { messages, isLast } = await readAfter(reading, this.#last?.id)
    const shown = messages.filter(({ sender_id }) => !isMutedUser(sender_id))
    if (this.count.value + shown.length > maxMessages) {
      const { tooLong, tooLongToSave } = tl().whole
      this.#fail(
        this.#form === 'print' || this.#form === 'copy' ? tooLong(maxMessages) : tooLongToSave(maxMessages),
        false,
      )
      return false
    }
    await add(shown, this.#made)
    this.#leftOut += messages.length - shown.length
    this.count.value += shown.length
    this.#first ??= messages[0]?.id
    this.#last = messages.at(-1) ?? this.#last
    this.#made = shown.at(-1) ?? this.#made
    this.#showShare()
    if (isLast && this.count.value === 0) {
      this.#fail(tl().whole.isEmpty, false)
      return false
    }
    this.#isRead = isLast
    return true
  }

  #showShare(): void {
    const [first = 0, last = 0, newest = 0] = [this.#first, this.#last?.id, this.#newest]
    this.share.value = newest <= first ? 1 : Math.min(1, (last - first) / (newest - first))
  }

  #fail(reason: string, mayGoOn: boolean): void {
    this.step.value = { kind: 'failed', reason, mayGoOn }
  }
}

/** Messages per request: few enough to show progress and allow canceling. */
const PAGE_MESSAGES = 500

interface ReadOptions {
  readonly conversation: Conversation
  readonly isSource: boolean
  readonly signal: AbortSignal
}

interface MessagePage {
  readonly messages: readonly Message[]
  readonly isLast: boolean
}

async function readAfter(
  { conversation, isSource, signal: aborted }: ReadOptions,
  after?: number,
): Promise<MessagePage> {
  const answer = await call(
    SESSION,
    history.getMessages,
    {
      anchor: after === undefined ? 'oldest' : String(after),
      num_before: 0,
      num_after: PAGE_MESSAGES,
      include_anchor: after === undefined,
      narrow: narrowOf(conversation),
      apply_markdown: !isSource,
      client_external_avatar: false,
      allow_empty_topic_name: true,
    },
    { signal: aborted },
  )
  return { messages: answer.messages, isLast: answer.found_newest }
}

async function newestMessageId({
  conversation,
  signal: aborted,
}: Omit<ReadOptions, 'isSource'>): Promise<number | undefined> {
  const { messages } = await call(
    SESSION,
    history.getMessages,
    {
      anchor: 'newest',
      num_before: 1,
      num_after: 0,
      narrow: narrowOf(conversation),
      allow_empty_topic_name: true,
    },
    { signal: aborted },
  )
  return messages.at(-1)?.id
}
