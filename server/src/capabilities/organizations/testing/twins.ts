import type { TestOrganization, TestServer } from '../../../testing/server.ts'
import { callApi, TestUser } from '../../../testing/user.ts'

export const INBOX_QUERY = { anchor: 'newest', num_before: 50, num_after: 0 }

export async function createTwins(server: TestServer): Promise<[Twin, Twin]> {
  return [await createTwin(server), await createTwin(server)]
}

export interface Twin {
  readonly organization: TestOrganization
  readonly owner: TestUser
  readonly people: readonly TestUser[]
}

async function createTwin(server: TestServer): Promise<Twin> {
  const organization = await server.organization('Twin', { firstPosition: 0 })
  const { owner } = organization
  const { user_id } = await owner.call('POST', '/users', {
    email: 'mia@example.com',
    full_name: 'Mia Member',
    password: 'correct horse',
  })
  const { body } = await callApi(server.parley.url, organization.host, 'POST', '/fetch_api_key', {
    username: 'mia@example.com',
    password: 'correct horse',
  })
  const mia = new TestUser(owner.url, organization.host, 'mia@example.com', String(body['api_key']), user_id)
  await owner.subscribe(['general', 'random'], { principals: [owner.id, mia.id] })
  await owner.subscribe(['secret'], { invite_only: true })
  await owner.send('general', 'hello', 'Hello, twins')
  return { organization, owner, people: [owner, mia] }
}
