import { messages } from '@parley/server/contract'
import type { Message } from '../../kernel/message.ts'
import { ask } from '../../platform/requests.ts'
import { ownId } from '../users/state.ts'

export interface PollOption {
  /** As votes name it: who added the option and which of theirs it is, or `canned` for those of the beginning. */
  readonly key: string
  readonly text: string
  readonly voters: readonly number[]
}

export interface Poll {
  readonly question: string
  readonly options: readonly PollOption[]
}

/** Submessages are what clients send each other: anything may stand there. */
function parsed(content: string): Readonly<Record<string, unknown>> {
  try {
    const value: unknown = JSON.parse(content)
    return typeof value === 'object' && value !== null ? (value as Record<string, unknown>) : {}
  } catch {
    return {}
  }
}

/** The poll as which a message was sent, with what was added since; undefined where it is none. */
export function pollOf(message: Message): Poll | undefined {
  const [first, ...later] = message.submessages
  const begin = first === undefined ? {} : parsed(first.content)
  if (begin['widget_type'] !== 'poll') return undefined
  const extra = (begin['extra_data'] ?? {}) as Readonly<Record<string, unknown>>
  let question = textIn(extra, 'question')
  const options = new Map<string, { text: string; voters: Set<number> }>()
  const canned = Array.isArray(extra['options']) ? extra['options'] : []
  for (const [index, text] of canned.entries())
    options.set(`canned,${index}`, { text: String(text), voters: new Set() })
  for (const { sender_id: sender, content } of later) {
    const said = parsed(content)
    if (said['type'] === 'question' && sender === message.sender_id) question = textIn(said, 'question')
    if (said['type'] === 'new_option') {
      const key = `${sender},${String(said['idx'])}`
      if (!options.has(key)) options.set(key, { text: textIn(said, 'option'), voters: new Set() })
    }
    if (said['type'] === 'vote') {
      const voters = options.get(String(said['key']))?.voters
      if (said['vote'] === 1) voters?.add(sender)
      else voters?.delete(sender)
    }
  }
  return { question, options: [...options].map(([key, { text, voters }]) => ({ key, text, voters: [...voters] })) }
}

function textIn(values: Readonly<Record<string, unknown>>, name: string): string {
  const value = values[name]
  return typeof value === 'string' ? value : ''
}

/** Votes for an option, or takes the vote back. */
export async function vote(message: Message, { key, voters }: PollOption): Promise<void> {
  await say(message, { type: 'vote', key, vote: voters.includes(ownId()) ? -1 : 1 })
}

/** Adds an option to a poll. */
export async function addOption(message: Message, { options }: Poll, option: string): Promise<void> {
  const own = options.filter(({ key }) => key.startsWith(`${ownId()},`)).map(({ key }) => Number(key.split(',')[1]))
  await say(message, { type: 'new_option', idx: Math.max(0, ...own) + 1, option })
}

async function say(message: Message, content: object): Promise<void> {
  await ask(messages.sendSubmessage, { message_id: message.id, msg_type: 'widget', content: JSON.stringify(content) })
}
