import { expect } from 'vitest'
import type { TestServer } from '../../../testing/server.ts'
import type { Answer, Body, TestUser } from '../../../testing/user.ts'

export interface TestUsers {
  readonly organizationId: number
  readonly owner: TestUser
  readonly ann: TestUser
  readonly position: () => number
}

export async function createTestUsers(server: TestServer): Promise<TestUsers> {
  const { id, owner, user } = await server.organization()
  const ann = await user('Ann')
  await owner.subscribe(['general'], { principals: [owner.id, ann.id] })
  const { organization } = await server.parley.logs.of(id)
  return { organizationId: id, owner, ann, position: () => organization.position }
}

export async function sendWithKey(user: TestUser, key: string, more: Body = {}): Promise<Answer> {
  const message = { type: 'channel', to: 'general', topic: 'talk', content: 'Once', ...more }
  return user.try('POST', '/messages', { ...message, idempotency_key: key })
}

export async function sentMessageId(sending: Promise<Answer>): Promise<number> {
  const { status, body } = await sending
  expect([status, body['msg']]).toEqual([200, ''])
  return Number(body['id'])
}

export const compareNumbers = (one: number, other: number): number => one - other
