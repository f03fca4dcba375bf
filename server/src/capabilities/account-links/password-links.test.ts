import { beforeAll, describe, expect, it } from 'vitest'
import { signIn } from '../../testing/browser.ts'
import { useMailServer } from '../../testing/mail-server.ts'
import { useTestServer, type TestOrganization } from '../../testing/server.ts'
import { callApi, type Answer, type TestUser } from '../../testing/user.ts'
import { watch } from '../../testing/watch.ts'

const mails = await useMailServer()
const server = useTestServer()
const serverWithMail = useTestServer({ PARLEY_SMTP_URL: mails.url })
const PASSWORD = 'seven purple elephants'
let organization: TestOrganization
let owner: TestUser
let admin: TestUser
let ann: TestUser

beforeAll(async () => {
  organization = await server().organization('Acme')
  owner = organization.owner
  admin = await organization.user('Ada', { role: 200 })
  ann = await organization.user('Ann')
})

async function choosePassword(at: TestUser, token: string): Promise<Answer> {
  const parameters = { token, password: PASSWORD }
  return callApi(at.url, at.host, 'POST', '/password_reset/confirm', parameters, {
    headers: { 'sec-fetch-site': 'same-origin' },
  })
}

async function countLinks(user: TestUser): Promise<number> {
  const { rowCount } = await server().parley.database.pool.query(
    'select 1 from account_links where organization_id = $1 and user_id = $2',
    [organization.id, user.id],
  )
  return rowCount ?? 0
}

describe('password links made by administrators on a server without email', () => {
  it("resets a password by an audited, single-use link, and ends the account's sessions", async () => {
    const look = await watch({ owner, admin, ann })
    const before = await signIn(ann)
    const { password_link: link } = await admin.call('POST', `/users/${ann.id}/password_link`)
    expect(link).toMatch(new RegExp(`^http://${ann.host}:\\d+/password#[\\w-]{43}$`))
    expect(await look()).toEqual({ owner: [], admin: [], ann: [] })
    const { entries } = await owner.call('GET', '/audit_log', { kind: 'people', limit: 1 })
    expect(entries).toMatchObject([
      {
        acting_user_id: admin.id,
        action: 'changed',
        target: { type: 'user', id: ann.id, name: 'Ann' },
        changes: [{ property: 'password_link' }],
      },
    ])
    expect(JSON.stringify(entries)).not.toContain(link.split('#')[1])
    expect((await before.try('GET', '/users/me')).status).toBe(200)
    const token = link.split('#')[1] ?? ''
    expect((await choosePassword(ann, token)).body).toMatchObject({ result: 'success', user_id: ann.id })
    expect((await before.try('GET', '/users/me')).status).toBe(401)
    expect((await choosePassword(ann, token)).status).toBe(401)
  })

  it('refuses password links to people without permission, and for accounts without a password', async () => {
    const [ben, mod] = [await organization.user('Ben'), await organization.user('Mo', { role: 300 })]
    const guest = await organization.user('Gus', { role: 600 })
    const bot = await organization.user('Bert Bot', { bot: { ownerId: owner.id } })
    const gone = await organization.user('Dora Done')
    await owner.call('DELETE', `/users/${gone.id}`)
    const refusals: [TestUser, TestUser, string][] = [
      [ben, ben, 'Insufficient permission'],
      [ben, mod, 'Insufficient permission'],
      [mod, ben, 'Insufficient permission'],
      [admin, owner, 'Must be an organization owner'],
      [owner, bot, 'This account has no password'],
      [owner, gone, 'This account has no password'],
      [guest, ben, 'Insufficient permission'],
    ]
    const look = await watch({ owner, ben })
    for (const [actor, target, message] of refusals) {
      const { status, body } = await actor.try('POST', `/users/${target.id}/password_link`)
      expect([status, body['code'], body['msg']]).toEqual([400, 'BAD_REQUEST', message])
      expect(body).not.toHaveProperty('password_link')
      expect(await countLinks(target)).toBe(0)
    }
    expect(await look()).toEqual({ owner: [], ben: [] })
    expect((await owner.try('POST', '/users/9999/password_link')).body).toMatchObject({
      code: 'BAD_REQUEST',
      msg: 'No such user',
    })
    expect((await owner.try('POST', '/users/x/password_link')).status).toBe(404)
  })

  it('lets an owner create a password link for another owner', async () => {
    const second = await organization.user('Olga', { role: 100 })
    expect(await owner.call('POST', `/users/${second.id}/password_link`)).toHaveProperty('password_link')
  })
})

it('does not let administrators create password links if the server sends email', async () => {
  const mailing = await serverWithMail().organization('Mailing')
  const cleo = await mailing.user('Cleo')
  const { status, body } = await mailing.owner.try('POST', `/users/${cleo.id}/password_link`)
  expect([status, body]).toEqual([
    400,
    { result: 'error', code: 'BAD_REQUEST', msg: 'This server sends email. The person can request a link.' },
  ])
  const { rows } = await serverWithMail().parley.database.pool.query('select 1 from account_links')
  expect(rows).toEqual([])
})
