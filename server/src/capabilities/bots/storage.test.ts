import { expect, it } from 'vitest'
import { useTestServer } from '../../testing/server.ts'
import type { TestUser } from '../../testing/user.ts'
import { MAX_KEYS_PER_REQUEST, STORED_CHARACTER_LIMIT, MAX_STORAGE_KEY_LENGTH, STORED_KEY_LIMIT } from './contract.ts'

const server = useTestServer()

async function readStorage(user: TestUser, parameters = {}): Promise<unknown> {
  return (await user.call('GET', '/bot_storage', parameters))['storage']
}

async function createBots(): Promise<[TestUser, TestUser, TestUser]> {
  const { owner, user } = await server().organization()
  const bot = { ownerId: owner.id }
  return [await user('Counter', { bot }), await user('Reader', { bot }), owner]
}

it('stores bot values by key, overwrites the values of existing keys, and sends no events', async () => {
  const [counter, , owner] = await createBots()
  const [own, others] = [await counter.register(), await owner.register()]
  expect(await readStorage(counter)).toEqual({})
  await counter.call('PUT', '/bot_storage', { storage: { 'entry 1': 'one', 'entry 2': '{"n": 2}', '': '' } })
  await counter.call('PUT', '/bot_storage', { storage: { 'entry 2': 'two' } })
  await counter.call('PUT', '/bot_storage', { storage: {} })
  expect(await readStorage(counter)).toEqual({ '': '', 'entry 1': 'one', 'entry 2': 'two' })
  expect(await readStorage(counter, { keys: ['entry 2', 'entry 2'] })).toEqual({ 'entry 2': 'two' })
  expect(await readStorage(counter, { keys: [] })).toEqual({})
  expect([await own.events(), await others.events()]).toEqual([[], []])
})

it("deletes the given keys of a bot's storage, or all keys if `keys` is missing", async () => {
  const [counter] = await createBots()
  await counter.call('PUT', '/bot_storage', { storage: { a: '1', b: '2', c: '3' } })
  await counter.call('DELETE', '/bot_storage', { keys: [] })
  await counter.call('DELETE', '/bot_storage', { keys: ['a', 'a'] })
  expect(await readStorage(counter)).toEqual({ b: '2', c: '3' })
  await counter.call('DELETE', '/bot_storage')
  await counter.call('DELETE', '/bot_storage')
  expect(await readStorage(counter)).toEqual({})
})

it('rejects requests to read or delete absent storage keys, and changes nothing', async () => {
  const [counter] = await createBots()
  await counter.call('PUT', '/bot_storage', { storage: { a: '1' } })
  for (const method of ['GET', 'DELETE']) {
    const { status, body } = await counter.try(method, '/bot_storage', { keys: ['a', 'b'] })
    expect([status, body]).toMatchObject([400, { code: 'BAD_REQUEST', msg: 'Key does not exist.' }])
  }
  expect(await readStorage(counter)).toEqual({ a: '1' })
})

it("treats another account's storage keys as missing, even for a bot's owner", async () => {
  const [counter, reader, owner] = await createBots()
  await counter.call('PUT', '/bot_storage', { storage: { secret: '1' } })
  for (const other of [reader, owner]) {
    for (const method of ['GET', 'DELETE']) {
      const hidden = await other.try(method, '/bot_storage', { keys: ['secret'] })
      const absent = await other.try(method, '/bot_storage', { keys: ['nothing'] })
      expect([hidden.status, hidden.body]).toEqual([400, absent.body])
    }
    await other.call('PUT', '/bot_storage', { storage: { secret: '2' } })
    await other.call('DELETE', '/bot_storage')
  }
  expect(await readStorage(counter)).toEqual({ secret: '1' })
})

it('accepts only text values and safe keys in bot storage', async () => {
  const [counter] = await createBots()
  for (const storage of ['{"a": 1}', '{"a": null}', '{"a": {"b": "c"}}', '["a"]', 'a', '{"__proto__": "a"}']) {
    expect((await counter.try('PUT', '/bot_storage', { storage })).status).toBe(400)
  }
  expect((await counter.try('PUT', '/bot_storage')).body).toMatchObject({ code: 'REQUEST_VARIABLE_MISSING' })
  expect((await counter.try('GET', '/bot_storage', { keys: 'a' })).status).toBe(400)
  expect(await readStorage(counter)).toEqual({})
})

it('limits the length of storage keys in code points', async () => {
  const [counter] = await createBots()
  const key = Array.from({ length: MAX_STORAGE_KEY_LENGTH }, (_, index) => String.fromCodePoint(0x1f300 + index)).join(
    '',
  )
  await counter.call('PUT', '/bot_storage', { storage: { [key]: 'kept' } })
  expect((await counter.try('PUT', '/bot_storage', { storage: { [`${key}!`]: 'not kept' } })).status).toBe(400)
  expect((await counter.try('GET', '/bot_storage', { keys: [`${key}!`] })).status).toBe(400)
  expect(await readStorage(counter)).toEqual({ [key]: 'kept' })
})

it("limits an account's storage in code points and refuses changes above the limit", async () => {
  const [counter, reader] = await createBots()
  const part = STORED_CHARACTER_LIMIT.most / 8
  const text = (characters: number): string => `😀${'x'.repeat(characters - 1)}`
  for (let number = 1; number <= 8; number += 1) {
    await counter.call('PUT', '/bot_storage', { storage: { [String(number)]: text(part - 1) } })
  }
  const full = await readStorage(counter)
  const { status, body } = await counter.try('PUT', '/bot_storage', { storage: { 1: text(part) } })
  expect([status, body['msg']]).toEqual([400, 'Request exceeds storage limit by 1 characters.'])
  expect((await counter.try('PUT', '/bot_storage', { storage: { 9: '' } })).status).toBe(400)
  expect(await readStorage(counter)).toEqual(full)
  await counter.call('PUT', '/bot_storage', { storage: { 1: text(part - 2), 9: '' } })
  await reader.call('PUT', '/bot_storage', { storage: { 1: 'what others keep does not count' } })
})

it('limits how many storage keys an account can have', async () => {
  const [counter] = await createBots()
  const storageFrom = (first: number, length: number): Record<string, string> =>
    Object.fromEntries(Array.from({ length }, (_, index) => [first + index, '']))
  const { body: refusal } = await counter.try('PUT', '/bot_storage', {
    storage: storageFrom(0, MAX_KEYS_PER_REQUEST + 1),
  })
  expect(refusal['code']).toBe('REQUEST_VARIABLE_INVALID')
  for (let first = 0; first < STORED_KEY_LIMIT.most; first += MAX_KEYS_PER_REQUEST) {
    await counter.call('PUT', '/bot_storage', { storage: storageFrom(first, MAX_KEYS_PER_REQUEST) })
  }
  await counter.call('PUT', '/bot_storage', { storage: { 1: 'changed' } })
  const { status, body } = await counter.try('PUT', '/bot_storage', { storage: { more: '' } })
  expect([status, body['msg']]).toEqual([400, 'Request exceeds storage limit by 1 keys.'])
  expect(await readStorage(counter, { keys: ['1'] })).toEqual({ 1: 'changed' })
})
