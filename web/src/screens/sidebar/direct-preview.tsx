import { useEffect } from 'preact/hooks'
import { previewOf } from '../../capabilities/muted-users/state.ts'
import { shortTimestamp } from '../../kernel/time.ts'
import { messages } from '../../platform/client.ts'
import './direct-preview.css'

const queuedMessageIds = new Set<number>()

/** Fetches the messages of all rows together. */
function enqueueFetch(id: number): void {
  if (queuedMessageIds.size === 0) {
    queueMicrotask(() => {
      const ids = [...queuedMessageIds]
      queuedMessageIds.clear()
      // Without the optional preview, the conversation is still listed.
      messages.fetch(ids).catch(() => undefined)
    })
  }
  queuedMessageIds.add(id)
}

/** Second line of a DM on phones: the latest message and its time. */
export function DirectPreview({ lastId }: { readonly lastId: number }) {
  // Rerenders when the fetched messages arrive.
  void messages.arrivals
  useEffect(() => enqueueFetch(lastId), [lastId, messages.gaps])
  const last = messages.get(lastId)?.value
  if (last === undefined) return null
  return (
    <span class="sidebar-preview note">
      <bdi>{previewOf(last).text}</bdi>
      <span>{shortTimestamp(last.timestamp)}</span>
    </span>
  )
}
