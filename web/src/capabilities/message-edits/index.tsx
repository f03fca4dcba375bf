import type { Capability } from '../../kernel/capability.ts'
import type { Message } from '../../kernel/message.ts'
import type { Place } from '../../kernel/route.ts'
import { t } from '../../kernel/strings.ts'
import { isResolvedTopic } from '../../kernel/topic.ts'
import { messages, store } from '../../platform/client.ts'
import { copyWithToast } from '../../platform/dom/clipboard.ts'
import { lazily, withPart } from '../../platform/dom/lazy.tsx'
import { toast } from '../../platform/overlay/toasts.tsx'
import { openedList } from '../messages/open-list.ts'
import { DeletionNote, sendDeletionsOnClose, isDeleting, deleteAfterDelay } from './deleting.tsx'
import { followMoves } from './following.ts'
import {
  deletePermit,
  editPermit,
  hasHistory,
  mayMoveOutOfChannel,
  mayMoveWithinChannel,
  mayRenameTopics,
  mayResolve,
} from './rules.ts'
import { startEdit, editsByMessageId, openedDialog, restoreEdits, fetchSource, type DialogName } from './state.ts'

const loadEditor = async () => (await import('./parts/editor.tsx')).loadEditor()
const Editor = lazily(loadEditor)

const MessageDialog = lazily(
  async () => (await import('./parts/dialogs.tsx')).MessageDialog,
  () => null,
)

function openDialog(name: DialogName): (message: Message) => void {
  return (message) => {
    openedDialog.value = { name, message }
  }
}

export const messageEdits: Capability = {
  name: 'message-edits',
  messageActions: [
    {
      id: 'messageEdits.forward',
      title: () => t().messages.forward,
      icon: 'forward',
      keys: ['<'],
      group: 'copy',
      when: ({ submessages }) => submessages.length === 0,
      run: openDialog('forward'),
    },
    {
      id: 'messageEdits.copyText',
      title: () => t().messages.copyText,
      icon: 'copy',
      group: 'copy',
      run: (message) => void withPart(import('../messages/copying.ts'), ({ copyText }) => void copyText(message)),
    },
    {
      id: 'messageEdits.copy',
      title: () => t().messages.copyMarkdown,
      icon: 'copy',
      group: 'rare',
      run: (message) => void copySource(message),
    },
    {
      id: 'messageEdits.source',
      title: () => t().messages.source,
      icon: 'code',
      group: 'rare',
      run: openDialog('source'),
    },
    {
      id: 'messageEdits.edit',
      title: () => t().messages.edit,
      icon: 'edit',
      keys: ['e'],
      group: 'talk',
      isQuick: true,
      when: (message) => editPermit(message) !== 'denied' && !isDeleting(message),
      refusal: (message) => lateReason(editPermit(message)),
      run: (message) => void startEdit(message),
    },
    {
      id: 'messageEdits.move',
      title: () => t().messages.move,
      icon: 'move',
      keys: ['m'],
      when: (message) => mayMoveWithinChannel(message) || mayMoveOutOfChannel(message),
      run: openDialog('move'),
    },
    {
      id: 'messageEdits.history',
      title: () => t().messages.history,
      icon: 'recent',
      group: 'rare',
      when: hasHistory,
      run: openDialog('history'),
    },
    {
      id: 'messageEdits.receipts',
      title: () => t().messages.readBy,
      icon: 'person',
      group: 'rare',
      when: () => store().read('realm_enable_read_receipts'),
      run: openDialog('receipts'),
    },
    {
      id: 'messageEdits.delete',
      title: () => t().messages.delete,
      icon: 'delete',
      keys: ['Delete'],
      isDangerous: true,
      when: (message) => deletePermit(message) !== 'denied' && !isDeleting(message),
      refusal: (message) => lateReason(deletePermit(message)),
      run: (message) => {
        const reason = lateReason(deletePermit(message))
        if (reason === undefined) deleteAfterDelay(message)
        else toast(reason)
      },
    },
  ],
  placeActions: [
    {
      id: 'messageEdits.resolve',
      title: (place) => (isResolvedPlace(place) ? t().channel.unresolve : t().channel.resolve),
      icon: 'check',
      isQuick: true,
      isLabeled: true,
      isOn: isResolvedPlace,
      when: isResolvable,
      run: (place) => changeTopic(place, 'toggleResolved'),
    },
    {
      id: 'messageEdits.rename',
      title: () => t().channel.renameTopic,
      icon: 'edit',
      when: (place) => place.view === 'topic' && mayRenameTopics(place.channelId) && !isEmpty(place),
      run: (place) => changeTopic(place, 'openRename'),
    },
  ],
  overlays: [() => (openedDialog.value === undefined ? null : <MessageDialog {...openedDialog.value} />)],
  messageBody: (message) => {
    if (isDeleting(message)) return <DeletionNote id={message.id} />
    const edited = editsByMessageId.value.get(message.id)
    return edited === undefined ? undefined : <Editor id={message.id} edit={edited} />
  },
  begin: () => {
    sendDeletionsOnClose()
    followMoves()
    void restoreEdits().then((hasEdits) => (hasEdits ? loadEditor() : undefined))
  },
}

function lateReason(permit: ReturnType<typeof editPermit>): string | undefined {
  return permit === 'late' ? t().messages.tooLate : undefined
}

function isResolvable(place: Place): boolean {
  return place.view === 'topic' && place.topic !== '' && mayResolve(place.channelId) && !isEmpty(place)
}

/** The server stores topics only with messages. Reads the open list too, because the messages load after the header. */
function isEmpty(place: Place): boolean {
  return openedList.value !== undefined && messages.isEmpty(place)
}

function isResolvedPlace(place: Place): boolean {
  return place.view === 'topic' && isResolvedTopic(place.topic)
}

function changeTopic(place: Place, action: 'toggleResolved' | 'openRename'): void {
  if (place.view === 'topic') void withPart(import('./moving.ts'), (part) => void part[action](place))
}

async function copySource(message: Message): Promise<void> {
  const source = await fetchSource(message)
  if (source !== undefined) await copyWithToast(source)
}
