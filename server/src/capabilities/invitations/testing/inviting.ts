import type { Answer, Body, Parameters, TestUser } from '../../../testing/user.ts'

export async function invite(user: TestUser, emails: string, more: Parameters = {}): Promise<Answer> {
  return user.try('POST', '/invites', { invitee_emails: emails, stream_ids: [], ...more })
}

export async function createLink(user: TestUser, more: Parameters = {}): Promise<Answer> {
  return user.try('POST', '/invites/multiuse', more)
}

export async function listInvites(user: TestUser): Promise<Body[]> {
  return (await user.call('GET', '/invites'))['invites']
}

export async function invitationIdFor(user: TestUser, email: string): Promise<number> {
  return Number((await listInvites(user)).find((one) => one['email'] === email)?.['id'])
}

export async function createChannel(user: TestUser, name: string, more: Parameters = {}): Promise<number> {
  await user.subscribe([name], more)
  return (await user.call('GET', '/get_stream_id', { stream: name }))['stream_id']
}

export async function createGroup(user: TestUser, name: string): Promise<number> {
  const { group_id } = await user.call('POST', '/user_groups/create', { name, description: '', members: [] })
  return group_id
}

export const badRequest = (msg: string) => ({ status: 400, body: { code: 'BAD_REQUEST', msg } })
export const SUCCESS = { status: 200 }
