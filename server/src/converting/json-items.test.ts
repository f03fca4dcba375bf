import { expect, it } from 'vitest'
import { ItemReader, MAX_RECORD_BYTES, type JsonItem } from './json-items.ts'
import { limitRecord } from './records.ts'

/** Reads JSON in chunks of `size` bytes. With the default of 1, a chunk ends after every byte. */
function read(text: string | Buffer, size = 1): { kind: string | undefined; items: JsonItem[] } {
  const bytes = Buffer.from(text)
  const reader = new ItemReader()
  const items: JsonItem[] = []
  for (let at = 0; at < bytes.length; at += size) items.push(...reader.read(bytes.subarray(at, at + size)))
  reader.end()
  return { kind: reader.kind, items }
}

const texts = (text: string, size?: number): (string | undefined)[] =>
  read(text, size).items.map((item) => item.text?.trim())

it.each([
  ['[]', []],
  [' [ ] \n', []],
  ['\ufeff[1]', ['1']],
  ['[1, "a,]", {"b":[2,{"c":"\\"}"}]}, [], null]', ['1', '"a,]"', '{"b":[2,{"c":"\\"}"}]}', '[]', 'null']],
  ['["\\\\","\\\\\\""]', ['"\\\\"', '"\\\\\\""']],
  ['["Grüße","😀"]', ['"Grüße"', '"😀"']],
])('reads the items of the list %s', (text, items) => {
  for (const size of [1, 2, 3, 1_000]) {
    expect([size, read(text, size).kind, texts(text, size)]).toEqual([size, 'list', items])
  }
})

it('reads the items of all lists in an object', () => {
  const text = '{"a": [1, [2]], "b":7, "c":{"d":[3]},"e":[], "\\u0066" : [{"g":[4]}] }'
  const { kind, items } = read(text)
  expect([kind, items.map((item) => [item.list, item.text?.trim()])]).toEqual([
    'object',
    [
      ['a', '1'],
      ['a', '[2]'],
      ['f', '{"g":[4]}'],
    ],
  ])
  const reader = new ItemReader()
  expect([...reader.read(Buffer.from(text))]).toHaveLength(3)
  expect([...reader.lists]).toEqual(['a', 'e', 'f'])
  expect(read('{}')).toEqual({ kind: 'object', items: [] })
  expect(read('"a"')).toEqual({ kind: undefined, items: [] })
})

it.each([
  ['', 'Unexpected end of JSON input'],
  ['[1', 'Unexpected end of JSON input'],
  ['{"a":[1]', 'Unexpected end of JSON input'],
  ['["a', 'Unexpected end of JSON input'],
  ['[1,]', "Unexpected token ']'"],
  ['[,1]', "Unexpected token ','"],
  ['[1}', "Unexpected token '}'"],
  ['{"a":1]', "Unexpected token ']'"],
  ['{"a":[1],}', "Unexpected token '}'"],
  ['{"a":[1] 2}', "Unexpected token '}'"],
  ['{"a" 1}', /JSON/],
  ['{[1]}', /JSON/],
  ['{"a":[1][2]}', /JSON/],
  ['[1] [2]', "Unexpected token '['"],
  ['[1] 2', 'Unexpected text after the JSON'],
  ['x[1]', "Unexpected token '['"],
])('rejects the invalid JSON %j', (text, reason) => {
  expect(() => read(text)).toThrow(SyntaxError)
  expect(() => read(text, 1_000)).toThrow(reason)
})

it('skips items that are too large and reports bytes that are not UTF-8', () => {
  const large = `["${'x'.repeat(MAX_RECORD_BYTES)}",1]`
  expect(read(large, 100_000).items).toEqual([
    { list: undefined, text: undefined, isUtf8: true },
    { list: undefined, text: '1', isUtf8: true },
  ])
  expect(read(Buffer.from('["\u00e9"]', 'latin1')).items).toMatchObject([{ text: '"\ufffd"', isUtf8: false }])
})

it.each(['"",', '{},', '[],'])('rejects a list that repeats %s 200,000 times', (item) => {
  expect(() => read(`[${item.repeat(200_000)}1]`, 10_000)).toThrow(RangeError)
  expect(() => read(`{"a":[${item.repeat(200_000)}1]}`, 10_000)).toThrow(RangeError)
})

it('truncates and reports long texts and lists in a message', () => {
  const notes = new Map<string, number>()
  const note = (what: string, count = 1): void => void notes.set(what, (notes.get(what) ?? 0) + count)
  const real = { text: 'x'.repeat(65_535), users: Array.from({ length: 10_000 }, (_, index) => `U${index}`), of: null }
  expect(limitRecord(real, note)).toEqual(real)
  expect(notes.size).toBe(0)
  const { text, attachments, reactions } = limitRecord(
    {
      text: 'x'.repeat(1_000_000),
      attachments: [{ text: 'y'.repeat(390_000) }, { text: 'z'.repeat(390_000), fields: [1] }],
      reactions: Array.from({ length: 15 }, () => Array.from({ length: 12_000 }, () => 'U1')),
    },
    note,
  )
  expect([text.length, attachments.map((one) => one.text.length)]).toEqual([400_000, [390_000, 210_000]])
  const kept = reactions.flat().length
  expect([kept > 90_000, kept < 100_000]).toEqual([true, true])
  expect(Object.fromEntries(notes)).toEqual({
    'texts in messages over 400,000 characters: truncated': 2,
    'items of lists in messages over 10,000 items: omitted': 15 * 12_000 - kept,
  })
})
