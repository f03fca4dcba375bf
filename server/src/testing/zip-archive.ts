import { writeFile } from 'node:fs/promises'
import { crc32, deflateRawSync } from 'node:zlib'

export interface ZipEntry {
  readonly path: string
  /** File name in an undeclared encoding. */
  readonly name?: Buffer
  readonly content: string | Buffer
  /** Whether the UTF-8 flag is missing, as in archives of many programs. */
  readonly isUnmarked?: boolean
  /** False size to declare. */
  readonly said?: number
  /** False checksum to declare. */
  readonly sum?: number
  /** Bytes that replace the compressed content. */
  readonly packed?: Buffer
}

const LOCAL_HEADER = 0x04034b50
const CENTRAL_HEADER = 0x02014b50
const END_RECORD = 0x06054b50
const DEFLATE_METHOD = 8
const UTF8_NAMES_FLAG = 0x800

export async function writeZip(target: string, files: readonly ZipEntry[]): Promise<void> {
  await writeFile(target, zipArchive(files))
}

/** Returns a ZIP archive, whose metadata can be false. */
export function zipArchive(files: readonly ZipEntry[]): Buffer {
  const parts: Buffer[] = []
  const listed: Buffer[] = []
  let offset = 0
  for (const { path, content, said, sum, packed: given, isUnmarked, name = Buffer.from(path) } of files) {
    const bytes = Buffer.from(content)
    const packed = given ?? deflateRawSync(bytes)
    const facts = Buffer.alloc(26)
    facts.writeUInt16LE(20, 0)
    facts.writeUInt16LE(isUnmarked === true ? 0 : UTF8_NAMES_FLAG, 2)
    facts.writeUInt16LE(DEFLATE_METHOD, 4)
    facts.writeUInt32LE(sum ?? crc32(bytes), 10)
    facts.writeUInt32LE(packed.length, 14)
    facts.writeUInt32LE(said ?? bytes.length, 18)
    facts.writeUInt16LE(name.length, 22)
    parts.push(signatureBytes(LOCAL_HEADER), facts, name, packed)
    const tail = Buffer.alloc(14)
    tail.writeUInt32LE(offset, 10)
    listed.push(signatureBytes(CENTRAL_HEADER), Buffer.from([20, 0]), facts, tail, name)
    offset += 30 + name.length + packed.length
  }
  const directory = Buffer.concat(listed)
  const end = Buffer.alloc(18)
  end.writeUInt16LE(files.length, 4)
  end.writeUInt16LE(files.length, 6)
  end.writeUInt32LE(directory.length, 8)
  end.writeUInt32LE(offset, 12)
  return Buffer.concat([...parts, directory, signatureBytes(END_RECORD), end])
}

function signatureBytes(signature: number): Buffer {
  const bytes = Buffer.alloc(4)
  bytes.writeUInt32LE(signature)
  return bytes
}
