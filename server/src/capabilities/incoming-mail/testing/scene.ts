import type { SendMailOptions } from 'nodemailer'
import type { TestOrganization, TestServer } from '../../../testing/server.ts'
import type { Body, TestUser } from '../../../testing/user.ts'
import { deliverMail, type SmtpAnswer } from './sending.ts'

export const DOMAIN = 'in.parley.example'

export const INCOMING_MAIL_SETTINGS = {
  PARLEY_INCOMING_MAIL_DOMAIN: DOMAIN,
  PARLEY_INCOMING_MAIL_PORT: '0',
  PARLEY_LOG_LEVEL: 'silent',
}

export const UNKNOWN_ADDRESS = { code: 550, words: 'No such address here' }

export async function send(server: TestServer, mail: SendMailOptions): Promise<SmtpAnswer> {
  return deliverMail(server.parley.incomingMailPort ?? Number.NaN, mail)
}

export interface Scene extends TestOrganization {
  readonly ann: TestUser
  readonly channel: number
}

export async function createSceneOn(server: TestServer): Promise<Scene> {
  const organization = await server.organization()
  const ann = await organization.user('Ann')
  await organization.owner.subscribe(['news'], { principals: [organization.owner.id, ann.id] })
  return { ...organization, ann, channel: await channelIdOf(ann, 'news') }
}

export async function channelIdOf(user: TestUser, stream: string): Promise<number> {
  return (await user.call('GET', '/get_stream_id', { stream }))['stream_id']
}

export async function addressFor(user: TestUser, channel: number, more = {}): Promise<string> {
  return (await user.call('GET', `/streams/${channel}/email_address`, more))['email']
}

export async function messagesIn(user: TestUser, channel: number): Promise<Body[]> {
  const { messages } = await user.call('GET', '/messages', {
    anchor: 'newest',
    num_before: 20,
    num_after: 0,
    narrow: [{ operator: 'channel', operand: channel }],
    apply_markdown: false,
  })
  // Safe: the response has the declared fields.
  return messages
}

export async function newestContent(user: TestUser, channel: number): Promise<unknown> {
  return (await messagesIn(user, channel)).at(-1)?.['content']
}

export async function createGroup(owner: TestUser): Promise<{ id: number }> {
  const made = await owner.call('POST', '/user_groups/create', {
    name: 'speakers',
    description: '',
    members: [owner.id],
  })
  return { id: made['group_id'] }
}
