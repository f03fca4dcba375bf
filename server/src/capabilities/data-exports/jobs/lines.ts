import type { Entry } from '../../../platform/files/archive.ts'

/** A file ends after the line that reaches this size. */
const PART_BYTES = 1024 * 1024

/** Writes records as JSON lines to numbered files of a folder, such as `messages/000001.jsonl`. */
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
