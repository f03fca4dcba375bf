import { routeAt, type Place, type Route } from '../../kernel/route.ts'
import { withoutAccents } from '../../kernel/ranking.ts'
import { hrefOf } from '../../platform/router.ts'
import type { ReadablePlace } from '../places/live-answer.ts'
import type { LinkedFile } from './files.ts'
import { fileType } from './previews.ts'

export const FILE_KINDS = ['pictures', 'documents', 'media', 'other'] as const
export type FileKind = (typeof FILE_KINDS)[number]

const TYPES: Readonly<Record<Exclude<FileKind, 'other'>, ReadonlySet<string>>> = {
  pictures: typeSet('APNG AVIF BMP GIF HEIC HEIF ICO JPEG JPG PNG SVG TIF TIFF WEBP'),
  documents: typeSet('CSV DOC DOCX EPUB HTM HTML KEY MD ODP ODS ODT PAGES PDF PPT PPTX RTF TEX TSV TXT XLS XLSX XLSM'),
  media: typeSet('3GP AAC AIFF AVI FLAC M4A M4V MKV MOV MP3 MP4 MPEG MPG OGA OGG OGV OPUS WAV WEBM WMA WMV'),
}

function typeSet(types: string): ReadonlySet<string> {
  return new Set(types.split(' '))
}

export function fileKind(name: string): FileKind {
  const type = fileType(name)
  return FILE_KINDS.find((kind) => kind !== 'other' && TYPES[kind].has(type)) ?? 'other'
}

export interface FileFilter {
  readonly place: ReadablePlace | undefined
  readonly senderId: number | undefined
  readonly kind: FileKind | undefined
  /** Part of the name. */
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
