import { heldMessages } from '@parley/server/contract'
import type { Message } from '../../../kernel/message.ts'
import type { Place } from '../../../kernel/route.ts'
import { t } from '../../../kernel/strings.ts'
import { isSameDay } from '../../../kernel/time.ts'
import { Icon } from '../../../platform/dom/icons.tsx'
import { callOrToast } from '../../../platform/requests.ts'
import { continueDraft } from '../../composer/state.ts'
import { Avatar } from '../../users/parts/avatar.tsx'
import { ownId, userName } from '../../users/state.ts'
import { discardMessage, outgoingMessagesIn, retryMessage, type OutgoingMessage } from '../outbox.ts'
import { DayDivider, continuesRun, type MessageHead } from './rows.tsx'
import { Fold } from './fold.tsx'
import { RenderedText } from './shown.tsx'

/** Messages with this prefix show their author's name as part of the text. */
const ME_PREFIX = '/me '

interface PendingMessagesProps {
  readonly place: Place
  readonly newest: Message | undefined
}

export function PendingMessages({ place, newest }: PendingMessagesProps) {
  const own = ownId()
  let before: MessageHead | undefined = newest
  return (
    <>
      {outgoingMessagesIn(place).map((entry) => {
        const said = {
          sender_id: own,
          timestamp: Math.floor(entry.writtenAt / 1000),
          is_me_message: entry.content.startsWith(ME_PREFIX),
        }
        const isNewDay = before === undefined || !isSameDay(before.timestamp, said.timestamp)
        const hasHead = before === undefined || isNewDay || !continuesRun(before, said)
        before = said
        return (
          <div key={entry.key} class="list-item">
            {isNewDay && <DayDivider seconds={said.timestamp} />}
            <PendingRow entry={entry} hasHead={hasHead} />
          </div>
        )
      })}
    </>
  )
}

interface PendingRowProps {
  readonly entry: OutgoingMessage
  readonly hasHead: boolean
}

function PendingRow({ entry, hasHead }: PendingRowProps) {
  const { trouble } = entry
  const isMe = entry.content.startsWith(ME_PREFIX)
  const classes = ['message', 'pending', hasHead && 'has-head', trouble?.isRefused === true && 'is-failed']
  return (
    <article class={classes.filter(Boolean).join(' ')} aria-label={`${userName(ownId())}, ${stateText(entry)}`}>
      <div class="message-side">{hasHead && <Avatar userId={ownId()} />}</div>
      <div class="message-main">
        {hasHead && !isMe && (
          <div class="message-head">
            <strong class="message-author">{userName(ownId())}</strong>
          </div>
        )}
        <Fold id={entry.key} isSought={false}>
          <RenderedText text={entry.content} />
        </Fold>
        {trouble === undefined && entry.heldId === undefined ? (
          <SendingMark entry={entry} />
        ) : (
          <PendingState entry={entry} />
        )}
      </div>
    </article>
  )
}

/** Takes no space of its own, so that nothing moves when the message arrives. */
function SendingMark({ entry }: { readonly entry: OutgoingMessage }) {
  return (
    <span class="on-its-way" title={stateText(entry)}>
      <Icon name="recent" size={12} />
      <span class="visually-hidden">{stateText(entry)}</span>
    </span>
  )
}

function stateText({ trouble, heldId }: OutgoingMessage): string {
  if (heldId !== undefined) return t().messages.held
  if (trouble === undefined) return t().messages.waiting
  return trouble.isRefused ? t().messages.failed : t().messages.offline
}

export function PendingState({ entry }: { readonly entry: OutgoingMessage }) {
  const { trouble, isAsked, place, content, heldId } = entry
  const isRefused = trouble?.isRefused === true
  // Keeps a message whose request is pending, because the server may already have accepted it.
  const cancelSending = (): void => {
    if (!isAsked) discardMessage(entry)
  }
  const edit = (): void => {
    if (!isAsked) continueDraft(place, content)
    cancelSending()
  }
  const withdraw = async (held_message_id: number): Promise<void> => {
    const done = await callOrToast(heldMessages.withdrawHeldMessage, { held_message_id })
    if (done !== undefined) continueDraft(place, content)
  }
  return (
    <div class="pending-state">
      {isRefused ? `${stateText(entry)}: ${trouble.reason}` : stateText(entry)}
      {isRefused && (
        <button class="button" onClick={() => retryMessage(entry)}>
          {t().messages.retry}
        </button>
      )}
      {heldId !== undefined && (
        <button class="button" onClick={() => void withdraw(heldId)}>
          {t().messages.withdraw}
        </button>
      )}
      {trouble !== undefined && (
        <>
          <button class="button" aria-disabled={isAsked} onClick={edit}>
            {t().messages.edit}
          </button>
          <button class="button" aria-disabled={isAsked} onClick={cancelSending}>
            {t().messages.discard}
          </button>
        </>
      )}
    </div>
  )
}
