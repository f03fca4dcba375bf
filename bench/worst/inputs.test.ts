import { expect, it } from 'vitest'
import { capabilities } from '../../server/src/capabilities.ts'
import { declaredInputs, type Document } from './declared.js'
import { handWrittenInputs } from './inputs.js'
import type { Known } from './known.js'

/** An empty organization is enough, because this test needs only the keys of the table. */
const EMPTY_ORGANIZATION: Known = {
  me: 0,
  email: '',
  users: [],
  others: [],
  channels: [],
  messages: [],
  topic: { channel: 0, name: '', newest: 0 },
  own: 0,
  voted: 0,
  bot: 0,
  group: 0,
  groups: [],
  field: 0,
  fields: [],
  folder: 0,
  folders: [],
  linkifier: 0,
  linkifiers: [],
  playground: 0,
  view: '',
  file: '',
  attachment: 0,
  draft: 0,
  snippet: 0,
  scheduled: 0,
  reminder: 0,
  queue: '',
}

it('lists at least one worst-case request for every endpoint, and none for unknown endpoints', () => {
  const endpoints = capabilities.flatMap((capability) => capability.routes).map(({ endpoint }) => endpoint.id)
  const written = handWrittenInputs({ ...EMPTY_ORGANIZATION, channels: [{ id: 1, name: 'general' }] })
  expect(Object.keys(written).filter((id) => !endpoints.includes(id))).toEqual([])
  expect(Object.entries(written).filter(([, some]) => some.length === 0)).toEqual([])
})

it("derives the largest allowed request from an endpoint's schema if no worst case is listed", () => {
  const path = { name: 'note_id', in: 'path', schema: { type: 'integer' } }
  const properties = {
    title: { type: 'string', maxLength: 60 },
    marks: { type: 'array', items: { type: 'integer' }, maxItems: 5 },
    place: { $ref: '#/components/schemas/Place' },
  }
  const body = { content: { 'application/x-www-form-urlencoded': { schema: { $ref: '#/components/schemas/form' } } } }
  const document: Document = {
    paths: { '/notes/{note_id}': { patch: { operationId: 'updateNote', parameters: [path], requestBody: body } } },
    components: { schemas: { form: { properties }, Place: { enum: ['here', 'there'] } } },
  }
  const [request] = declaredInputs(document, new Set())['updateNote'] ?? []
  expect(request).toMatchObject({ method: 'PATCH', path: '/notes/999999999' })
  const fields = new URLSearchParams(typeof request === 'object' ? String(request.body) : '')
  expect(fields.get('title')).toBe(`a${'\u0001'.repeat(59)}`)
  expect(JSON.parse(fields.get('marks') ?? '')).toEqual(Array.from({ length: 5 }, () => 999_999_999))
  expect(fields.get('place')).toBe('here')
  expect(declaredInputs(document, new Set(['updateNote']))).toEqual({})
})
