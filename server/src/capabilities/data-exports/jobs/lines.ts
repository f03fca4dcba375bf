import type { Entry } from '../../../platform/files/archive.ts'

/** A part of a folder is closed when it has this many bytes; the last line in it may go beyond. */
const PART_BYTES = 1024 * 1024

/** Records of one kind as the files of a folder, `messages/000001.jsonl` and so on: a line of JSON for each record. */
export async function* linesIn(
  folder: string,
  records: Iterable<object> | AsyncIterable<object>,
): AsyncGenerator<Entry> {
  let lines: Buffer[] = []
  let size = 0
  let part = 0
  const close = (): Entry => {
    part += 1
    const entry = { name: `${folder}/${String(part).padStart(6, '0')}.jsonl`, size, content: lines }
    lines = []
    size = 0
    return entry
  }
  for await (const record of records) {
    const line = Buffer.from(`${JSON.stringify(record)}\n`)
    lines.push(line)
    size += line.length
    if (size >= PART_BYTES) yield close()
  }
  if (size > 0) yield close()
}
