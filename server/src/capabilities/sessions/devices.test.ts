import { beforeAll, expect, it } from 'vitest'
import { useMailServer } from '../../testing/mail-server.ts'
import { useTestServer, type TestOrganization } from '../../testing/server.ts'
import { basic, callApi, TestUser } from '../../testing/user.ts'
import { deleteQueuedMails, fillMailQueue } from '../mail/testing/full.ts'
import { writeUser } from '../users/actions/index.ts'
import { knownUser } from '../users/rules/index.ts'
import { KNOWN_DEVICE_LIMIT } from './contract.ts'

const mails = await useMailServer()
const server = useTestServer({ PARLEY_SMTP_URL: mails.url })
const PASSWORD = 'correct horse battery'
const FIREFOX = 'Mozilla/5.0 (X11; Linux x86_64; rv:140.0) Gecko/20100101 Firefox/140.0'
const CHROME =
  'Mozilla/5.0 (Windows NT 10.0; Win64; x64) AppleWebKit/537.36 (KHTML, like Gecko) Chrome/142.0 Safari/537.36'
let organization: TestOrganization

beforeAll(async () => {
  organization = await createOrganization()
})

async function createOrganization(): Promise<TestOrganization> {
  const made = await server().organization('Acme')
  await made.owner.call('PATCH', '/realm', { send_welcome_emails: false })
  return made
}

async function signInFrom(
  { url, host, email }: Pick<TestUser, 'url' | 'host' | 'email'>,
  userAgent: string,
): Promise<void> {
  const headers = { 'user-agent': userAgent, 'sec-fetch-site': 'same-origin' }
  const { status } = await callApi(url, host, 'POST', '/login', { username: email, password: PASSWORD }, { headers })
  expect(status).toBe(200)
}

/** Creates a member whose account is not new. */
async function createMember(at: TestOrganization, name: string): Promise<TestUser> {
  const email = `${name.toLowerCase()}@example.org`
  const { user_id } = await at.owner.call('POST', '/users', { email, password: PASSWORD, full_name: name })
  const log = await server().parley.logs.of(at.id)
  await log.write(async (tx) => {
    const user = knownUser(tx.organization, user_id)
    await writeUser(tx, { ...user, dateJoined: user.dateJoined - 100_000 })
  })
  // No action changes this column, so this changes the database directly.
  const earlier = 'update users set date_joined = date_joined - 100000 where organization_id = $1 and id = $2'
  await server().parley.database.pool.query(earlier, [at.id, user_id])
  return new TestUser(at.owner.url, at.host, email, '', user_id)
}

it('emails people about their first sign-in from each device', async () => {
  const ann = await createMember(organization, 'Ann')
  await signInFrom(ann, FIREFOX)
  const first = await mails.next(ann.email)
  expect(first.headers['subject']).toBe('New sign-in to Acme')
  expect(first.text).toContain('Firefox on Linux')
  expect(first.text).toMatch(/\/password$/m)
  await signInFrom(ann, FIREFOX)
  await signInFrom(ann, CHROME)
  expect((await mails.next(ann.email)).text).toContain('Chrome on Windows')
  await signInFrom(ann, CHROME)
  await signInFrom(ann, FIREFOX)
  await organization.owner.call('POST', '/invites', { invitee_emails: 'later@example.org', stream_ids: [] })
  await mails.next('later@example.org')
  expect(mails.received(ann.email)).toEqual([])
})

it('sends no sign-in emails to people who disabled these emails or just joined', async () => {
  const ben = await createMember(organization, 'Ben')
  const { owner } = organization
  await owner.call('POST', '/users', { email: 'new@example.org', password: PASSWORD, full_name: 'New' })
  const { body } = await callApi(
    ben.url,
    ben.host,
    'POST',
    '/fetch_api_key',
    { username: ben.email, password: PASSWORD },
    { headers: {} },
  )
  const headers = { authorization: basic(ben.email, String(body['api_key'])) }
  await callApi(ben.url, ben.host, 'PATCH', '/settings', { enable_login_emails: false }, { headers })
  await signInFrom(ben, FIREFOX)
  await signInFrom({ url: ben.url, host: ben.host, email: 'new@example.org' }, FIREFOX)
  await owner.call('POST', '/invites', { invitee_emails: 'latest@example.org', stream_ids: [] })
  await mails.next('latest@example.org')
  expect(mails.received().flatMap(({ to }) => to)).toEqual([])
})

it('signs people in without emailing them while the mail queue is full', async () => {
  const other = await createOrganization()
  const dora = await createMember(other, 'Dora')
  await fillMailQueue(server(), other.id)
  await signInFrom(dora, FIREFOX)
  await deleteQueuedMails(server(), other.id)
  await signInFrom(dora, CHROME)
  expect((await mails.next(dora.email)).text).toContain('Chrome on Windows')
})

it("limits a person's known devices and forgets the least recently used device", async () => {
  const cleo = await createMember(organization, 'Cleo')
  for (let device = 0; device <= KNOWN_DEVICE_LIMIT.most; device += 1) {
    await signInFrom(cleo, `Tool${device}/1.0`)
    expect((await mails.next(cleo.email)).text).toContain(`Tool${device}\n`)
    const earlier = 'update known_devices set seen_at = seen_at - 1 where user_id = $1'
    await server().parley.database.pool.query(earlier, [cleo.id])
  }
  await signInFrom(cleo, `Tool${KNOWN_DEVICE_LIMIT.most}/1.0`)
  await signInFrom(cleo, 'Tool0/1.0')
  expect((await mails.next(cleo.email)).text).toContain('Tool0\n')
})
