import { messages } from '@parley/server/contract'
import type { Message } from '../../kernel/message.ts'
import { ask } from '../../platform/requests.ts'

/** What a client said in a submessage: anything may stand there. */
export type Said = Readonly<Record<string, unknown>>

export interface Widget {
  /** With which the message was sent. */
  readonly data: Said
  /** What people added since, the oldest first. */
  readonly added: readonly { readonly sender: number; readonly said: Said }[]
}

/** What a message is shown as in place of its text; undefined where it is no widget of this type. */
export function widgetOf(message: Message, type: string): Widget | undefined {
  const [first, ...later] = message.submessages
  const begin = first === undefined ? {} : parsed(first.content)
  if (begin['widget_type'] !== type) return undefined
  return {
    data: objectIn(begin['extra_data']),
    added: later.map(({ sender_id: sender, content }) => ({ sender, said: parsed(content) })),
  }
}

function parsed(content: string): Said {
  try {
    return objectIn(JSON.parse(content))
  } catch {
    return {}
  }
}

/** A value as an object; an empty one where it is none. */
export function objectIn(value: unknown): Said {
  return typeof value === 'object' && value !== null ? (value as Said) : {}
}

export function listIn(values: Said, name: string): readonly unknown[] {
  const value = values[name]
  return Array.isArray(value) ? value : []
}

export function textIn(values: Said, name: string): string {
  const value = values[name]
  return typeof value === 'string' ? value : ''
}

/** @returns whether the server took it */
export async function addToWidget(message: Message, said: object): Promise<boolean> {
  const sent = { message_id: message.id, msg_type: 'widget', content: JSON.stringify(said) }
  return (await ask(messages.sendSubmessage, sent)) !== undefined
}
