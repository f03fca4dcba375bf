import { expect, it } from 'vitest'
import * as z from 'zod/mini'
import { objectSchema } from './schema.ts'
import { nestedFields, typeText } from './type-text.ts'

const member = z.strictObject({
  id: z.int().check(z.minimum(1)),
  email: z.string(),
  role: z.union([z.literal(100), z.literal(200)]),
})

const { properties = {} } = objectSchema(
  z.object({
    setting: z.union([z.int(), z.strictObject({ members: z.array(z.int()), groups: z.optional(z.array(z.int())) })]),
    operation: z.enum(['add', 'remove']),
    delay: z.nullable(z.int()),
    narrow: z.array(z.tuple([z.string(), z.string()])),
    names: z.record(z.string(), z.array(z.string())),
    changed: z.union([
      z.strictObject({ user_id: z.int(), full_name: z.string(), changed_at: z.int() }),
      z.strictObject({ user_id: z.int(), role: z.int(), changed_at: z.int(), changed_by: z.int() }),
    ]),
    users: z.array(z.strictObject({ ...member.shape, friends: z.array(member) })),
  }),
  'neutral',
)

const typeOf = (name: string): string => typeText(properties[name] ?? {})
const fieldsOf = (name: string): string[] =>
  nestedFields(name, properties[name] ?? {}).map((field) => `${field.name}${field.required ? '' : '?'}`)

it('formats types like TypeScript', () => {
  expect(typeOf('setting')).toBe('integer | { members: integer[], groups?: integer[] }')
  expect(typeOf('operation')).toBe('"add" | "remove"')
  expect(typeOf('delay')).toBe('integer | null')
  expect(typeOf('narrow')).toBe('[string, string][]')
  expect(typeOf('names')).toBe('{ […]: string[] }')
  expect(fieldsOf('setting')).toEqual([])
})

it('lists the fields of types too long for one line', () => {
  expect(typeOf('users')).toBe('object[]')
  expect(fieldsOf('users')).toEqual(['users[].id', 'users[].email', 'users[].role', 'users[].friends'])
  expect(nestedFields('users', properties['users'] ?? {}).map(({ schema }) => typeText(schema))).toEqual([
    'integer',
    'string',
    '100 | 200',
    '{ id: integer, email: string, role: 100 | 200 }[]',
  ])
})

it('marks a field optional if only some alternatives of a union have it', () => {
  expect(typeOf('changed')).toBe('object')
  expect(fieldsOf('changed')).toEqual([
    'changed.user_id',
    'changed.full_name?',
    'changed.changed_at',
    'changed.role?',
    'changed.changed_by?',
  ])
})
