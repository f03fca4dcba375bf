import type { TestOrganization } from '../../../testing/server.ts'
import { TestUser, type Answer, type Body } from '../../../testing/user.ts'

export function refusal({ status, body }: Answer): unknown[] {
  return [status, body['code'], body['msg']]
}

export function asUser(owner: TestUser, email: string, { user_id, api_key }: Body): TestUser {
  return new TestUser(owner.url, owner.host, email, String(api_key), Number(user_id))
}

export async function makeBot(owner: TestUser, name = 'Bert Bot', more: Body = {}): Promise<TestUser> {
  const short_name = name.split(' ', 1)[0]?.toLowerCase() ?? ''
  const made = await owner.call('POST', '/bots', { full_name: name, short_name, ...more })
  return asUser(owner, `${short_name}-bot@${owner.host}`, made)
}

export async function createPeople(
  organization: TestOrganization,
): Promise<Record<'owner' | 'ada' | 'mia' | 'bob', TestUser>> {
  const { owner, user } = organization
  return { owner, ada: await user('Ada Admin', { role: 200 }), mia: await user('Mia Member'), bob: await user('Bob') }
}

export const BOT_EVENT_OPTIONS = { event_types: ['realm_bot', 'realm_user'] }
