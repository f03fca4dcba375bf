import { organizations } from '@parley/server/contract'
import type { IconName } from '../../kernel/icons.ts'
import { tl } from '../../kernel/later-texts.ts'
import { t } from '../../kernel/strings.ts'
import { zonedTime } from '../../kernel/time.ts'
import type { MenuItem } from '../../platform/overlay/menu.tsx'
import { openTimeDialog } from '../../platform/overlay/time-dialog.tsx'
import { store } from '../../platform/client.ts'
import { startClip } from '../clips/actions.ts'
import type { ClipKind } from '../clips/clip.ts'
import { sendMessage } from '../messages/outbox.ts'
import { openedWidgetForm, type WidgetForm } from '../messages/widget.ts'
import { openSnippets } from '../snippets/open.ts'
import type { ComposedText } from './composed-text.ts'

/** @param isNew whether the text is a new message. Only such messages can get recordings, polls, and lists. */
export function insertionItems(writing: ComposedText, files: HTMLInputElement | null, isNew: boolean): MenuItem[] {
  const calls = callServerUrl()
  const recordItem = (id: ClipKind, icon: IconName): MenuItem => ({
    id,
    title: t().clips[id],
    icon,
    run: () => startClip(writing, id),
  })
  const widgetItem = (id: WidgetForm['type'], icon: IconName): MenuItem => ({
    id,
    title: tl()[id].create,
    icon,
    run: () => startWidget(writing, id),
  })
  return [
    { id: 'file', title: t().composer.attach, icon: 'attach', run: () => files?.click() },
    ...(isNew
      ? [
          recordItem('voice', 'microphone'),
          recordItem('video', 'camera'),
          widgetItem('poll', 'poll'),
          widgetItem('todo', 'check'),
        ]
      : []),
    { id: 'time', title: tl().composer.time, icon: 'recent', run: () => insertTime(writing) },
    {
      id: 'snippet',
      title: tl().snippets.title,
      icon: 'writing',
      run: () => openSnippets(writing.text.value, (text) => insertAfterDialog(writing, text)),
    },
    ...(calls === undefined
      ? []
      : [{ id: 'call', title: tl().composer.call, icon: 'camera' as const, run: () => insertCall(writing, calls) }]),
  ]
}

/** Inserts text after the dialog has closed and returned the focus to the field. */
function insertAfterDialog(writing: ComposedText, text: string): void {
  requestAnimationFrame(() => writing.insert(text))
}

function callServerUrl(): string | undefined {
  if (store().read('realm_video_chat_provider') !== organizations.VIDEO_CALL_PROVIDERS.jitsi) return undefined
  return store().read('realm_jitsi_server_url') ?? store().read('server_jitsi_server_url') ?? undefined
}

/** The room name is random: anyone with the link can join the call. */
function insertCall(writing: ComposedText, address: string): void {
  const room = `${address.replace(/\/$/, '')}/${crypto.randomUUID()}`
  insertAfterDialog(writing, `[${tl().composer.joinCall}](${room}) `)
}

/** Sends the poll or list separately; the text being written stays. */
function startWidget(writing: ComposedText, type: WidgetForm['type']): void {
  openedWidgetForm.value = {
    type,
    take(text) {
      const { conversation } = writing
      if (conversation === undefined) insertAfterDialog(writing, text)
      else sendMessage(conversation, text)
    },
  }
}

function insertTime(writing: ComposedText): void {
  openTimeDialog({
    title: tl().composer.time,
    action: tl().composer.insertTime,
    choose: (seconds) => insertAfterDialog(writing, `<time:${zonedTime(seconds)}> `),
    takesPast: true,
  })
}
