import { isRecord } from '@parley/server/kernel/keys'
import { signal } from '@preact/signals'
import type { Message } from '../../kernel/message.ts'
import { t } from '../../kernel/strings.ts'

/** The server's limit for an option of a poll. Titles and tasks have the same limit. */
export const MAX_ITEM_CHARACTERS = 200

export interface WidgetForm {
  readonly type: 'poll' | 'todo'
  /** Receives the text of the message. */
  readonly take: (text: string) => void
}

export const openedWidgetForm = signal<WidgetForm | undefined>(undefined)

/** Content of a submessage, not validated: clients can send any object. */
export type WidgetData = Readonly<Record<string, unknown>>

export interface Widget {
  /** Data of the submessage sent with the message itself; `added` has the later submessages. */
  readonly data: WidgetData
  readonly added: readonly { readonly sender: number; readonly data: WidgetData }[]
}

export function widgetOf(message: Message, type: string): Widget | undefined {
  const [first, ...later] = message.submessages
  const begin = first === undefined ? {} : parseWidgetData(first.content)
  if (begin['widget_type'] !== type) return undefined
  return {
    data: objectOrEmpty(begin['extra_data']),
    added: later.map(({ sender_id: sender, content }) => ({ sender, data: parseWidgetData(content) })),
  }
}

function parseWidgetData(content: string): WidgetData {
  try {
    return objectOrEmpty(JSON.parse(content))
  } catch {
    return {}
  }
}

/** Fields with a widget's title: in its data, and in submessages of a type by which its author changes it. */
const TITLE_FIELDS = {
  poll: ['question', 'question', 'question'],
  todo: ['task_list_title', 'new_task_list_title', 'title'],
} as const

/** Replaces the slash command in previews. @returns undefined for messages that are neither polls nor to-do lists */
export function widgetPreview(message: Message): string | undefined {
  for (const type of ['poll', 'todo'] as const) {
    const widget = widgetOf(message, type)
    if (widget === undefined) continue
    const [name, change, newName] = TITLE_FIELDS[type]
    const rename = widget.added.findLast(({ sender, data }) => sender === message.sender_id && data['type'] === change)
    return t().messages.widgets[type](rename === undefined ? textIn(widget.data, name) : textIn(rename.data, newName))
  }
  return undefined
}

export function objectOrEmpty(value: unknown): WidgetData {
  return isRecord(value) ? value : {}
}

export function listIn(values: WidgetData, name: string): readonly unknown[] {
  const value = values[name]
  return Array.isArray(value) ? value : []
}

export function textIn(values: WidgetData, name: string): string {
  const value = values[name]
  return typeof value === 'string' ? value : ''
}
