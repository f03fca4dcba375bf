/*
 * Process that reads untrusted documents: a harmful one ends only this process. A thread reads the document, because the
 * main thread watches the time and memory that this takes. In JavaScript, so Node 20 can run it.
 */
import { open, readFile } from 'node:fs/promises'
import { isMainThread, parentPort, Worker, workerData } from 'node:worker_threads'
import { Parser } from 'htmlparser2'
import { openPromise } from 'yauzl'
import { decodeUndeclared } from '../html/encoding.js'

/** @import { Readable } from 'node:stream' */
/** @import { DocumentOrder } from './documents.ts' */

/** Ticks are counted instead of elapsed time, so that waiting for the CPU on a busy machine hardly counts. */
const TICK_INTERVAL_MILLISECONDS = 50
/** Leaves room for what JavaScript does not count, such as buffers. */
const HEAP_LIMITS = { maxOldGenerationSizeMb: 200, maxYoungGenerationSizeMb: 16 }

/** @param {number} maxSeconds @param {number} maxMegabytes */
function answerOrders(maxSeconds, maxMegabytes) {
  process.on('message', (/** @type {DocumentOrder} */ order) => {
    const thread = new Worker(new URL(import.meta.url), { workerData: order, env: {}, resourceLimits: HEAP_LIMITS })
    let ticks = 0
    const watch = setInterval(() => {
      ticks += 1
      const isLate = ticks * TICK_INTERVAL_MILLISECONDS > maxSeconds * 1000
      // Ending the thread would take until its next pause.
      if (isLate || process.memoryUsage.rss() > maxMegabytes * 1024 * 1024) process.kill(process.pid, 'SIGKILL')
    }, TICK_INTERVAL_MILLISECONDS)
    /** @type {string | undefined} */
    let answer
    thread.on('message', (text) => {
      answer = text
      void thread.terminate()
    })
    thread.on('error', () => undefined)
    thread.on('exit', () => {
      clearInterval(watch)
      process.send?.({ answer })
    })
  })
  // Ends a busy reader, which would otherwise outlive the server.
  process.on('disconnect', () => process.exit())
}

/** Collects text up to a limit. */
class TextCollector {
  /** @type {string[]} */
  #pieces = []
  #left

  /** @param {number} maxCharacters */
  constructor(maxCharacters) {
    this.#left = maxCharacters
  }

  get isFull() {
    return this.#left <= 0
  }

  /** @param {string} text */
  add(text) {
    if (this.isFull) return
    this.#pieces.push(text.slice(0, this.#left))
    this.#left -= text.length
  }

  /** Returns the text without soft hyphens, and with single spaces instead of control characters and whitespace. */
  text() {
    return this.#pieces
      .join('')
      .replaceAll('\u00ad', '')
      .replace(/[\s\p{Cc}]+/gu, ' ')
      .trim()
      .toWellFormed()
  }
}

const SIGNATURE_BYTES = 4_096

/** Adds the text of a file. Its content decides how to read it, because names and types can be wrong. @param {DocumentOrder} order */
async function readDocument({ path, maxCharacters }) {
  const output = new TextCollector(maxCharacters)
  const start = await readStart(path, SIGNATURE_BYTES)
  const signature = start.toString('latin1')
  try {
    if (/^\s*%PDF-/.test(signature)) await readPdf(path, output)
    else if (signature.startsWith('PK\x03\x04')) await readOfficeDocument(path, output)
    else if (isText(start)) output.add(decodeUndeclared(await readStart(path, maxCharacters * MAX_BYTES_PER_CHARACTER)))
  } catch {
    // A damaged document has the text before the damage; an encrypted one has none.
  }
  return output.text()
}

const MAX_BYTES_PER_CHARACTER = 4

/** @param {string} path @param {number} bytes */
async function readStart(path, bytes) {
  const file = await open(path)
  try {
    const { buffer, bytesRead } = await file.read(Buffer.alloc(bytes), 0, bytes, 0)
    return buffer.subarray(0, bytesRead)
  } finally {
    await file.close()
  }
}

/** Tab, line and page breaks, and the start of escape sequences. */
const TEXT_CONTROLS = [0x09, 0x0a, 0x0b, 0x0c, 0x0d, 0x1b]

/** Whether bytes have no control characters but those of text, or are marked as UTF-16. @param {Buffer} start */
function isText(start) {
  const isUtf16 = start.length > 1 && [0xfeff, 0xfffe].includes(start.readUInt16BE(0))
  return isUtf16 || start.every((byte) => byte >= 0x20 || TEXT_CONTROLS.includes(byte))
}

