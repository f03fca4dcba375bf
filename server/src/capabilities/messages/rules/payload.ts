import type { Recipients } from './recipients.ts'

export type MessagePayload = {
  readonly read_by?: readonly number[]
  readonly mentioned?: readonly number[]
  readonly topic_mentioned?: readonly number[]
  readonly alerted?: readonly number[]
  readonly queue_id?: string
  readonly local_id?: string
  readonly widget?: string
} & FollowUpWork

/** Follow-up work for consumers; not sent to clients. */
export type FollowUpWork = {
  readonly links?: true
  readonly takes_part?: true
  /** The message starts its topic, which can make the sender follow or unmute the topic. */
  readonly starts_topic?: true
  readonly to_follow?: readonly number[]
  readonly to_preview?: readonly string[]
  /** Bot whose command the message starts with. */
  readonly command_bot?: number
}

export function messagePayload({ payload }: { readonly payload: object }): MessagePayload {
  return payload
}

export function buildPayload(
  { readBy, mentioned, topicMentioned, alerted }: Recipients,
  sent: {
    readonly queueId: string | null
    readonly localId: string | null
    readonly widget: string | null
    readonly leftToDo?: FollowUpWork | undefined
  },
  { toPreview, commandBot }: { readonly toPreview: readonly string[]; readonly commandBot: number | undefined },
): MessagePayload {
  const payload: { -readonly [Name in keyof MessagePayload]: MessagePayload[Name] } = {}
  if (readBy.length > 0) payload.read_by = readBy
  if (mentioned.length > 0) payload.mentioned = mentioned
  if (topicMentioned.length > 0) payload.topic_mentioned = topicMentioned
  if (alerted.length > 0) payload.alerted = alerted
  if (sent.queueId !== null && sent.localId !== null) {
    payload.queue_id = sent.queueId
    payload.local_id = sent.localId
  }
  if (sent.widget !== null) payload.widget = sent.widget
  if (toPreview.length > 0) payload.to_preview = toPreview
  if (commandBot !== undefined) payload.command_bot = commandBot
  return sent.leftToDo === undefined ? payload : { ...payload, ...sent.leftToDo }
}

/** Longer lists remain text, because as a widget they would be many times as large. */
export const MAX_WIDGET_ITEMS = 500

/** Finds `/poll question` or `/todo title` with one option or task per line, as existing clients show them. */
export function parseWidget(content: string): string | null {
  if (!content.startsWith('/')) return null
  const [command = '', type] = /^\/(poll|todo)(?!\S)/.exec(content) ?? []
  if (type === undefined) return null
  const [first = '', ...lines] = content.slice(command.length).split(/\r\n?|\n/)
  const items = lines.map(parseListItem).filter((item) => item !== '')
  if (items.length > MAX_WIDGET_ITEMS) return null
  const extra_data =
    type === 'poll'
      ? { question: first.trim(), options: items }
      : { task_list_title: first.trim(), tasks: items.map(parseTask) }
  return JSON.stringify({ widget_type: type, extra_data })
}

function parseListItem(line: string): string {
  return line.trim().replace(/^[-*]?\s*/, '')
}

function parseTask(item: string): { task: string; desc: string } {
  const end = item.indexOf(': ')
  return end === -1
    ? { task: item, desc: '' }
    : { task: item.slice(0, end).trim(), desc: item.slice(end + ': '.length).trim() }
}
