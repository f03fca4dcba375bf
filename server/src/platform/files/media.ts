import { open } from 'node:fs/promises'

/* Uploads can be malicious, so this reads only the structure, in a limited number of short reads. */

const MAX_FILE_READS = 2_000
/** Enough for any header and the codec's name after it. */
const BYTES_PER_READ = 64

type ReadAt = (position: number) => Promise<Buffer>

export type Media = 'audio' | 'video' | undefined

export async function detectMedia(path: string): Promise<Media> {
  const file = await open(path)
  try {
    let steps = 0
    const readAt: ReadAt = async (position) => {
      steps += 1
      if (steps > MAX_FILE_READS || !Number.isSafeInteger(position)) return Buffer.alloc(0)
      const { buffer, bytesRead } = await file.read(Buffer.alloc(BYTES_PER_READ), 0, BYTES_PER_READ, position)
      return buffer.subarray(0, bytesRead)
    }
    const { size } = await file.stat()
    const beginning = await readAt(0)
    if (beginning.length < 12) return undefined
    const tracks = new Set<Media>()
    if (beginning.readUInt32BE(0) === EBML_ID) await readEbmlElements(readAt, { at: 0, end: size }, tracks)
    else if (beginning.toString('latin1', 4, 8) === 'ftyp') await readMp4Boxes(readAt, { at: 0, end: size }, tracks)
    else if (beginning.toString('latin1', 0, 4) === 'OggS') await readOggPages(readAt, tracks)
    return tracks.has('video') ? 'video' : tracks.has('audio') ? 'audio' : undefined
  } finally {
    await file.close()
  }
}

interface ByteSpan {
  readonly at: number
  readonly end: number
}

const EBML_ID = 0x1a45dfa3
const SEGMENT_ID = 0x18538067
const TRACKS_ID = 0x1654ae6b
const TRACK_ID = 0xae
const TRACK_TYPE_ID = 0x83
const CLUSTER_ID = 0x1f43b675
const MEDIA_BY_TRACK_TYPE: ReadonlyMap<number, Media> = new Map([
  [1, 'video'],
  [2, 'audio'],
])

/** Returns whether the tracks were read, which ends the search. */
async function readEbmlElements(readAt: ReadAt, { at, end }: ByteSpan, tracks: Set<Media>): Promise<boolean> {
  let place = at
  while (place < end) {
    const piece = await readAt(place)
    const id = readVariableNumber(piece, 0, false)
    const size = id && readVariableNumber(piece, id.length, true)
    if (id === undefined || size === undefined || id.value === CLUSTER_ID) return true
    const begin = place + id.length + size.length
    // Reads to the end if the size is unknown, as in live recordings.
    const next = size.value === Infinity ? end : Math.min(end, begin + size.value)
    if (id.value === TRACK_TYPE_ID) tracks.add(MEDIA_BY_TRACK_TYPE.get(piece[id.length + size.length] ?? 0))
    if ([SEGMENT_ID, TRACKS_ID, TRACK_ID].includes(id.value)) {
      const isOver = await readEbmlElements(readAt, { at: begin, end: next }, tracks)
      if (isOver || id.value === TRACKS_ID) return true
    }
    place = next
  }
  return false
}

/** Reads a number whose first byte marks its length. IDs include the mark; a size whose bits are all 1 is unknown. */
function readVariableNumber(
  bytes: Buffer,
  at: number,
  isSize: boolean,
): { readonly value: number; readonly length: number } | undefined {
  const first = bytes[at] ?? 0
  const length = Math.clz32(first) - 23
  if (first === 0 || at + length > bytes.length) return undefined
  let value = isSize ? first & (0xff >> length) : first
  let isUnknown = value === 0xff >> length
  for (const byte of bytes.subarray(at + 1, at + length)) {
    value = value * 256 + byte
    isUnknown &&= byte === 0xff
  }
  return { value: isSize && isUnknown ? Infinity : value, length }
}

const CONTAINER_BOXES = ['moov', 'trak', 'mdia']
const HANDLER_OFFSET = 8
const MEDIA_BY_HANDLER: ReadonlyMap<string, Media> = new Map([
  ['vide', 'video'],
  ['soun', 'audio'],
])

async function readMp4Boxes(readAt: ReadAt, { at, end }: ByteSpan, tracks: Set<Media>): Promise<void> {
  let place = at
  while (place + 8 <= end) {
    const piece = await readAt(place)
    if (piece.length < 8) return
    const type = piece.toString('latin1', 4, 8)
    const short = piece.readUInt32BE(0)
    const isLong = short === 1 && piece.length >= 16
    const size = isLong ? Number(piece.readBigUInt64BE(8)) : short === 0 ? end - place : short
    const head = isLong ? 16 : 8
    if (size < head) return
    const handler = head + HANDLER_OFFSET
    if (type === 'hdlr') tracks.add(MEDIA_BY_HANDLER.get(piece.toString('latin1', handler, handler + 4)))
    if (CONTAINER_BOXES.includes(type)) {
      await readMp4Boxes(readAt, { at: place + head, end: Math.min(end, place + size) }, tracks)
    }
    place += size
  }
}

const OGG_PAGE_HEADER_BYTES = 27
/** Flag of a track's first page. The first pages of all tracks come before other pages. */
const FIRST_PAGE_FLAG = 0x02
const VIDEO_CODECS = ['\x80theora', 'BBCD\0', '\x01video']
const AUDIO_CODECS = ['OpusHead', '\x01vorbis', 'Speex', '\x7fFLAC', '\x01audio']

async function readOggPages(readAt: ReadAt, tracks: Set<Media>): Promise<void> {
  let place = 0
  for (;;) {
    const piece = await readAt(place)
    const isPage = piece.length > OGG_PAGE_HEADER_BYTES && piece.toString('latin1', 0, 4) === 'OggS'
    if (!isPage || ((piece[5] ?? 0) & FIRST_PAGE_FLAG) === 0) return
    const segments = piece[OGG_PAGE_HEADER_BYTES - 1] ?? 0
    const begin = OGG_PAGE_HEADER_BYTES + segments
    // The first packet and its segment table fit into one read.
    const lengths = piece.subarray(OGG_PAGE_HEADER_BYTES, begin)
    const codec = piece.toString('latin1', begin)
    if (VIDEO_CODECS.some((name) => codec.startsWith(name))) tracks.add('video')
    if (AUDIO_CODECS.some((name) => codec.startsWith(name))) tracks.add('audio')
    place += begin + lengths.reduce((sum, length) => sum + length, 0)
  }
}
