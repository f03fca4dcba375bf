import type { Capability } from '../../kernel/capability.ts'
import type { Message } from '../../kernel/message.ts'
import type { Place } from '../../kernel/route.ts'
import { t } from '../../kernel/strings.ts'
import { store } from '../../platform/client.ts'
import { copy } from '../../platform/dom/clipboard.ts'
import { toast } from '../../platform/overlay/toasts.tsx'
import { bareTopic, isResolved, RESOLVED } from '../channels/state.ts'
import { topicTitle } from '../places/title.tsx'
import { ownId } from '../users/state.ts'
import { Deleting, finishOnClosing, isDeleting, remove } from './deleting.tsx'
import { followMoves } from './following.ts'
import { renameTopic } from './moving.ts'
import { Editor } from './parts/editor.tsx'
import { HistoryDialog, openHistory } from './parts/history.tsx'
import { MoveDialog, openMove } from './parts/move.tsx'
import { openReceipts, ReceiptsDialog } from './parts/receipts.tsx'
import { edit, editing, sourceOf } from './state.ts'

const isMine = (message: Message): boolean => message.sender_id === ownId()

export const messageEdits: Capability = {
  name: 'message-edits',
  messageActions: [
    {
      id: 'messageEdits.edit',
      title: () => t().messages.edit,
      icon: 'edit',
      keys: ['e'],
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
      keys: ['m'],
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
      when: (message) => isMine(message) && !isDeleting(message),
      run: remove,
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
      run: toggleResolved,
    },
  ],
  overlays: [MoveDialog, HistoryDialog, ReceiptsDialog],
  messageBody: (message) => {
    if (isDeleting(message)) return <Deleting id={message.id} />
    return editing.value?.id === message.id ? <Editor id={message.id} content={editing.value.content} /> : undefined
  },
  begin: () => {
    finishOnClosing()
    followMoves()
  },
}

function isResolvedPlace(place: Place): boolean {
  return place.view === 'topic' && isResolved(place.topic)
}

/** Renames the topic, which is what resolves it. */
function toggleResolved(place: Place): void {
  if (place.view !== 'topic') return
  const name = topicTitle(place.topic)
  if (isResolved(place.topic)) void renameTopic(place, bareTopic(place.topic), t().channel.unresolved(name))
  else void renameTopic(place, RESOLVED + place.topic, t().channel.resolved(name))
}

async function copySource(message: Message): Promise<void> {
  const source = await sourceOf(message)
  if (source === undefined) return
  if (await copy(source)) toast(t().messages.copied)
}
