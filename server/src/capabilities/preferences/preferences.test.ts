import { expect, it } from 'vitest'
import { useTestServer } from '../../testing/server.ts'
import type { TestUser } from '../../testing/user.ts'
import { MAX_NAME_CHARACTERS, PREFERENCE_CHARACTER_LIMIT, PREFERENCE_LIMIT } from './contract.ts'

const server = useTestServer()

const PREFERENCES_CAPABILITY = { client_capabilities: { preferences: true } }

async function storedPreferences(user: TestUser): Promise<unknown> {
  return (await user.call('GET', '/preferences'))['preferences']
}

it("stores preferences by name and notifies only their owner's clients that support them", async () => {
  const { owner, user } = await server().organization()
  const ann = await user('Ann')
  const [own, older, others] = [
    await ann.register(PREFERENCES_CAPABILITY),
    await ann.register(),
    await owner.register(PREFERENCES_CAPABILITY),
  ]
  expect(own.state['preferences']).toEqual({})
  expect(older.state).not.toHaveProperty('preferences')
  await ann.call('PATCH', '/preferences', { preferences: { 'web.density': 'compact', 'web.keys': '{}', '': '' } })
  await ann.call('PATCH', '/preferences', { preferences: { 'web.density': 'wide', 'web.keys': null } })
  expect(await storedPreferences(ann)).toEqual({ '': '', 'web.density': 'wide' })
  expect(await storedPreferences(owner)).toEqual({})
  expect((await ann.register(PREFERENCES_CAPABILITY)).state['preferences']).toEqual(await storedPreferences(ann))
  // Unchanged values send no events.
  await ann.call('PATCH', '/preferences', { preferences: { 'web.density': 'wide', 'web.keys': null } })
  await ann.call('PATCH', '/preferences', { preferences: {} })
  expect(await own.events()).toMatchObject([
    { type: 'preferences', preferences: { 'web.density': 'compact', 'web.keys': '{}', '': '' } },
    { type: 'preferences', preferences: { 'web.density': 'wide', 'web.keys': null } },
  ])
  expect([await older.events(), await others.events()]).toEqual([[], []])
})

it('accepts only text values and safe names for preferences', async () => {
  const { owner } = await server().organization()
  for (const preferences of ['{"a": 1}', '{"a": {"b": "c"}}', '["a"]', 'a', '{"__proto__": "a"}']) {
    expect((await owner.try('PATCH', '/preferences', { preferences })).status).toBe(400)
  }
  expect((await owner.try('PATCH', '/preferences')).body).toMatchObject({ code: 'REQUEST_VARIABLE_MISSING' })
  expect(await storedPreferences(owner)).toEqual({})
})

it('limits preference names, values, and total size, and saves all changes or none', async () => {
  const { owner } = await server().organization()
  const attempt = async (preferences: Record<string, string | null>): Promise<number> =>
    (await owner.try('PATCH', '/preferences', { preferences })).status
  expect(await attempt({ ['😀'.repeat(MAX_NAME_CHARACTERS)]: '😀'.repeat(20_000) })).toBe(200)
  expect(await attempt({ ['😀'.repeat(MAX_NAME_CHARACTERS + 1)]: '' })).toBe(400)
  expect(await attempt({ a: '😀'.repeat(20_001) })).toBe(400)
  expect(await attempt({ ['😀'.repeat(MAX_NAME_CHARACTERS)]: null })).toBe(200)
  const long = 'x'.repeat(PREFERENCE_CHARACTER_LIMIT.most / 5 - 1)
  expect(await attempt({ a: long, b: long, c: long, d: long, e: long })).toBe(200)
  expect(await attempt({ f: '' })).toBe(400)
  expect(await attempt({ a: null, f: '' })).toBe(200)
  expect(await attempt({ b: null, c: null, d: null, e: null, f: null })).toBe(200)
  const many = (count: number): Record<string, string> =>
    Object.fromEntries(Array.from({ length: count }, (_, index) => [`n${index}`, 'x']))
  expect(await attempt(many(PREFERENCE_LIMIT.most))).toBe(200)
  expect(await attempt({ more: 'x' })).toBe(400)
  const others = Object.fromEntries(Object.keys(many(PREFERENCE_LIMIT.most)).map((name) => [`other ${name}`, 'x']))
  expect(await attempt({ ...others, more: 'x' })).toBe(400)
  expect(await attempt(many(3 * PREFERENCE_LIMIT.most))).toBe(400)
  const forgotten = Object.fromEntries(Object.keys(many(PREFERENCE_LIMIT.most)).map((name) => [name, null]))
  expect(await attempt({ ...forgotten, ...others })).toBe(200)
  expect(
    await attempt({
      ...many(PREFERENCE_LIMIT.most),
      ...Object.fromEntries(Object.keys(others).map((name) => [name, null])),
    }),
  ).toBe(200)
  expect(await attempt({ n0: 'y' })).toBe(200)
  expect(await storedPreferences(owner)).toEqual({ ...many(PREFERENCE_LIMIT.most), n0: 'y' })
})
