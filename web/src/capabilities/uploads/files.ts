import type { IconName } from '../../kernel/icons.ts'
import { narrowOf, type Message, type Term } from '../../kernel/message.ts'
import { withoutAccents } from '../../kernel/ranking.ts'
import { routeAt, type Place, type Route } from '../../kernel/route.ts'
import { textOf } from '../../platform/dom/html.ts'
import { readPage } from '../../platform/messages/reading.ts'
import { hrefOf } from '../../platform/router.ts'
import type { ReadablePlace, IncrementalQuery, ReadableScope } from '../places/live-answer.ts'
import { fileType } from './state.ts'

export const FILE_KINDS = ['pictures', 'documents', 'media', 'other'] as const
type FileKind = (typeof FILE_KINDS)[number]

const EXTENSIONS_BY_KIND: Readonly<Record<Exclude<FileKind, 'other'>, ReadonlySet<string>>> = {
  pictures: extensionSet('APNG AVIF BMP GIF HEIC HEIF ICO JPEG JPG PNG SVG TIF TIFF WEBP'),
  documents: extensionSet(
    'CSV DOC DOCX EPUB HTM HTML KEY MD ODP ODS ODT PAGES PDF PPT PPTX RTF TEX TSV TXT XLS XLSX XLSM',
  ),
  media: extensionSet('3GP AAC AIFF AVI FLAC M4A M4V MKV MOV MP3 MP4 MPEG MPG OGA OGG OGV OPUS WAV WEBM WMA WMV'),
}

function extensionSet(types: string): ReadonlySet<string> {
  return new Set(types.split(' '))
}

export function fileKind(name: string): FileKind {
  const type = fileType(name)
  return FILE_KINDS.find((kind) => kind !== 'other' && EXTENSIONS_BY_KIND[kind].has(type)) ?? 'other'
}

const KIND_ICONS = { pictures: 'eye', documents: 'file', media: 'camera', other: 'attach' } as const

export function fileIcon(name: string): IconName {
  return KIND_ICONS[fileKind(name)]
}

export interface FileFilter {
  readonly place: ReadablePlace | undefined
  readonly senderId: number | undefined
  readonly kind: FileKind | undefined
  /** Text that the file name must contain. */
  readonly name: string
}

type RouteFilter = Partial<Omit<FileFilter, 'place'>> & { readonly place?: Place | undefined }

/** @param query parameters of the view's URL */
export function parseFileFilter(query = ''): FileFilter {
  const parameters = new URLSearchParams(query)
  const senderId = Number(parameters.get('from'))
  return {
    place: parsePlace(parameters.get('in') ?? ''),
    senderId: Number.isSafeInteger(senderId) && senderId > 0 ? senderId : undefined,
    kind: FILE_KINDS.find((kind) => kind === parameters.get('kind')),
    name: parameters.get('name') ?? '',
  }
}

function parsePlace(address: string): ReadablePlace | undefined {
  const route = address.startsWith('/') ? routeAt(new URL(address, window.location.origin)) : undefined
  switch (route?.view) {
    case 'topic':
      return { view: 'topic', channelId: route.channelId, topic: route.topic }
    case 'direct':
      return { view: 'direct', userIds: route.userIds }
    case 'channel':
    case 'channel-feed':
      return { view: 'channel-feed', channelId: route.channelId }
    default:
      return undefined
  }
}

export function routeOfFileFilter({ place, senderId, kind, name }: RouteFilter): Route {
  const parameters = new URLSearchParams({
    ...(place === undefined ? {} : { in: hrefOf(place) }),
    ...(senderId === undefined ? {} : { from: String(senderId) }),
    ...(kind === undefined ? {} : { kind }),
    ...(name === undefined || name === '' ? {} : { name }),
  })
  return { view: 'files', query: parameters.toString().replaceAll('%2F', '/') }
}

