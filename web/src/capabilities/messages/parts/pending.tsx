import type { Place } from '../../../kernel/route.ts'
import { t } from '../../../kernel/strings.ts'
import { go } from '../../../platform/router.ts'
import { focusComposer, writeInto } from '../../composer/state.ts'
import { Avatar } from '../../users/parts/avatar.tsx'
import { ownId, userName } from '../../users/state.ts'
import { discard, outgoing, retry, type Outgoing } from '../outbox.ts'

/** What was written in a conversation and is not there yet. */
export function Pending({ place }: { readonly place: Place }) {
  return (
    <>
      {outgoing(place).map((entry) => (
        <PendingRow key={entry.key} entry={entry} />
      ))}
    </>
  )
}

function PendingRow({ entry }: { readonly entry: Outgoing }) {
  const { trouble } = entry
  const isRefused = trouble?.isRefused === true
  return (
    <article
      class={isRefused ? 'message has-head pending is-failed' : 'message has-head pending'}
      aria-label={`${userName(ownId())}, ${stateOf(entry)}`}
    >
      <div class="message-side">
        <Avatar userId={ownId()} />
      </div>
      <div class="message-main">
        <div class="message-head">
          <strong class="message-author">{userName(ownId())}</strong>
        </div>
        <div class="content pending-text" dir="auto">
          {entry.content}
        </div>
        <PendingState entry={entry} />
      </div>
    </article>
  )
}

function stateOf({ trouble }: Outgoing): string {
  if (trouble === undefined) return t().messages.waiting
  return trouble.isRefused ? t().messages.failed : t().messages.offline
}

/** Why a message is not there yet, and what can be done about it. */
export function PendingState({ entry }: { readonly entry: Outgoing }) {
  const { trouble, place, content } = entry
  const isRefused = trouble?.isRefused === true
  const edit = (): void => {
    discard(entry)
    go(place)
    writeInto(place, content)
    focusComposer()
  }
  return (
    <div class="pending-state">
      {isRefused ? `${stateOf(entry)}: ${trouble.reason}` : stateOf(entry)}
      {isRefused && (
        <button class="button" onClick={() => retry(entry)}>
          {t().messages.retry}
        </button>
      )}
      {trouble !== undefined && (
        <>
          <button class="button" onClick={edit}>
            {t().messages.edit}
          </button>
          <button class="button" onClick={() => discard(entry)}>
            {t().messages.discard}
          </button>
        </>
      )}
    </div>
  )
}
