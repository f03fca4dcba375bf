import pg from 'pg'
import { expect } from 'vitest'
import { tokenIn, type MailServer } from '../../../testing/mail-server.ts'
import { callApi, type Answer, type Body, type Parameters, type TestUser } from '../../../testing/user.ts'

export const PASSWORD = 'seven purple elephants'

let address = 0
export function newAddress(): string {
  address += 1
  return `someone${address}@example.org`
}

export async function callFromBrowser(at: TestUser, path: string, parameters: Parameters): Promise<Answer> {
  return callApi(at.url, at.host, 'POST', path, parameters, { headers: { 'sec-fetch-site': 'same-origin' } })
}

export async function join(at: TestUser, token: string, more: Parameters = {}): Promise<Answer> {
  return callFromBrowser(at, '/join', { token, full_name: 'Nora New', password: PASSWORD, ...more })
}

export async function createLinkToken(by: TestUser, more: Parameters = {}): Promise<string> {
  const { invite_link } = await by.call('POST', '/invites/multiuse', more)
  return invite_link.split('#')[1] ?? ''
}

export async function invitePerson(
  mails: MailServer,
  by: TestUser,
  more: Parameters = {},
  to = newAddress(),
): Promise<string> {
  await by.call('POST', '/invites', { invitee_emails: to, stream_ids: [], notify_referrer_on_join: false, ...more })
  return tokenIn(await mails.next(to))
}

export async function confirmAddress(
  mails: MailServer,
  at: TestUser,
  token: string | undefined,
  email = newAddress(),
): Promise<string> {
  const { status, body } = await callFromBrowser(at, '/registrations', {
    email,
    ...(token === undefined ? {} : { token }),
  })
  expect([status, body]).toEqual([200, { result: 'success', msg: '' }])
  return tokenIn(await mails.next(email))
}

export async function executeSql(
  database: pg.ClientConfig,
  statement: string,
  values: readonly unknown[],
): Promise<void> {
  const client = new pg.Client(database)
  await client.connect()
  await client.query(statement, [...values])
  await client.end()
}

async function listPeople(at: TestUser): Promise<Body[]> {
  return (await at.call('GET', '/users'))['members']
}

export const INVALID_LINK = { result: 'error', code: 'AUTHENTICATION_FAILED', msg: 'This link is no longer valid.' }

export async function expectInvalidLink(at: TestUser, token: string): Promise<void> {
  const before = (await listPeople(at)).length
  for (const answer of [await callFromBrowser(at, '/join/invitation', { token }), await join(at, token)]) {
    expect([answer.status, answer.body]).toEqual([401, INVALID_LINK])
    expect(answer.headers['set-cookie']).toBeUndefined()
  }
  expect(await listPeople(at)).toHaveLength(before)
}