export function filterFiles(files: readonly LinkedFile[], { kind, name }: FileFilter): readonly LinkedFile[] {
  const words = withoutAccents(name).split(/\s+/)
  return files.filter(
    (file) =>
      (kind === undefined || fileKind(file.name) === kind) &&
      words.every((word) => withoutAccents(file.name).includes(word)),
  )
}

interface LinkingMessages {
  readonly isWhole: boolean
  readonly messages: readonly Message[]
}

/** @param senderId limits the answer to the messages of one person */
export function filesQuery(senderId?: number): IncrementalQuery<LinkingMessages, ReadableScope> {
  const read = async (scope: ReadableScope, before?: number): Promise<LinkingMessages> => {
    const narrow = narrowOfFiles(scope, senderId)
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
    remove: (known, ids) => ({ ...known, messages: known.messages.filter(({ id }) => !ids.includes(id)) }),
    size: ({ messages }) => messages.length,
    isAffected: ({ messages }, { message_ids: ids = [], rendered_content: content = '' }) =>
      content.includes(FILE_PREFIX) || messages.some(({ id }) => ids.includes(id)),
  }
}

function narrowOfFiles(scope: ReadableScope, senderId: number | undefined): Term[] {
  return [
    ...(scope === undefined ? [] : narrowOf(scope)),
    ...(senderId === undefined ? [] : [{ operator: 'sender', operand: senderId }]),
    { operator: 'has', operand: 'attachment' },
  ]
}

interface FilesWithText {
  readonly isWhole: boolean
  readonly files: readonly LinkedFile[]
}

/** Finds the newest files that contain the words. */
export function fileTextsQuery(words: string, senderId?: number): IncrementalQuery<FilesWithText, ReadableScope> {
  return {
    async begin(scope) {
      if (words.trim() === '') return { isWhole: true, files: [] }
      const narrow = [...narrowOfFiles(scope, senderId), { operator: 'search', operand: words }]
      const { messages } = await readPage(narrow, 'older', 'newest')
      const paths = new Set(
        messages.flatMap(({ match_files: files = [] }) => files.map(({ path_id: id }) => `${FILE_PREFIX}${id}`)),
      )
      return { isWhole: true, files: filesIn(messages).filter(({ path }) => paths.has(decodeUrl(path))) }
    },
    goOn: async (_, known) => Promise.resolve(known),
    add: (known) => known,
    size: ({ files }) => files.length,
    isAffected: ({ files }, { message_ids: ids = [] }) => files.some(({ message }) => ids.includes(message.id)),
  }
}

export interface LinkedFile {
  readonly name: string
  readonly path: string
  readonly message: Message
}

export const FILE_PREFIX = '/user_uploads/'
const FILE_LINK = /<a href="(\/user_uploads\/[^"?#]+)"[^>]*>([^<]*)/g

/** Returns the files that messages link, newest first. A file linked several times counts at its oldest message. */
export function filesIn(messages: readonly Message[]): readonly LinkedFile[] {
  const files = new Map<string, LinkedFile>()
  for (const message of messages.toReversed()) {
    for (const [, address = '', text = ''] of message.content.matchAll(FILE_LINK)) {
      const path = address.replaceAll('&amp;', '&')
      const known = files.get(path)
      files.delete(path)
      files.set(path, { path, name: known?.message === message ? known.name : fileName(path, textOf(text)), message })
    }
  }
  return [...files.values()]
}

/** The URL has a simplified name; the text of a new link is the full one. */
export function fileName(path: string, text: string): string {
  const inUrl = decodeUrl(path.split('/').at(-1) ?? path)
  return fileType(text) !== '' && fileType(text) === fileType(inUrl) ? text : inUrl
}

export function decodeUrl(text: string): string {
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
  return stillOf(content.slice(at, content.indexOf('"', at)).replaceAll('&amp;', '&'))
}

export function stillOf(thumbnail: string): string {
  return thumbnail.replace('-anim.', '.')
}
