import { call } from '@parley/client'
import { messageEdits } from '@parley/server/contract'
import { tl } from '../../../kernel/later-texts.ts'
import { t } from '../../../kernel/strings.ts'
import { fullTime } from '../../../kernel/time.ts'
import { trustHtml } from '../../../platform/dom/html.ts'
import { useFetched } from '../../../platform/list/fetched.ts'
import { LoadFailure, LoadingRows } from '../../../platform/list/states.tsx'
import { Dialog } from '../../../platform/overlay/dialog.tsx'
import { SESSION } from '../../../platform/sync/sync.ts'
import { channelTitle, topicTitle } from '../../places/title.tsx'
import { shownName } from '../../muted-users/state.ts'
import './history.css'
import type { DialogProps } from '../state.ts'

type HistoricState = messageEdits.HistoricState

export function HistoryDialog({ message, onClose }: DialogProps) {
  const { value, hasFailed, again } = useFetched(async (signal) => {
    const input = { message_id: message.id, allow_empty_topic_name: true }
    return call(SESSION, messageEdits.getMessageHistory, input, { signal })
  }, message.id)
  const states = value?.message_history.toReversed()
  return (
    <Dialog title={t().messages.history} onClose={onClose}>
      {hasFailed && <LoadFailure again={again} />}
      {states === undefined && !hasFailed && <LoadingRows rows={3} />}
      <ol class="history">
        {states?.map((state, index) => (
          <li key={index}>
            <PastState state={state} isFirst={index === states.length - 1} />
          </li>
        ))}
      </ol>
    </Dialog>
  )
}

function PastState({ state, isFirst }: { readonly state: HistoricState; readonly isFirst: boolean }) {
  const hasContent = isFirst || state.prev_content !== undefined
  return (
    <>
      <p class="history-head">
        {state.user_id !== null && (
          <strong>
            <bdi>{shownName(state.user_id)}</bdi>
          </strong>
        )}
        <span>{isFirst ? tl().messages.sentAt : hasContent ? t().messages.edited : t().messages.moved}</span>
        <time>{fullTime(state.timestamp)}</time>
      </p>
      {state.prev_topic !== undefined && (
        <ChangeDiff before={topicTitle(state.prev_topic)} after={topicTitle(state.topic)} />
      )}
      {state.prev_stream !== undefined && (
        <ChangeDiff before={channelTitle(state.prev_stream)} after={channelTitle(state.stream ?? 0)} />
      )}
      {hasContent && (
        <div
          class="content"
          dir="auto"
          dangerouslySetInnerHTML={trustHtml(state.content_html_diff ?? state.rendered_content)}
        />
      )}
    </>
  )
}

function ChangeDiff({ before, after }: { readonly before: string; readonly after: string }) {
  return (
    <p>
      <del>
        <bdi>{before}</bdi>
      </del>{' '}
      <span aria-hidden="true">→</span>{' '}
      <ins class="highlight_text_inserted">
        <bdi>{after}</bdi>
      </ins>
    </p>
  )
}
