import { expect, it } from 'vitest'
import { linkIn, useMailServer } from '../../testing/mail-server.ts'
import { useTestServer } from '../../testing/server.ts'
import { joinWithVerifiedEmail } from '../invitations/actions/joining.ts'
import { INVITATION_MAIL_LIMIT } from '../invitations/contract.ts'
import { invitePerson, join } from '../invitations/testing/joining.ts'
import { deleteQueuedMails, fillMailQueue } from '../mail/testing/full.ts'

const mails = await useMailServer()
const server = useTestServer({ PARLEY_SMTP_URL: mails.url })
const PASSWORD = 'seven purple elephants'

it('welcomes people who join and notifies people whose account was created for them', async () => {
  const { owner } = await server().organization('Acme')
  expect((await join(owner, await invitePerson(mails, owner, {}, 'nora@example.org'))).status).toBe(200)
  const nora = await mails.next('nora@example.org')
  expect(nora.headers['subject']).toBe('Welcome to Acme')
  expect(nora.text).toContain('Sign in with nora@example.org.')
  expect(linkIn(nora)).toMatch(new RegExp(`^http://${owner.host}:\\d+/$`))
  await owner.call('POST', '/users', { email: 'nils@example.org', password: PASSWORD, full_name: 'Nils' })
  const nils = await mails.next('nils@example.org')
  expect(nils.text).toContain('Olivia Owner created an account at Acme for you.')
  expect(linkIn(nils)).toMatch(/\/password$/)
  expect(JSON.stringify(nils)).not.toContain(PASSWORD)
})

it('sends no welcome email to bots, or to anyone if the organization disables welcome emails', async () => {
  const { owner } = await server().organization()
  await owner.call('POST', '/bots', { full_name: 'Helper', short_name: 'helper', bot_type: 1 })
  await owner.call('PATCH', '/realm', { send_welcome_emails: false })
  await owner.call('POST', '/users', { email: 'nobody@example.org', password: PASSWORD, full_name: 'Nobody' })
  const token = await invitePerson(mails, owner, {}, 'nina@example.org')
  expect((await join(owner, token)).status).toBe(200)
  await owner.call('PATCH', '/realm', { send_welcome_emails: true })
  await owner.call('POST', '/users', { email: 'last@example.org', password: PASSWORD, full_name: 'Last' })
  await mails.next('last@example.org')
  expect(mails.received().flatMap(({ to }) => to)).toEqual([])
})

it('welcomes people who join through an identity provider', async () => {
  const { id, owner } = await server().organization('Acme')
  await owner.call('PATCH', '/realm', { invite_required: false })
  const { parley } = server()
  const log = await parley.logs.of(id)
  await log.write((tx) => joinWithVerifiedEmail(tx, { email: 'una@example.org', names: ['Una'] }, null, parley.facts))
  expect((await mails.next('una@example.org')).text).toContain('Hello Una,')
})

it('creates an account without a welcome email while the mail queue is full', async () => {
  const { id, owner } = await server().organization('Full')
  await fillMailQueue(server(), id)
  await owner.call('POST', '/users', { email: 'full@example.org', password: PASSWORD, full_name: 'Full' })
  await deleteQueuedMails(server(), id)
  await owner.call('POST', '/users', { email: 'room@example.org', password: PASSWORD, full_name: 'Room' })
  await mails.next('room@example.org')
  expect(mails.received('full@example.org')).toEqual([])
})

it('counts welcome emails toward the daily limit of invitation emails', async () => {
  const { id, owner } = await server().organization('Acme')
  const make = async (name: string): Promise<unknown> =>
    owner.call('POST', '/users', { email: `${name}@example.org`, password: PASSWORD, full_name: name })
  const { pool } = server().parley.database
  await make('first')
  await mails.next('first@example.org')
  const sent = 'update invitation_mails set sent = sent + $2 where organization_id = $1'
  await pool.query(sent, [id, INVITATION_MAIL_LIMIT.most - 1])
  await make('stranger')
  const refused = await owner.try('POST', '/invites', { invitee_emails: 'guest@example.org', stream_ids: [] })
  expect(refused.body['code']).toBe('INVITATION_FAILED')
  await pool.query(sent, [id, -1])
  await make('last')
  await mails.next('last@example.org')
  expect(mails.received('stranger@example.org')).toEqual([])
})
