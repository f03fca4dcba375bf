import type { Place } from '../../../kernel/route.ts'
import { t } from '../../../kernel/strings.ts'
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
  const state = isRefused ? t().messages.failed : trouble === undefined ? t().messages.waiting : t().messages.offline
  return (
    <article
      class={isRefused ? 'message has-head pending is-failed' : 'message has-head pending'}
      aria-label={`${userName(ownId())}, ${state}`}
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
        <div class="pending-state">
          {isRefused ? `${state}: ${trouble.reason}` : state}
          {isRefused && (
            <button class="button" onClick={() => retry(entry)}>
              {t().messages.retry}
            </button>
          )}
          {trouble !== undefined && (
            <button class="button" onClick={() => discard(entry)}>
              {t().messages.discard}
            </button>
          )}
        </div>
      </div>
    </article>
  )
}
