import { expect, it } from 'vitest'
import { useMailServer } from '../../testing/mail-server.ts'
import { useTestServer, type TestOrganization } from '../../testing/server.ts'
import { unsubscribeAddress } from '../missed-messages/testing/scene.ts'
import { VISIBILITY } from '../user-topics/contract.ts'
import { deleteQueuedMails, fillMailQueue } from '../mail/testing/full.ts'
import { startDigestWeeks, writeDigests } from './jobs.ts'
import { dueDigestWeeks } from './queries.ts'

const mails = await useMailServer()
const server = useTestServer({ PARLEY_SMTP_URL: mails.url, PARLEY_MAIL_FROM: 'chat@parley.example' })

const DAY_SECONDS = 86_400
const WAIT_OPTIONS = { timeout: 30_000, interval: 100 }
/** 10:00 UTC, in UNIX seconds. */
const TUESDAY = Date.UTC(2026, 10, 24, 10) / 1000

async function execute(statement: string, ...parameters: unknown[]): Promise<void> {
  await server().parley.database.pool.query(statement, parameters)
}

async function startDigestWeek({ id }: TestOrganization): Promise<void> {
  const { parley } = server()
  const log = await parley.logs.of(id)
  const context = { log, reads: parley.database.reads, server: parley.facts, closing: new AbortController().signal }
  await startDigestWeeks.run(context, 0)
}

/** Moves the last digest and people's last activity back by a week. */
async function passWeek({ id }: TestOrganization, away: readonly number[]): Promise<void> {
  await execute('update digest_weeks set begun_at = begun_at - $2::int where organization_id = $1', id, 7 * DAY_SECONDS)
  await execute(
    `insert into user_activity (organization_id, user_id, noted_at)
     select $1, unnest($2::bigint[]), extract(epoch from now())::bigint - $3::int
     on conflict (organization_id, user_id) do update set noted_at = excluded.noted_at`,
    id,
    away,
    6 * DAY_SECONDS,
  )
}

async function waitUntilWritten({ id }: TestOrganization): Promise<void> {
  const countLeft = async (): Promise<number> => {
    const { rows } = await server().parley.database.pool.query<{ left: number }>(
      `select (select count(*) from digest_readers where organization_id = $1)::int
         + (select count(*) from outgoing_mails where organization_id = $1)::int as left`,
      [id],
    )
    return rows[0]?.left ?? Number.NaN
  }
  await expect.poll(countLeft, WAIT_OPTIONS).toBe(0)
}

it('emails the busiest topics to people who were away', async () => {
  const organization = await server().organization('Acme')
  const { owner, user } = organization
  const people = {
    ann: await user('Ann'),
    here: await user('Here'),
    unwanted: await user('Unwanted'),
    discreet: await user('Discreet'),
    loud: await user('Loud'),
    guest: await user('Guest', { role: 600 }),
    gone: await user('Gone'),
    alone: await user('Alone'),
  }
  const { ann, here, unwanted, discreet, loud, guest, gone, alone } = people
  const all = [owner, ann, here, unwanted, discreet, loud, gone].map(({ id }) => id)
  await owner.subscribe(['news', 'muted'], { principals: all })
  await owner.subscribe(['secret'], { invite_only: true })
  const idOf = async (stream: string): Promise<number> =>
    (await owner.call('GET', '/get_stream_id', { stream }))['stream_id']
  await ann.call('POST', '/users/me/subscriptions/properties', {
    subscription_data: [{ stream_id: await idOf('muted'), property: 'is_muted', value: true }],
  })
  await ann.call('POST', '/user_topics', {
    stream_id: await idOf('news'),
    topic: 'Muted topic',
    visibility_policy: VISIBILITY.muted,
  })
  await unwanted.call('PATCH', '/settings', { enable_digest_emails: false })
  await discreet.call('PATCH', '/settings', { message_content_in_email_notifications: false })
  await ann.call('POST', `/users/me/muted_users/${loud.id}`)
  await owner.subscribe(['for guests'], { principals: [owner.id, guest.id] })
  await owner.call('PATCH', '/realm', { digest_emails_enabled: true })
  await owner.send('news', 'Before', 'Not of this week')
  await startDigestWeek(organization)
  await owner.send('news', 'One & only', 'Hello')
  await owner.send('news', 'Busy', 'Hello')
  await here.send('news', 'Busy', 'Hello')
  await owner.send('news', 'Muted topic', 'Hello')
  await owner.send('muted', 'Elsewhere', 'Hello')
  await owner.send('secret', 'Secretive', 'Hello')
  await loud.send('news', 'Loud words', 'Hello')
  await owner.send('for guests', 'Welcome', 'Hello')
  await owner.call('DELETE', `/users/${gone.id}`)
  await passWeek(organization, [ann.id, unwanted.id, discreet.id, guest.id, gone.id, alone.id])
  await startDigestWeek(organization)
  await startDigestWeek(organization)
  await waitUntilWritten(organization)
  const told = Object.entries(people).filter(([, { email }]) => mails.received(email).length > 0)
  expect(told.map(([name]) => name)).toEqual(['ann', 'guest'])
  const [mail, ...others] = mails.received(ann.email)
  expect(others).toEqual([])
  expect(mail?.headers['subject']).toBe('Your week at Acme')
  expect(mail?.text).toMatch(
    /#news > Busy\n2 messages from 2 people\nhttp\S+\n\n#news > One & only\n1 message from 1 person\n/,
  )
  expect(JSON.stringify(mail)).not.toMatch(/Before|Muted topic|Elsewhere|Secretive|Loud words|Welcome/)
  const [ofGuest] = mails.received(guest.email)
  expect(ofGuest?.text).toContain('#for guests > Welcome')
  expect(JSON.stringify(ofGuest)).not.toMatch(/news|Busy|Secretive/)
  if (mail === undefined) throw new Error('it was just counted')
  expect(unsubscribeAddress(mail)).toContain('-digest-')
})

