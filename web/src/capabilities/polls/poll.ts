import type { Message } from '../../kernel/message.ts'
import { listIn, textIn, widgetOf } from '../messages/widget.ts'

export interface PollOption {
  /** Key that votes refer to: `<author>,<number>`, or `canned,<index>` for the initial options. */
  readonly key: string
  readonly text: string
  readonly voters: readonly number[]
}

export interface Poll {
  readonly question: string
  readonly options: readonly PollOption[]
}

/** Returns a poll with all votes and added options; undefined if the message is not a poll. */
export function readPoll(message: Message): Poll | undefined {
  const widget = widgetOf(message, 'poll')
  if (widget === undefined) return undefined
  let question = textIn(widget.data, 'question')
  const options = new Map<string, { text: string; voters: Set<number> }>()
  for (const [index, text] of listIn(widget.data, 'options').entries())
    options.set(`canned,${index}`, { text: String(text), voters: new Set() })
  for (const { sender, data } of widget.added) {
    if (data['type'] === 'question' && sender === message.sender_id) question = textIn(data, 'question')
    if (data['type'] === 'new_option') {
      const key = `${sender},${String(data['idx'])}`
      if (!options.has(key)) options.set(key, { text: textIn(data, 'option'), voters: new Set() })
    }
    if (data['type'] === 'vote') {
      const voters = options.get(String(data['key']))?.voters
      if (data['vote'] === 1) voters?.add(sender)
      else voters?.delete(sender)
    }
  }
  return { question, options: [...options].map(([key, { text, voters }]) => ({ key, text, voters: [...voters] })) }
}
