import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import * as z from 'zod/mini'
import { endpoint, type Endpoint } from './endpoint.ts'
import { parseParameters, type RawParameter } from './parameters.ts'
import { ApiError } from './refusal.ts'
import { countCodePoints, id, limitedRecord, text } from './schemas.ts'

const declarations = new WeakMap<z.ZodMiniType, ReturnType<typeof declare>>()

function declare(type: z.ZodMiniType): Endpoint<z.ZodMiniObject<{ value: z.ZodMiniType }>> {
  return endpoint({
    id: 'example',
    method: 'POST',
    path: '/example',
    summary: 'An example.',
    since: 0,
    input: z.object({ value: type }),
    output: z.object({}),
    errors: [],
    aliases: { old: 'value', older: 'value' },
  })
}

function parse(type: z.ZodMiniType, raw: Readonly<Record<string, RawParameter>>): unknown {
  const declared = declarations.get(type) ?? declare(type)
  declarations.set(type, declared)
  return parseParameters(declared, new Map(Object.entries(raw))).input.value
}

function codeOf(action: () => unknown): string {
  try {
    action()
  } catch (error) {
    if (error instanceof ApiError) return error.code
    throw error
  }
  return 'none'
}

const anyListOrRecord = z.union([z.array(z.unknown()), z.record(z.string(), z.unknown())])
/** Text that PostgreSQL can store, and that the server therefore accepts. */
const storableText = fc.string({ unit: 'grapheme' }).filter((value) => !value.includes('\0') && value.isWellFormed())
const { json } = fc.letrec<{ json: unknown }>((tie) => ({
  json: fc.oneof(
    { maxDepth: 6 },
    fc.oneof(
      storableText,
      fc.integer(),
      fc.double({ noNaN: true, noDefaultInfinity: true }),
      fc.boolean(),
      fc.constant(null),
    ),
    fc.array(tie('json'), { maxLength: 4 }),
    fc.dictionary(storableText, tie('json'), { maxKeys: 4 }),
  ),
}))
/** Records cannot have the key `__proto__`. */
const key = storableText.filter((name) => name !== '__proto__')
const composite = fc.oneof(fc.array(json, { maxLength: 5 }), fc.dictionary(key, json, { maxKeys: 5 }))

