import { narrowOf, type Message } from '../../kernel/message.ts'
import { textOf } from '../../platform/dom/html.ts'
import { readPage } from '../../platform/messages/reading.ts'
import type { IncrementalQuery, ReadableScope } from '../places/live-answer.ts'
import { fileType } from './previews.ts'

interface LinkingMessages {
  readonly isWhole: boolean
  readonly messages: readonly Message[]
}

/** @param senderId limits the answer to the messages of one person */
export function filesQuery(senderId?: number): IncrementalQuery<LinkingMessages, ReadableScope> {
  const read = async (scope: ReadableScope, before?: number): Promise<LinkingMessages> => {
    const narrow = [
      ...(scope === undefined ? [] : narrowOf(scope)),
      ...(senderId === undefined ? [] : [{ operator: 'sender', operand: senderId }]),
      { operator: 'has', operand: 'attachment' },
    ]
    const { found_oldest: isWhole, messages } = await readPage(narrow, 'older', before ?? 'newest')
    return { isWhole, messages }
  }
  return {
    begin: async (scope) => read(scope),
    async goOn(scope, known) {
      const older = await read(scope, known.messages[0]?.id)
      return { isWhole: older.isWhole, messages: [...older.messages, ...known.messages] }
    },
    add: (known, message) =>
      filesIn([message]).length === 0 || (senderId !== undefined && message.sender_id !== senderId)
        ? known
        : { ...known, messages: [...known.messages.filter(({ id }) => id !== message.id), message] },
    size: ({ messages }) => messages.length,
    isAffected: ({ messages }, { message_ids: ids = [], rendered_content: content = '' }) =>
      content.includes(FILE_PREFIX) || messages.some(({ id }) => ids.includes(id)),
  }
}

export interface LinkedFile {
  readonly name: string
  readonly path: string
  readonly message: Message
}

const FILE_PREFIX = '/user_uploads/'
const FILE_LINK = /<a href="(\/user_uploads\/[^"?#]+)"[^>]*>([^<]*)/g

/** Returns the files that messages link, newest first. A file linked several times counts at its oldest message. */
export function filesIn(messages: readonly Message[]): readonly LinkedFile[] {
  const files = new Map<string, LinkedFile>()
  for (const message of messages.toReversed()) {
    for (const [, address = '', text = ''] of message.content.matchAll(FILE_LINK)) {
      const path = address.replaceAll('&amp;', '&')
      const known = files.get(path)
      files.delete(path)
      files.set(path, { path, name: known?.message === message ? known.name : nameOf(path, text), message })
    }
  }
  return [...files.values()]
}

/** The URL has a simplified name; the text of a new link is the full one. */
function nameOf(path: string, html: string): string {
  const inUrl = decodeUrl(path.split('/').at(-1) ?? path)
  const text = textOf(html)
  return fileType(text) !== '' && fileType(text) === fileType(inUrl) ? text : inUrl
}

function decodeUrl(text: string): string {
  try {
    return decodeURIComponent(text)
  } catch {
    return text
  }
}

/** Returns the address of a still thumbnail, which the message shows if the server could make one. */
export function thumbnailOf({ path, message: { content } }: LinkedFile): string | undefined {
  const address = path.replace(FILE_PREFIX, `${FILE_PREFIX}thumbnail/`)
  const at = content.indexOf(`"${address.replaceAll('&', '&amp;')}/`) + 1
  if (at === 0) return undefined
  return content.slice(at, content.indexOf('"', at)).replaceAll('&amp;', '&').replace('-anim.', '.')
}