/** CPU time after which further pages are left out. Half of the time limit for a document. */
const MAX_PDF_MICROSECONDS = 10_000_000

/** @param {string} path @param {TextCollector} output */
async function readPdf(path, output) {
  const { getDocument } = await import('unpdf/pdfjs')
  const { buffer, byteOffset, length } = await readFile(path)
  const document = await getDocument({
    data: new Uint8Array(buffer, byteOffset, length),
    isEvalSupported: false,
    useSystemFonts: false,
    disableFontFace: true,
    // Images have no text.
    maxImageSize: 1,
    verbosity: 0,
  }).promise
  const started = process.cpuUsage()
  for (let number = 1; number <= document.numPages && !output.isFull; number += 1) {
    if (process.cpuUsage(started).user > MAX_PDF_MICROSECONDS) return
    const page = await document.getPage(number)
    const { items } = await page.getTextContent()
    for (const item of items) if ('str' in item) output.add(item.hasEOL ? `${item.str} ` : item.str)
    output.add(' ')
    page.cleanup()
  }
}

/** Parts with text of Word, Excel, and PowerPoint documents, and of OpenDocument files. */
const TEXT_PARTS =
  /^(?:word\/(?:document|footnotes|endnotes|comments|header\d*|footer\d*)|xl\/(?:sharedStrings|comments\d*|worksheets\/[^/]+)|ppt\/(?:slides|notesSlides)\/[^/]+|content)\.xml$/
/** Limit for all parts of a document together, because a small archive can unpack to a huge size. */
const MAX_UNPACKED_BYTES = 100 * 1024 * 1024
const MAX_ARCHIVE_ENTRIES = 20_000

/** @param {string} path @param {TextCollector} output */
async function readOfficeDocument(path, output) {
  const archive = await openPromise(path, { lazyEntries: true, autoClose: false })
  let [left, entries] = [MAX_UNPACKED_BYTES, 0]
  for await (const entry of archive.eachEntry()) {
    entries += 1
    if (entries > MAX_ARCHIVE_ENTRIES || output.isFull || left <= 0) return
    if (TEXT_PARTS.test(entry.fileName) && !entry.isEncrypted())
      left = await readXml(await archive.openReadStreamPromise(entry), output, left)
  }
}

/** Elements of OpenDocument files that contain text directly. In the other formats, only `t` and `v` do. */
const PARAGRAPHS = ['text:p', 'text:h']
/** Deeper than any editor nests elements. The parser takes longer the deeper they are. */
const MAX_DEPTH = 1_000
/** Elements after which a new word starts. */
const SEPARATE_ELEMENTS = new Set(['p', 'h', 'si', 'c', 'tab', 'br', 's', 'line-break', 'cr'])

/**
 * Adds the text of XML. The parser knows no entities but those of XML. Returns how many bytes are left.
 * @param {Readable} stream @param {TextCollector} output @param {number} maxBytes
 */
async function readXml(stream, output, maxBytes) {
  let [depth, paragraphs] = [0, 0]
  let isInText = false
  let isReference = false
  const parser = new Parser(
    {
      onopentag(name, attributes) {
        depth += 1
        if (depth > MAX_DEPTH) throw new Error('the document is nested too deeply')
        if (PARAGRAPHS.includes(name)) paragraphs += 1
        const local = localName(name)
        // A cell of this type has the number of a shared string.
        if (local === 'c') isReference = attributes['t'] === 's'
        isInText = local === 't' || (local === 'v' && !isReference)
      },
      ontext(text) {
        if (isInText || paragraphs > 0) output.add(text)
      },
      onclosetag(name) {
        depth -= 1
        isInText = false
        if (PARAGRAPHS.includes(name)) paragraphs -= 1
        if (SEPARATE_ELEMENTS.has(localName(name))) output.add(' ')
      },
    },
    { xmlMode: true },
  )
  const decoder = new TextDecoder()
  let left = maxBytes
  for await (const chunk of stream) {
    left -= chunk.length
    parser.write(decoder.decode(chunk, { stream: true }))
    if (output.isFull || left <= 0) break
  }
  return left
}

/** @param {string} name */
function localName(name) {
  return name.slice(name.indexOf(':') + 1)
}

if (isMainThread) {
  const [, , maxSeconds, maxMegabytes] = process.argv.map(Number)
  answerOrders(maxSeconds ?? 0, maxMegabytes ?? 0)
} else parentPort?.postMessage(await readDocument(workerData))