it('sends no digest if the organization disables digests or message content in emails', async () => {
  for (const settings of [
    { message_content_allowed_in_email_notifications: false },
    { digest_emails_enabled: false },
  ]) {
    const organization = await server().organization()
    const { owner, user } = organization
    const ann = await user('Ann')
    await owner.subscribe(['news'], { principals: [owner.id, ann.id] })
    await owner.call('PATCH', '/realm', { digest_emails_enabled: true })
    await startDigestWeek(organization)
    await owner.send('news', 'Busy', 'Hello')
    await owner.call('PATCH', '/realm', settings)
    await passWeek(organization, [ann.id])
    await startDigestWeek(organization)
    await waitUntilWritten(organization)
    expect(mails.received(ann.email)).toEqual([])
  }
})

it('drops a digest when message content in emails is disabled or composing the digest keeps failing', async () => {
  const organization = await server().organization()
  const { id, owner, user } = organization
  const [ann, ben] = [await user('Ann'), await user('Ben')]
  await owner.subscribe(['news'], { principals: [owner.id, ann.id, ben.id] })
  await owner.call('PATCH', '/realm', { digest_emails_enabled: true })
  await startDigestWeek(organization)
  await owner.send('news', 'Busy', 'Hello')
  await passWeek(organization, [ann.id, ben.id])
  await fillMailQueue(server(), id)
  await startDigestWeek(organization)
  const readers = async (): Promise<unknown[]> => {
    const text = 'select user_id from digest_readers where organization_id = $1'
    return (await server().parley.database.pool.query<{ user_id: number }>(text, [id])).rows
  }
  expect(await readers()).toHaveLength(2)
  const { parley } = server()
  const log = await parley.logs.of(id)
  const context = { log, reads: parley.database.reads, server: parley.facts, closing: new AbortController().signal }
  await writeDigests.giveUp?.(context, ben.id)
  expect(await readers()).toEqual([{ user_id: ann.id }])
  await owner.call('PATCH', '/realm', { message_content_allowed_in_email_notifications: false })
  await deleteQueuedMails(server(), id)
  await waitUntilWritten(organization)
  for (const { email } of [ann, ben]) expect(mails.received(email)).toEqual([])
})

it('schedules weekly digests on the weekday that the organization chose', async () => {
  const [tuesday, friday, none] = [
    await server().organization(),
    await server().organization(),
    await server().organization(),
  ]
  await tuesday.owner.call('PATCH', '/realm', { digest_emails_enabled: true })
  await friday.owner.call('PATCH', '/realm', { digest_emails_enabled: true, digest_weekday: 4 })
  const { reads } = server().parley.database
  const dueAt = async (days: number, hours = 0): Promise<number[]> => {
    const due = await dueDigestWeeks(reads, TUESDAY + days * DAY_SECONDS + hours * 3_600)
    return [tuesday, friday, none]
      .filter(({ id }) => due.some(({ organizationId }) => organizationId === id))
      .map(({ id }) => id)
  }
  expect([await dueAt(0), await dueAt(0, -3), await dueAt(1), await dueAt(3)]).toEqual([
    [tuesday.id],
    [],
    [],
    [friday.id],
  ])
  await startDigestWeek(tuesday)
  await execute('update digest_weeks set begun_at = $2::bigint where organization_id = $1', tuesday.id, TUESDAY)
  expect([await dueAt(0, 1), await dueAt(7)]).toEqual([[], [tuesday.id]])
  await tuesday.owner.call('POST', '/realm/deactivate')
  expect(await dueAt(7)).toEqual([])
})
