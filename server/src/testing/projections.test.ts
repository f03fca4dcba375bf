import { expect, it } from 'vitest'
import { usersProjection } from '../capabilities/users/queries/index.ts'
import { expectProjectionsAsLoaded, hiddenIn } from './projections.ts'
import { startTestServer } from './server.ts'

class PrivateFields {
  readonly #value: number

  constructor(value: number) {
    this.#value = value
  }

  get value(): number {
    return this.#value
  }
}

it('rejects projection states that cannot be compared', () => {
  const byId = new Map([[1, { name: 'Ann', key: Buffer.from('a'), roles: new Set([1]), list: [null, undefined] }]])
  expect(hiddenIn({ byId }, 'users')).toEqual([])
  // `toStrictEqual` does not compare private fields.
  expect(new PrivateFields(1)).toStrictEqual(new PrivateFields(2))
  expect(hiddenIn({ recent: [new PrivateFields(1)] }, 'users')).toEqual(['users.recent.0'])
  expect(hiddenIn({ byId: new Map([[7, { find: () => byId }]]) }, 'users')).toEqual(['users.byId.get(7).find'])
  expect(hiddenIn({ seen: new Set([new WeakMap()]) }, 'users')).toEqual(['users.seen.has([object WeakMap])'])
})

it('detects a projection that differs from the database or stores state in private fields', async () => {
  const server = await startTestServer()
  const { id, owner } = await server.organization()
  const { organization } = await server.parley.logs.of(id)
  await expectProjectionsAsLoaded(server.parley)
  const { byId } = organization.of(usersProjection)
  const user = byId.get(owner.id)
  if (user === undefined) throw new Error('the owner exists')
  byId.set(owner.id, { ...user, fullName: 'Somebody Else' })
  await expect(expectProjectionsAsLoaded(server.parley)).rejects.toThrow("{ name: 'users'")
  byId.set(owner.id, Object.assign(new PrivateFields(1), user))
  await expect(expectProjectionsAsLoaded(server.parley)).rejects.toThrow(`users.byId.get(${owner.id})`)
  await server.close()
})
