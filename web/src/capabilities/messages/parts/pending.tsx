import type { Place } from '../../../kernel/route.ts'
import { t } from '../../../kernel/strings.ts'
import { Avatar } from '../../users/parts/avatar.tsx'
import { ownId, userName } from '../../users/state.ts'
import { discard, outgoing, retry } from '../outbox.ts'

/** What was written in a conversation and is not there yet. */
export function Pending({ place }: { readonly place: Place }) {
  return (
    <>
      {outgoing(place).map((entry) => (
        <article
          key={entry.key}
          class={entry.failure === undefined ? 'message has-head pending' : 'message has-head pending is-failed'}
          aria-label={`${userName(ownId())}, ${entry.failure === undefined ? t().messages.waiting : t().messages.failed}`}
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
              {entry.failure === undefined ? t().messages.waiting : `${t().messages.failed}: ${entry.failure}`}
              {entry.failure !== undefined && (
                <>
                  <button class="button" onClick={() => retry(entry)}>
                    {t().messages.retry}
                  </button>
                  <button class="button" onClick={() => discard(entry)}>
                    {t().messages.discard}
                  </button>
                </>
              )}
            </div>
          </div>
        </article>
      ))}
    </>
  )
}
