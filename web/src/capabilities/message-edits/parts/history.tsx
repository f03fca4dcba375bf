import { messageEdits } from '@parley/server/contract'
import { signal } from '@preact/signals'
import type { Message } from '../../../kernel/message.ts'
import { t } from '../../../kernel/strings.ts'
import { fullTime } from '../../../kernel/time.ts'
import { rendered } from '../../../platform/dom/html.ts'
import { Dialog } from '../../../platform/overlay/dialog.tsx'
import { ask } from '../../../platform/requests.ts'
import { userName } from '../../users/state.ts'

type History = NonNullable<Awaited<ReturnType<typeof fetchHistory>>>

const history = signal<History | undefined>(undefined)

async function fetchHistory(message: Message) {
  return ask(messageEdits.getMessageHistory, { message_id: message.id })
}

/** Shows what a message was before. */
export async function openHistory(message: Message): Promise<void> {
  history.value = await fetchHistory(message)
}

/** The one dialog that shows what a message was. */
export function HistoryDialog() {
  const known = history.value
  if (known === undefined) return null
  return (
    <Dialog
      title={t().messages.history}
      onClose={() => {
        history.value = undefined
      }}
    >
      <ol class="history">
        {known.message_history.toReversed().map((state, index) => (
          <li key={index}>
            <p class="note">
              {state.user_id === null ? '' : `${userName(state.user_id)} · `}
              {fullTime(state.timestamp)}
            </p>
            {state.prev_topic !== undefined && (
              <p>
                <del>{state.prev_topic}</del> → <bdi>{state.topic}</bdi>
              </p>
            )}
            <div
              class="content"
              dir="auto"
              dangerouslySetInnerHTML={rendered(state.content_html_diff ?? state.rendered_content)}
            />
          </li>
        ))}
      </ol>
    </Dialog>
  )
}
