import pg from 'pg'
import { expect } from 'vitest'
import { tokenIn, type MailServer } from '../../../testing/mail-server.ts'
import { callApi, type Answer, type Body, type Parameters, type TestUser } from '../../../testing/user.ts'

export const PASSWORD = 'seven purple elephants'

let address = 0
export function someone(): string {
  address += 1
  return `someone${address}@example.org`
}

export async function ask(at: TestUser, path: string, parameters: Parameters): Promise<Answer> {
  return callApi(at.url, at.host, 'POST', path, parameters, { headers: { 'sec-fetch-site': 'same-origin' } })
}

export async function join(at: TestUser, token: string, more: Parameters = {}): Promise<Answer> {
  return ask(at, '/join', { token, full_name: 'Nora New', password: PASSWORD, ...more })
}

export async function openLink(by: TestUser, more: Parameters = {}): Promise<string> {
  const { invite_link } = await by.call('POST', '/invites/multiuse', more)
  return invite_link.split('#')[1] ?? ''
}

export async function invitePerson(
  mails: MailServer,
  by: TestUser,
  more: Parameters = {},
  to = someone(),
): Promise<string> {
  await by.call('POST', '/invites', { invitee_emails: to, stream_ids: [], notify_referrer_on_join: false, ...more })
  return tokenIn(await mails.next(to))
}

export async function confirmAddress(
  mails: MailServer,
  at: TestUser,
  token: string | undefined,
  email = someone(),
): Promise<string> {
  const { status, body } = await ask(at, '/registrations', { email, ...(token === undefined ? {} : { token }) })
  expect([status, body]).toEqual([200, { result: 'success', msg: '' }])
  return tokenIn(await mails.next(email))
}

export async function execute(database: pg.ClientConfig, statement: string, values: readonly unknown[]): Promise<void> {
  const client = new pg.Client(database)
  await client.connect()
  await client.query(statement, [...values])
  await client.end()
}

async function people(at: TestUser): Promise<Body[]> {
  return (await at.call('GET', '/users'))['members']
}

export const BAD_LINK = { result: 'error', code: 'AUTHENTICATION_FAILED', msg: 'This link is no longer valid.' }

export async function expectBadLink(at: TestUser, token: string): Promise<void> {
  const before = (await people(at)).length
  for (const answer of [await ask(at, '/join/invitation', { token }), await join(at, token)]) {
    expect([answer.status, answer.body]).toEqual([401, BAD_LINK])
    expect(answer.headers['set-cookie']).toBeUndefined()
  }
  expect(await people(at)).toHaveLength(before)
}
