import { execFileSync } from 'node:child_process'
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { deflateRawSync, deflateSync } from 'node:zlib'
import { expect, it, onTestFinished } from 'vitest'
import { openDocument, pdfDocument, presentation, spreadsheet, wordDocument } from '../../testing/documents.ts'
import { zipArchive } from '../../testing/zip-archive.ts'
import { MAX_DOCUMENT_CHARACTERS, readDocument } from './documents.ts'

async function read(bytes: string | Uint8Array, closing?: AbortSignal): Promise<string> {
  const path = join(folderOfTest(), 'file')
  writeFileSync(path, bytes)
  return readDocument(path, closing)
}

function folderOfTest(): string {
  const folder = mkdtempSync(join(tmpdir(), 'parley-documents-'))
  onTestFinished(() => rmSync(folder, { recursive: true, force: true }))
  return folder
}

it.each([
  ['plain text', 'Quarterly \r\n\tfigures: naïve', 'Quarterly figures: naïve'],
  ['UTF-16', Buffer.from('\ufeffQuarterly 東京', 'utf16le'), 'Quarterly 東京'],
  ['Windows-1252', Buffer.from('Caf\xe9 figures', 'latin1'), 'Café figures'],
  ['PDF', pdfDocument('Quarterly figures'), 'Title Quarterly figures'],
  ['PDF with packed text', pdfOf('BT /F1 12 Tf (Quarterly figures) Tj ET'), 'Quarterly figures'],
  ['Word', wordDocument('Quarterly &amp; figures'), 'Title Quarterly & figures'],
  ['Excel', spreadsheet('Quarterly figures'), '4711 inline Title Quarterly figures'],
  ['PowerPoint', presentation('Quarterly figures'), 'Title Quarterly figures'],
  ['OpenDocument', openDocument('Quarterly figures'), 'Title Quarterly figures end'],
  ['a picture', Buffer.from('\x89PNG\r\n\x1a\n\0\0\0\rIHDR', 'latin1'), ''],
  ['an archive without documents', zipArchive([{ path: 'a.txt', content: 'Quarterly' }]), ''],
  ['an empty file', '', ''],
])('reads the text of %s', async (_, bytes, text) => {
  expect(await read(bytes)).toBe(text)
})

/** Returns a PDF whose content stream is compressed. */
function pdfOf(content: string | Buffer): Buffer {
  return pdfDocument('', deflateSync(content), '/Filter /FlateDecode')
}

function wordOf(content: string | Buffer): Buffer {
  return zipArchive([{ path: 'word/document.xml', content }])
}

const LAUGHS = Array.from({ length: 9 }, (_, index) => `<!ENTITY l${index + 1} "${`&l${index};`.repeat(10)}">`).join('')

const HOSTILE: readonly (readonly [what: string, make: () => Buffer])[] = [
  ['XML that defines entities', () => wordOf(`<!DOCTYPE a [<!ENTITY l0 "ha">${LAUGHS}]><w:p><w:t>&l9;</w:t></w:p>`)],
  ['XML that includes files', () => wordOf('<!DOCTYPE a [<!ENTITY x SYSTEM "file:///etc/passwd">]><w:t>&x;</w:t>')],
  ['deeply nested XML', () => wordOf('<w:p>'.repeat(1_000_000))],
  ['a tag without end', () => wordOf(`<${'a'.repeat(20_000_000)}`)],
  ['an archive that unpacks to 500 MB', () => bomb(500)],
  [
    'an archive with a false size',
    () => zipArchive([{ path: 'content.xml', content: 'a', packed: deflateRawSync('b'.repeat(99)) }]),
  ],
  ['a damaged archive', () => wordDocument('Quarterly').subarray(0, -30)],
  ['a PDF that unpacks to 200 MB', () => pdfOf(Buffer.alloc(200_000_000, ' '))],
  ['a PDF with deeply nested lists', () => pdfOf(`${'['.repeat(1_000_000)} TJ`)],
  ['a PDF whose pages contain themselves', () => replaceIn(pdfDocument('a'), '/Kids [3 0 R]', '/Kids [2 0 R]')],
  [
    'an encrypted PDF',
    () => replaceIn(pdfDocument('a'), '/Root 1 0 R', '/Root 1 0 R /Encrypt << /Filter /Standard /V 9 >>'),
  ],
  ['a PDF of noise', () => Buffer.concat([Buffer.from('%PDF-1.7\n'), deflateSync(Buffer.alloc(5_000, 'noise'))])],
]

function bomb(megabytes: number): Buffer {
  // Ten parts of the archive have the same packed bytes.
  const content = Buffer.alloc((megabytes * 1_000_000) / 10, ' ')
  const bytes = deflateRawSync(content)
  const entries = Array.from({ length: 10 }, (_, index) => ({
    path: `word/header${index}.xml`,
    content: '',
    said: content.length,
    packed: bytes,
  }))
  return zipArchive(entries)
}

function replaceIn(bytes: Buffer, before: string, after: string): Buffer {
  return Buffer.from(bytes.toString('latin1').replace(before, after), 'latin1')
}

it.each(HOSTILE)(
  'finds no text in %s, and reads the next file',
  async (_, make) => {
    expect(await read(make())).not.toMatch(/ha|root|Quarterly/)
    expect(await read('next')).toBe('next')
  },
  120_000,
)

it('abandons a file that takes too long, and reads the next file', async () => {
  const folder = folderOfTest()
  // Reading from a pipe blocks until something is written to it.
  const pipe = join(folder, 'pipe')
  execFileSync('mkfifo', [pipe])
  const [stuck, next] = await Promise.all([readDocument(pipe), read('next')])
  expect([stuck, next]).toEqual(['', 'next'])
})

it('limits the text of a file', async () => {
  const text = 'word '.repeat(MAX_DOCUMENT_CHARACTERS)
  for (const bytes of [text, wordOf(`<w:t>${text}</w:t>`)])
    expect((await read(bytes)).length).toBeLessThanOrEqual(MAX_DOCUMENT_CHARACTERS)
})

it('stops reading when the server closes', async () => {
  const closing = new AbortController()
  const reading = read(pdfOf(Buffer.alloc(100_000_000, ' ')), closing.signal)
  closing.abort()
  await expect(reading).rejects.toThrow('closing')
  expect(await read('next')).toBe('next')
})
