export interface NamedStatement {
  readonly text: string
  readonly parameters: readonly Parameter[]
}

interface Parameter {
  readonly name: string
  readonly elements: ElementType | undefined
}

/** Replaces named parameters, such as `$organization` or `$topics::text[]`, with numbers. */
export function numberParameters(text: string): NamedStatement {
  const parameters: Parameter[] = []
  return {
    text: text.replaceAll(/\$([a-z]\w*)(?:::(\w+)\[\])?/g, (called, name: string, type: string | undefined) => {
      const cast = called.slice(1 + name.length)
      const before = parameters.findIndex((parameter) => parameter.name === name)
      if (before !== -1) return `$${before + 1}${cast}`
      parameters.push({ name, elements: type !== undefined && isElementType(type) ? type : undefined })
      return `$${parameters.length}${cast}`
    }),
    parameters,
  }
}

export function orderedValues({ parameters }: NamedStatement, values: Readonly<Record<string, unknown>>): unknown[] {
  return parameters.map(({ name, elements }) => {
    if (!(name in values)) throw new Error(`the parameter $${name} of the statement has no value`)
    const value = values[name]
    return elements !== undefined && Array.isArray(value) ? binaryArray(elements, value) : value
  })
}

/* The binary format needs no parsing or quoting: per message, it saves 5% of the database's time and 1.6 us here. */

const TYPE_OIDS = { boolean: 16, bigint: 20, text: 25, tsvector: 3614, jsonb: 3802 } as const

export type ElementType = keyof typeof TYPE_OIDS

function isElementType(name: string): name is ElementType {
  return Object.hasOwn(TYPE_OIDS, name)
}

/** Header: number of dimensions, null flag, element type, then length and first index of the only dimension. */
const ARRAY_HEADER_BYTES = 20
const JSONB_VERSION = 1
const TWO_TO_THE_32 = 0x1_0000_0000
const MAX_BYTES_PER_CODE_UNIT = 3

const MAX_CODE_UNITS_FOR_LOOP = 48

const INITIAL_BUFFER_BYTES = 64 * 1024
/** Larger buffers are not reused. */
const MAX_REUSED_BYTES = 1024 * 1024

let sharedBuffer = Buffer.allocUnsafe(INITIAL_BUFFER_BYTES)

/** @param values safe integers for bigint; strings for text and jsonb; the binary form for tsvector */
export function binaryArray(type: ElementType, values: readonly unknown[]): Buffer {
  writeInt(values.length === 0 ? 0 : 1, 0)
  writeInt(values.includes(null) ? 1 : 0, 4)
  writeInt(TYPE_OIDS[type], 8)
  if (values.length === 0) return Buffer.from(sharedBuffer.subarray(0, 12))
  writeInt(values.length, 12)
  writeInt(1, 16)
  let end = ARRAY_HEADER_BYTES
  for (const value of values) {
    growBuffer(end, 4)
    const start = end + 4
    end = value === null ? start : writeElement(type, value, start)
    writeInt(value === null ? -1 : end - start, start - 4)
  }
  const list = Buffer.from(sharedBuffer.subarray(0, end))
  if (sharedBuffer.length > MAX_REUSED_BYTES) sharedBuffer = Buffer.allocUnsafe(INITIAL_BUFFER_BYTES)
  return list
}

function writeElement(type: ElementType, value: unknown, at: number): number {
  if (typeof value === 'string' && (type === 'text' || type === 'jsonb')) {
    growBuffer(at, 1 + MAX_BYTES_PER_CODE_UNIT * value.length)
    if (type !== 'jsonb') return writeText(value, at)
    sharedBuffer[at] = JSONB_VERSION
    return writeText(value, at + 1)
  }
  if (typeof value === 'number' && type === 'bigint') {
    growBuffer(at, 8)
    writeInt(Math.floor(value / TWO_TO_THE_32), at)
    writeInt(value, at + 4)
    return at + 8
  }
  if (typeof value === 'boolean' && type === 'boolean') {
    growBuffer(at, 1)
    sharedBuffer[at] = value ? 1 : 0
    return at + 1
  }
  if (!Buffer.isBuffer(value) || type !== 'tsvector')
    throw new TypeError(`a list of ${type} cannot hold ${typeof value}`)
  growBuffer(at, value.length)
  sharedBuffer.set(value, at)
  return at + value.length
}

function writeInt(value: number, at: number): void {
  sharedBuffer[at] = value >>> 24
  sharedBuffer[at + 1] = value >>> 16
  sharedBuffer[at + 2] = value >>> 8
  sharedBuffer[at + 3] = value
}

function writeText(text: string, at: number): number {
  if (text.length > MAX_CODE_UNITS_FOR_LOOP) return at + sharedBuffer.write(text, at)
  for (let index = 0; index < text.length; index += 1) {
    const unit = text.charCodeAt(index)
    if (unit > 127) return at + sharedBuffer.write(text, at)
    sharedBuffer[at + index] = unit
  }
  return at + text.length
}

function growBuffer(from: number, bytes: number): void {
  if (from + bytes <= sharedBuffer.length) return
  const larger = Buffer.allocUnsafe(2 * (from + bytes))
  sharedBuffer.copy(larger, 0, 0, from)
  sharedBuffer = larger
}
