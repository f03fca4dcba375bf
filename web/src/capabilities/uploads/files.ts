import { narrowOf, type Message } from '../../kernel/message.ts'
import { readPage } from '../../platform/messages/reading.ts'
import type { IncrementalQuery, ReadablePlace } from '../places/live-answer.ts'

interface LinkingMessages {
  readonly isWhole: boolean
  readonly messages: readonly Message[]
}

export const FILES: IncrementalQuery<LinkingMessages> = {
  begin: async (place) => readLinkingMessages(place),
  async goOn(place, known) {
    const older = await readLinkingMessages(place, known.messages[0]?.id)
    return { isWhole: older.isWhole, messages: [...older.messages, ...known.messages] }
  },
  add: (known, message) =>
    filesIn([message]).length === 0
      ? known
      : { ...known, messages: [...known.messages.filter(({ id }) => id !== message.id), message] },
  size: ({ messages }) => messages.length,
}

async function readLinkingMessages(place: ReadablePlace, before?: number): Promise<LinkingMessages> {
  const narrow = [...narrowOf(place), { operator: 'has', operand: 'attachment' }]
  const { found_oldest: isWhole, messages } = await readPage(narrow, 'older', before ?? 'newest')
  return { isWhole, messages }
}

export interface LinkedFile {
  readonly name: string
  readonly path: string
  readonly message: Message
}

const FILE_LINK = /<a href="(\/user_uploads\/[^"?#]+)"/g

export function filesIn(messages: readonly Message[]): readonly LinkedFile[] {
  const files = new Map<string, LinkedFile>()
  for (const message of messages.toReversed()) {
    for (const [, address = ''] of message.content.matchAll(FILE_LINK)) {
      const path = address.replaceAll('&amp;', '&')
      files.set(path, { path, name: decodeUrl(path.split('/').at(-1) ?? path), message })
    }
  }
  return [...files.values()]
}

function decodeUrl(text: string): string {
  try {
    return decodeURIComponent(text)
  } catch {
    return text
  }
}
