import { expect, it } from 'vitest'
import { fetchAs, upload } from '../../testing/files.ts'
import { useTestServer } from '../../testing/server.ts'
import type { TestUser } from '../../testing/user.ts'

const server = useTestServer()

/** Encodes an element with a one-byte size, or an unknown size as in live recordings. */
function element(id: string, payload: Buffer | readonly Buffer[], isSized = true): Buffer {
  const bytes = Buffer.isBuffer(payload) ? payload : Buffer.concat(payload)
  const size = isSized
    ? Buffer.from([0x40 | (bytes.length >> 8), bytes.length & 0xff])
    : Buffer.from('01ffffffffffffff', 'hex')
  return Buffer.concat([Buffer.from(id, 'hex'), size, bytes])
}

const head = element('1a45dfa3', element('4282', Buffer.from('webm')))
const track = (type: number): Buffer =>
  element('ae', [
    element('d7', Buffer.from([1])),
    element('83', Buffer.from([type])),
    element('86', Buffer.from('A_OPUS')),
  ])

function webm(types: readonly number[], isSized = true): Buffer {
  const info = element('1549a966', Buffer.alloc(300))
  const tracks = element('1654ae6b', types.map(track))
  const cluster = element('1f43b675', Buffer.alloc(200, 0x83), isSized)
  return Buffer.concat([head, element('18538067', [element('ec', Buffer.alloc(90)), info, tracks, cluster], isSized)])
}

function box(type: string, payload: Buffer | readonly Buffer[], isLong = false): Buffer {
  const bytes = Buffer.isBuffer(payload) ? payload : Buffer.concat(payload)
  const start = Buffer.alloc(isLong ? 16 : 8)
  start.writeUInt32BE(isLong ? 1 : bytes.length + 8)
  start.write(type, 4, 'latin1')
  if (isLong) start.writeBigUInt64BE(BigInt(bytes.length + 16), 8)
  return Buffer.concat([start, bytes])
}

function mp4(handlers: readonly string[], brand = 'isom'): Buffer {
  const traks = handlers.map((handler) =>
    box('trak', [
      box('tkhd', Buffer.alloc(84)),
      box('mdia', [
        box('mdhd', Buffer.alloc(24)),
        box('hdlr', Buffer.concat([Buffer.alloc(8), Buffer.from(handler), Buffer.alloc(13)])),
      ]),
    ]),
  )
  // The track information may come after all media data.
  return Buffer.concat([
    box('ftyp', Buffer.from(`${brand}\0\0\0\0`, 'latin1')),
    box('mdat', Buffer.alloc(70_000, 'vide'), true),
    box('moov', [box('mvhd', Buffer.alloc(100)), ...traks]),
  ])
}

function page(packet: string, flags = 2): Buffer {
  const bytes = Buffer.from(packet, 'latin1')
  const start = Buffer.alloc(28)
  start.write('OggS', 'latin1')
  start[5] = flags
  start[26] = 1
  start[27] = bytes.length
  return Buffer.concat([start, bytes])
}

const opus = page(`OpusHead${'\0'.repeat(11)}`)
const theora = page(`\x80theora${'\0'.repeat(35)}`)
const ogg = (...pages: readonly Buffer[]): Buffer => Buffer.concat([...pages, page('\x80theora in the middle', 0)])

const noise = Buffer.alloc(5_000, 0xff)

/** @returns how a message shows a file, and its served type and disposition */
async function displayOf(user: TestUser, name: string, content: Buffer): Promise<readonly unknown[]> {
  const url = await upload(user, name, content)
  const { rendered } = await user.call('POST', '/messages/render', { content: `[${name}](${url})` })
  const html = rendered
  const shown = html.includes('<video') ? 'video' : html.includes('data-media="audio"') ? 'audio' : 'link'
  const { headers } = await fetchAs(user, url)
  return [shown, headers['content-type'], String(headers['content-disposition']).split(';')[0]]
}

it.each([
  ['voice.webm', webm([2]), 'audio', 'audio/webm'],
  ['recorded.webm', webm([2], false), 'audio', 'audio/webm'],
  ['screen.webm', webm([1]), 'video', 'video/webm'],
  ['film.webm', webm([2, 1], false), 'video', 'video/webm'],
  ['film.weba', webm([2, 1]), 'video', 'video/webm'],
  ['words.webm', webm([17]), 'video', 'video/webm'],
  ['voice.mp4', mp4(['soun']), 'audio', 'audio/mp4'],
  ['film.mp4', mp4(['soun', 'vide']), 'video', 'video/mp4'],
  ['film.m4a', mp4(['vide']), 'video', 'video/mp4'],
  ['voice.m4a', mp4(['soun'], 'M4A '), 'audio', 'audio/mp4'],
  ['voice.mov', mp4(['soun'], 'qt  '), 'audio', 'audio/mp4'],
  ['film.mov', mp4(['vide'], 'qt  '), 'video', 'video/quicktime'],
  ['voice.3gp', mp4(['soun'], '3gp4'), 'audio', 'audio/3gpp'],
  ['film.3gp', mp4(['vide', 'soun'], '3gp4'), 'video', 'video/3gpp'],
  ['voice.ogg', ogg(opus), 'audio', 'audio/ogg'],
  ['film.ogg', ogg(theora, opus), 'video', 'video/ogg'],
  ['voice.ogv', ogg(opus), 'audio', 'audio/ogg'],
  ['VOICE.WEBM', webm([2]), 'audio', 'audio/webm'],
  // If a file cannot be read as media, its name determines the type.
  ['noise.webm', noise, 'video', 'video/webm'],
  ['cut.webm', webm([2]).subarray(0, 30), 'video', 'video/webm'],
  ['cut.mp4', mp4(['soun']).subarray(0, 20), 'video', 'video/mp4'],
  ['tiny.ogg', Buffer.from('OggS'), 'audio', 'audio/ogg'],
  ['looped.mp4', Buffer.concat([box('ftyp', Buffer.from('isom')), Buffer.alloc(400)]), 'video', 'video/mp4'],
] as const)('displays %s as audio or video according to its content', async (name, content, shown, type) => {
  const { owner } = await server().organization()
  expect(await displayOf(owner, name, content)).toEqual([shown, type, 'inline'])
})

it('reads only a bounded part of an MP4 file with many tiny or deeply nested boxes', async () => {
  const { owner } = await server().organization()
  const boxes = Buffer.concat([
    box('ftyp', Buffer.from('isom')),
    ...Array.from({ length: 20_000 }, () => box('free', Buffer.alloc(0))),
  ])
  expect(await displayOf(owner, 'many.mp4', Buffer.concat([boxes, mp4(['soun'])]))).toEqual([
    'video',
    'video/mp4',
    'inline',
  ])
  const deep = Array.from({ length: 5_000 }).reduce<Buffer>((inner) => box('moov', inner), Buffer.alloc(0))
  const nested = Buffer.concat([box('ftyp', Buffer.from('isom')), deep])
  expect(await displayOf(owner, 'deep.mp4', nested)).toEqual(['video', 'video/mp4', 'inline'])
})