describe('parameter parsing', () => {
  it('parses the same value from a JSON-encoded field and from a JSON body', () => {
    fc.assert(
      fc.property(composite, fc.constantFrom(undefined, 2), (value, indent) => {
        const sent = JSON.stringify(value)
        expect(JSON.stringify(parse(anyListOrRecord, { value: JSON.stringify(value, undefined, indent) }))).toBe(sent)
        const parsed: unknown = JSON.parse(sent)
        expect(JSON.stringify(parse(anyListOrRecord, { value: { json: parsed } }))).toBe(sent)
      }),
    )
  })

  it('leaves the value of a text parameter unchanged', () => {
    fc.assert(fc.property(storableText, (value) => parse(z.string(), { value }) === value))
  })

  it('rejects text that the database cannot store, at any depth', () => {
    const bad = fc
      .tuple(storableText, fc.constantFrom('\0', '\ud800', '\udfff'), fc.constantFrom('', 'x'))
      .map((parts) => parts.join(''))
    fc.assert(
      fc.property(bad, (value) => {
        expect(codeOf(() => parse(z.string(), { value }))).toBe('REQUEST_VARIABLE_INVALID')
        for (const inside of [[value], { a: [value] }, { [value]: 1 }]) {
          expect(codeOf(() => parse(anyListOrRecord, { value: JSON.stringify(inside) }))).toBe(
            'REQUEST_VARIABLE_INVALID',
          )
        }
      }),
    )
  })

  it('rejects a record with too many members before checking any member', () => {
    let checked = 0
    const counted = text(3).check(z.refine(() => (checked += 1) > 0))
    const types = [limitedRecord(text(10), counted, 5), z.optional(z.nullable(limitedRecord(text(10), counted, 5)))]
    const entries = (count: number): object =>
      Object.fromEntries(Array.from({ length: count }, (_, index) => [`n${index}`, 'x']))
    for (const type of types) {
      for (const many of [entries(6), entries(2_000)]) {
        for (const value of [JSON.stringify(many), { json: many }]) {
          expect(codeOf(() => parse(type, { value }))).toBe('REQUEST_VARIABLE_INVALID')
        }
      }
      expect(checked).toBe(0)
      expect(parse(type, { value: JSON.stringify(entries(5)) })).toEqual(entries(5))
      expect(checked).toBe(5)
      checked = 0
    }
  })

  it('accepts an enumeration value bare, quoted, or as a JSON boolean or number', () => {
    const type = z.enum(['true', 'false', 'partial', '1'])
    for (const word of ['true', 'false', 'partial', '1']) {
      expect(parse(type, { value: word })).toBe(word)
      expect(parse(type, { value: JSON.stringify(word) })).toBe(word)
    }
    expect(parse(type, { value: { json: true } })).toBe('true')
    expect(parse(type, { value: { json: 1 } })).toBe('1')
    for (const value of ['True', '', '"', '[true]', { json: ['true'] }, { json: null }]) {
      expect(codeOf(() => parse(type, { value }))).toBe('REQUEST_VARIABLE_INVALID')
    }
  })

  it('parses a union as JSON if the text is valid JSON, and as bare text otherwise', () => {
    const type = z.union([z.int(), z.string(), z.array(z.int()), z.array(z.string())])
    fc.assert(
      fc.property(
        fc.oneof(
          storableText,
          json.map((value) => JSON.stringify(value)),
        ),
        (value) => {
          let parsed: unknown
          try {
            parsed = JSON.parse(value)
          } catch {
            parsed = value
          }
          const isWord = parsed === null || typeof parsed !== 'object'
          const expected = type.safeParse(parsed).success ? parsed : isWord ? value : undefined
          const code = codeOf(() => parse(type, { value }))
          expect(code).toBe(expected === undefined ? 'REQUEST_VARIABLE_INVALID' : 'none')
          expect(code === 'none' ? parse(type, { value }) : undefined).toEqual(expected)
        },
      ),
    )
  })

  it('parses numbers and booleans only as JSON', () => {
    expect(parse(z.int(), { value: ' 12 ' })).toBe(12)
    expect(parse(z.boolean(), { value: 'true' })).toBe(true)
    for (const value of ['twelve', '"12"', '', '0x10', '1.5', '[1]', 'true', { json: '12' }, { json: true }]) {
      expect(codeOf(() => parse(z.int(), { value }))).toBe('REQUEST_VARIABLE_INVALID')
    }
  })

  it('applies defaults and accepts null only for nullable parameters', () => {
    expect(parse(z._default(z.boolean(), true), {})).toBe(true)
    expect(parse(z.prefault(z.object({ a: z._default(z.int(), 1) }), {}), {})).toEqual({ a: 1 })
    expect(parse(z.optional(z.string()), {})).toBeUndefined()
    expect(parse(z.nullable(id), { value: 'null' })).toBeNull()
    expect(codeOf(() => parse(id, { value: 'null' }))).toBe('REQUEST_VARIABLE_INVALID')
    expect(codeOf(() => parse(id, {}))).toBe('REQUEST_VARIABLE_MISSING')
  })

  it('accepts a parameter under its current or older name, but not under both', () => {
    for (const name of ['value', 'old', 'older']) expect(parse(id, { [name]: '1' })).toBe(1)
    for (const [one, other] of [
      ['value', 'old'],
      ['value', 'older'],
      ['old', 'older'],
    ] as const) {
      expect(codeOf(() => parse(id, { [one]: '1', [other]: '1' }))).toBe('REQUEST_CONFUSING_VAR')
    }
  })

  it('lists unknown parameters, whatever their names', () => {
    const declared = endpoint({
      id: 'example',
      method: 'POST',
      path: '/example',
      summary: 'An example.',
      since: 0,
      input: z.object({ known: z.optional(z.string()) }),
      output: z.object({}),
      errors: [],
    })
    const name = fc.oneof(
      fc.string(),
      fc.constantFrom('__proto__', 'constructor', 'toString', 'hasOwnProperty', 'known'),
    )
    fc.assert(
      fc.property(fc.uniqueArray(name), (names) => {
        const raw = new Map(names.map((one) => [one, 'x']))
        const { input, ignored } = parseParameters(declared, raw)
        expect(ignored).toEqual(names.filter((one) => one !== 'known'))
        expect(Object.keys(input)).toEqual(names.includes('known') ? ['known'] : [])
      }),
    )
  })

  it('returns a value or a declared error for any input', () => {
    const types = [
      z.string(),
      z.int(),
      z._default(z.boolean(), false),
      z.enum(['a', 'b']),
      z.union([z.literal(100), z.literal(200)]),
      z.union([z.int(), z.string(), z.array(id)]),
      z.array(z.tuple([z.string(), z.string()])),
      z.strictObject({ a: id, b: z.optional(z.array(id)) }),
      z.record(z.string(), z.boolean()),
      z.optional(text(10)),
      z.nullable(id),
    ]
    const value = fc.oneof(
      fc.string({ unit: 'binary' }),
      fc.jsonValue().map((one) => JSON.stringify(one)),
      fc.jsonValue().map((one) => ({ json: one })),
    )
    fc.assert(
      fc.property(fc.constantFrom(...types), value, (type, sent) => {
        expect(['none', 'REQUEST_VARIABLE_INVALID', 'INVALID_JSON']).toContain(
          codeOf(() => parse(type, { value: sent })),
        )
      }),
      { numRuns: 1_000 },
    )
  })
})

describe('text limits', () => {
  it('counts the length of text in code points', () => {
    fc.assert(
      fc.property(fc.string({ unit: 'binary' }), fc.nat(20), (value, max) => {
        expect(countCodePoints(value)).toBe([...value].length)
        expect(text(max).safeParse(value).success).toBe([...value].length <= max)
      }),
    )
  })
})
