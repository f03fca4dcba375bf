import { expect, it } from 'vitest'
import { useTestServer } from '../../server/src/testing/server.ts'
import { fold } from './fold.ts'

const server = useTestServer()

it("applies known parts of a newer server's events and ignores the rest", async () => {
  const { owner } = await server().organization()
  const { state } = await owner.register()
  const before = structuredClone(state)
  const client = { includeSubscribers: false }
  expect(fold(state, { id: 1, type: 'something_newer', any: [1] }, client)).toEqual([])
  expect(
    fold(state, { id: 2, type: 'realm_user', op: 'something_newer', person: { user_id: owner.id } }, client),
  ).toEqual([])
  expect(state).toEqual(before)
  expect(fold(state, { id: 3, type: 'alert_words', alert_words: ['tea'], newer: true }, client)).toEqual([
    'alert_words',
  ])
  expect(state).toEqual({ ...before, alert_words: ['tea'] })
})
