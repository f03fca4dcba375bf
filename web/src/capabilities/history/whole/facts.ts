import type { Message } from '../../../kernel/message.ts'
import type { Conversation } from '../../../kernel/route.ts'
import { tl } from '../../../kernel/later-texts.ts'
import { localTime } from '../../../kernel/time.ts'
import { store } from '../../../platform/client.ts'
import { emojiFromCode } from '../../../platform/dom/html.ts'
import { placeName } from '../../places/title.tsx'
import { wasMoved } from '../../message-edits/rules.ts'
import { shownName } from '../../muted-users/state.ts'

export interface ExportExtent {
  readonly conversation: Conversation
  readonly count: number
  /** Number of messages omitted because their senders are muted. */
  readonly leftOut: number
}

export function exportHeadOf({ conversation, count, leftOut }: ExportExtent): {
  title: string
  notes: readonly string[]
} {
  const summary = tl().whole.summary(count, store().read('realm_name'), localTime(Date.now() / 1000))
  return {
    title: placeName(conversation),
    notes: [summary, ...(leftOut > 0 ? [tl().whole.leftOut(leftOut)] : [])],
  }
}

export function editNotes(message: Message): readonly string[] {
  const { last_edit_timestamp: edited, last_moved_timestamp: moved } = message
  return [
    ...(edited === undefined ? [] : [tl().whole.edited(localTime(edited))]),
    ...(moved === undefined || !wasMoved(message) ? [] : [tl().whole.moved(localTime(moved))]),
  ]
}

export function reactionsOf({ reactions }: Message): readonly { readonly sign: string; readonly names: string }[] {
  const names = new Map<string, string[]>()
  for (const { emoji_code, emoji_name, reaction_type, user_id } of reactions) {
    const sign = reaction_type === 'unicode_emoji' ? emojiFromCode(emoji_code) : `:${emoji_name}:`
    names.set(sign, [...(names.get(sign) ?? []), shownName(user_id)])
  }
  return [...names].map(([sign, who]) => ({ sign, names: who.join(', ') }))
}

export function absoluteUrl(path: string): string {
  return new URL(path, window.location.origin).href
}

export function fileName(conversation: Conversation, ending: string): string {
  const name = placeName(conversation)
    .replaceAll(/[\p{C}\\/:*?"<>|]+/gu, ' ')
    .replaceAll(/\s+/g, ' ')
    .replaceAll(/^[. ]+|[. ]+$/g, '')
  return `${[...name].slice(0, 80).join('').trim() || 'conversation'}.${ending}`
}
