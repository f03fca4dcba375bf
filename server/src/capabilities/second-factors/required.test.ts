import { afterEach, beforeEach, expect, it, vi } from 'vitest'
import { browserOf } from '../../testing/browser.ts'
import { linkIn, useMailServer } from '../../testing/mail-server.ts'
import { useTestServer, type TestOrganization } from '../../testing/server.ts'
import { RECOVERY_CODE_COUNT } from './contract.ts'
import {
  postFromPage,
  codeOf,
  expectRefusal,
  logIn,
  passTime,
  PASSWORD,
  setUpFactor,
  stopClock,
  tokenIn,
  LOGIN_EXPIRED,
  WRONG_CODE,
} from './testing/signing-in.ts'

const mails = await useMailServer()
const server = useTestServer({ PARLEY_SMTP_URL: mails.url })
let organization: TestOrganization

beforeEach(async () => {
  stopClock()
  organization = await server().organization('Acme', { password: PASSWORD })
})
afterEach(() => {
  vi.useRealTimers()
})

const requireFactorOf = async (roles: string): Promise<unknown> =>
  organization.owner.call('PATCH', '/realm', { second_factor_required_of: roles })

it('lets only owners require a second factor, and reports the rule only through GET /second_factor', async () => {
  const admin = await organization.user('Ada', { role: 200 })
  const change = { second_factor_required_of: 'administrators' }
  expect((await admin.try('PATCH', '/realm', change)).body['msg']).toBe('Must be an organization owner')
  expect((await organization.owner.try('PATCH', '/realm', { second_factor_required_of: 'all' })).status).toBe(400)
  const watching = await organization.owner.register()
  await requireFactorOf('administrators')
  expect(await watching.events()).toEqual([])
  const required = { required_of: 'administrators', is_required: true }
  expect(await admin.call('GET', '/second_factor')).toMatchObject(required)
  const ann = await organization.user('Ann')
  expect(await ann.call('GET', '/second_factor')).toMatchObject({ ...required, is_required: false })
  const state = await organization.owner.call('POST', '/register')
  expect(Object.keys(state).filter((name) => name.includes('second_factor'))).toEqual([])
})

it('audits a changed second-factor requirement', async () => {
  await requireFactorOf('members')
  const { entries } = await organization.owner.call('GET', '/audit_log', { kind: 'settings' })
  const change = { property: 'second_factor_required_of', from: 'nobody', to: 'members' }
  expect(entries).toMatchObject([{ acting_user_id: organization.owner.id, action: 'changed', changes: [change] }])
})

it('requires people to set up a required second factor before they can sign in', async () => {
  await requireFactorOf('owners')
  const token = tokenIn(await logIn(organization.owner), 'setup')
  const early = await postFromPage(organization.owner, '/login/second_factor', { token, code: '000000' })
  expectRefusal(early, 'AUTHENTICATION_FAILED', WRONG_CODE)
  const { body } = await postFromPage(organization.owner, '/login/second_factor/setup', { token })
  const wrong = await postFromPage(organization.owner, '/login/second_factor/setup/confirm', {
    token,
    code: codeOf(body['secret'], 600),
  })
  expectRefusal(wrong, 'AUTHENTICATION_FAILED', WRONG_CODE)
  const answer = await postFromPage(organization.owner, '/login/second_factor/setup/confirm', {
    token,
    code: codeOf(body['secret']),
  })
  expect(answer.body['recovery_codes']).toHaveLength(RECOVERY_CODE_COUNT)
  const browser = browserOf(organization.owner, answer)
  expect(await browser.call('GET', '/second_factor')).toMatchObject({ recovery_codes_left: RECOVERY_CODE_COUNT })
  passTime()
  tokenIn(await logIn(organization.owner))
  const removal = await browser.try('DELETE', '/second_factor', { code: codeOf(body['secret']) })
  expectRefusal(removal, 'BAD_REQUEST', 'This organization requires two-factor authentication.')
})

it('refuses to set up another second factor with the password alone', async () => {
  const { secret } = await setUpFactor(organization.owner)
  await requireFactorOf('everyone')
  const token = tokenIn(await logIn(organization.owner))
  expectRefusal(
    await postFromPage(organization.owner, '/login/second_factor/setup', { token }),
    'AUTHENTICATION_FAILED',
    LOGIN_EXPIRED,
  )
  const code = codeOf(secret)
  const answer = await postFromPage(organization.owner, '/login/second_factor/setup/confirm', { token, code })
  expectRefusal(answer, 'AUTHENTICATION_FAILED', WRONG_CODE)
})

it('refuses to return the API key for the password alone', async () => {
  await requireFactorOf('owners')
  const answer = await postFromPage(organization.owner, '/fetch_api_key', {
    username: organization.owner.email,
    password: PASSWORD,
  })
  expect(answer.body['code']).toBe('PASSWORD_AUTH_DISABLED')
})

it.each([
  ['nobody', []],
  ['owners', [100]],
  ['administrators', [100, 200]],
  ['moderators', [100, 200, 300]],
  ['members', [100, 200, 300, 400]],
  ['everyone', [100, 200, 300, 400, 600]],
] as const)('requires a second factor only of the roles that the setting %s includes', async (roles, expected) => {
  await requireFactorOf(roles)
  const required: number[] = []
  for (const role of [100, 200, 300, 400, 600] as const) {
    const user = await organization.user('Somebody', { role })
    if ((await user.call('GET', '/second_factor'))['is_required']) required.push(role)
  }
  expect(required).toEqual(expected)
})

it('requires people to set up a required second factor when they join', async () => {
  await requireFactorOf('everyone')
  await organization.owner.call('POST', '/invites', { invitee_emails: 'ann@example.org', stream_ids: [] })
  const token = new URL(linkIn(await mails.next('ann@example.org'))).hash.slice(1)
  const join = { token, full_name: 'Ann', password: 'eight yellow giraffes' }
  const waiting = tokenIn(await postFromPage(organization.owner, '/join', join), 'setup')
  expect((await postFromPage(organization.owner, '/login/second_factor/setup', { token: waiting })).status).toBe(200)
})
