import type { messageEdits } from '@parley/server/contract'
import { sync } from '../../platform/client.ts'
import { go, shown } from '../../platform/router.ts'

/** Goes with a topic that is on screen when all of it is moved or renamed. */
export function followMoves(): void {
  sync.hear((event) => {
    const route = shown()
    if (event.type !== 'update_message' || event['propagate_mode'] !== 'change_all' || route.view !== 'topic') return
    // As the event declares it.
    const { stream_id, orig_subject, new_stream_id, subject } = event as unknown as messageEdits.MessageUpdate
    if (stream_id !== route.channelId || orig_subject?.toLowerCase() !== route.topic.toLowerCase()) return
    go({ ...route, channelId: new_stream_id ?? stream_id, topic: subject ?? route.topic }, { replace: true })
  })
}
