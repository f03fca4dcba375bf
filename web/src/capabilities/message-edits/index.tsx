import type { Capability } from '../../kernel/capability.ts'
import type { Message } from '../../kernel/message.ts'
import type { Place } from '../../kernel/route.ts'
import { t } from '../../kernel/strings.ts'
import { messages, store } from '../../platform/client.ts'
import { confirm } from '../../platform/overlay/confirm.tsx'
import { copy } from '../../platform/dom/clipboard.ts'
import { toast } from '../../platform/overlay/toasts.tsx'
import { go } from '../../platform/router.ts'
import { bareTopic, isResolved, RESOLVED } from '../channels/state.ts'
import { ownId } from '../users/state.ts'
import { Editor } from './parts/editor.tsx'
import { HistoryDialog, openHistory } from './parts/history.tsx'
import { MoveDialog, openMove } from './parts/move.tsx'
import { openReceipts, ReceiptsDialog } from './parts/receipts.tsx'
import { edit, editing, remove, renameTopic, sourceOf } from './state.ts'

const isMine = (message: Message): boolean => message.sender_id === ownId()

export const messageEdits: Capability = {
  name: 'message-edits',
  messageActions: [
    {
      id: 'messageEdits.edit',
      title: () => t().messages.edit,
      icon: 'edit',
      key: 'e',
      isQuick: true,
      when: isMine,
      run: (message) => void edit(message),
    },
    {
      id: 'messageEdits.copy',
      title: () => t().messages.copyText,
      icon: 'writing',
      run: (message) => void copySource(message),
    },
    {
      id: 'messageEdits.move',
      title: () => t().messages.move,
      icon: 'reply',
      key: 'm',
      when: (message) => message.stream_id !== undefined,
      run: openMove,
    },
    {
      id: 'messageEdits.history',
      title: () => t().messages.history,
      icon: 'recent',
      when: (message) => message.last_edit_timestamp !== undefined || message.last_moved_timestamp !== undefined,
      run: (message) => void openHistory(message),
    },
    {
      id: 'messageEdits.receipts',
      title: () => t().messages.readBy,
      icon: 'check',
      when: () => store().read('realm_enable_read_receipts'),
      run: (message) => void openReceipts(message),
    },
    {
      id: 'messageEdits.delete',
      title: () => t().messages.delete,
      icon: 'delete',
      isDangerous: true,
      when: isMine,
      run: (message) =>
        confirm({ text: t().messages.deleteSure, action: t().messages.delete, run: () => void remove(message) }),
    },
  ],
  placeActions: [
    {
      id: 'messageEdits.resolve',
      title: (place) => (isResolvedPlace(place) ? t().channel.unresolve : t().channel.resolve),
      icon: 'check',
      isQuick: true,
      isOn: isResolvedPlace,
      when: (place) => place.view === 'topic' && place.topic !== '',
      run: (place) => void toggleResolved(place),
    },
  ],
  overlays: [MoveDialog, HistoryDialog, ReceiptsDialog],
  messageBody: (message) =>
    editing.value?.id === message.id ? <Editor id={message.id} content={editing.value.content} /> : undefined,
}

function isResolvedPlace(place: Place): boolean {
  return place.view === 'topic' && isResolved(place.topic)
}

/** Renames the topic, which is what resolves it, and goes with it. */
async function toggleResolved(place: Place): Promise<void> {
  if (place.view !== 'topic') return
  const [first] = messages.shownIn(place)
  const topic = isResolved(place.topic) ? bareTopic(place.topic) : RESOLVED + place.topic
  if (first !== undefined && (await renameTopic(first.id, topic))) go({ ...place, topic }, { replace: true })
}

async function copySource(message: Message): Promise<void> {
  const source = await sourceOf(message)
  if (source === undefined) return
  if (await copy(source)) toast(t().messages.copied)
}
