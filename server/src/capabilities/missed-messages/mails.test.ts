import { describe, expect, it } from 'vitest'
import { letMailsBeTried } from '../../testing/age.ts'
import { useMailServer, type ReceivedMail } from '../../testing/mail-server.ts'
import { startTestServer, startTestServerOn, useTestServer } from '../../testing/server.ts'
import { callApi, type Answer, type TestUser } from '../../testing/user.ts'
import { reactivateOrganization } from '../organizations/actions/index.ts'
import { OUTGOING_MAIL_LIMIT } from '../mail/contract.ts'
import { CONVERSATION_MAIL_LIMIT, MAX_SHOWN_MESSAGES } from './contract.ts'
import {
  makeMissedMessagesDue,
  waitForRecords,
  createPerson,
  sendDueMails,
  subscribeToNews,
  WAIT_OPTIONS,
  subjectsByPerson,
  unsubscribeAddress,
} from './testing/scene.ts'

const mails = await useMailServer()
const SMTP_SETTINGS = { PARLEY_SMTP_URL: mails.url, PARLEY_MAIL_FROM: 'chat@parley.example' }
const server = useTestServer(SMTP_SETTINGS)

describe('emails about missed messages', () => {
  it("threads a conversation's emails, and shows messages without loading external resources", async () => {
    const organization = await server().organization('Café Größe')
    const { owner } = organization
    const ann = await createPerson(organization, 'Ann')
    await subscribeToNews(owner, [ann])
    const content = `@**|${ann.id}** look at **this** <b>\n\n\`\`\`spoiler End\nThe butler.\n\`\`\`\n\n[there](#narrow/channel/1-x)`
    const id = await owner.send('news', 'Plans & <more>', content)
    await makeMissedMessagesDue(server(), organization)
    const first = await mails.next(ann.email)
    await owner.send('news', 'Plans & <more>', `@**|${ann.id}** again`)
    await makeMissedMessagesDue(server(), organization)
    const second = await mails.next(ann.email)
    const { url } = server().parley
    const base = url.replace('127.0.0.1', organization.host)
    expect(first.headers).toMatchObject({
      from: 'Café Größe <chat@parley.example>',
      to: ann.email,
      subject: '#news > Plans & <more>',
      'auto-submitted': 'auto-generated',
      'list-unsubscribe-post': 'List-Unsubscribe=One-Click',
    })
    expect(first.headers['references']).toMatch(/^<[\w-]{43}\.thread@[\w.-]+>$/)
    expect(first.headers['in-reply-to']).toBe(first.headers['references'])
    expect(second.headers['references']).toBe(first.headers['references'])
    expect(second.headers['message-id']).not.toBe(first.headers['message-id'])
    expect(second.text).not.toContain('look at')
    expect(first.text).toContain('@Ann look at this <b>')
    expect(first.text).not.toContain('butler')
    expect(first.html).not.toContain('butler')
    expect(first.html).toContain('<strong>this</strong> &lt;b&gt;')
    expect(first.html).not.toMatch(/<script|<img|<link|class=|src=/)
    expect(first.html).toContain(`href="${base}/#narrow/channel/1-x"`)
    const { stream_id } = await owner.call('GET', '/get_stream_id', { stream: 'news' })
    expect(first.text).toContain(`${base}/c/${String(stream_id)}/t/Plans%20%26%20%3Cmore%3E?near=${id}\n`)
    expect(first.text).toContain('a message that mentions you')
  })

  it('threads missed message emails per reader and conversation', async () => {
    const organization = await server().organization()
    const { owner } = organization
    const [ann, bob] = [await createPerson(organization, 'Ann'), await createPerson(organization, 'Bob')]
    await owner.sendTo([ann.id, bob.id], 'Both')
    await owner.sendTo([ann.id], '/me waves')
    await makeMissedMessagesDue(server(), organization)
    expect(mails.received(ann.email).some(({ text }) => /Olivia Owner \(.*\):\n\nwaves\n/.test(text))).toBe(true)
    const all = [...mails.received(ann.email), ...mails.received(bob.email)]
    expect(new Set(all.map(({ headers }) => headers['references'])).size).toBe(3)
  })

  it('hides the content and sender of missed messages in emails if the organization or person chooses to', async () => {
    const organization = await server().organization('Silent Ones')
    const { owner } = organization
    const [ann, bob] = [
      await createPerson(organization, 'Ann', { message_content_in_email_notifications: false }),
      await createPerson(organization, 'Bob'),
    ]
    await subscribeToNews(owner, [ann, bob])
    const sendExamples = async (): Promise<void> => {
      await owner.send('news', 'Secretive topic', '@**all** zanzibar')
      await owner.sendTo([ann.id, bob.id], 'zanzibar')
      await makeMissedMessagesDue(server(), organization)
    }
    await sendExamples()
    const subjects = subjectsByPerson(mails, { ann, bob })
    expect(subjects).toMatchObject({ ann: ['New messages at Silent Ones'], bob: { length: 2 } })
    const mail = await mails.next(ann.email)
    expect(JSON.stringify(mail)).not.toMatch(/zanzibar|Olivia|Secretive|news/)
    expect(mail.text).toContain('You have 2 unread messages at Silent Ones.')
    await owner.call('PATCH', '/realm', { message_content_allowed_in_email_notifications: false })
    const before = mails.received(bob.email).length
    await sendExamples()
    expect(mails.received(bob.email)).toHaveLength(before + 1)
    expect(JSON.stringify(mails.received(bob.email).at(-1))).not.toMatch(/zanzibar|Olivia|Secretive|news/)
  })

  it('names the organization in emails as set: always, never, or only for people with several accounts', async () => {
    const [organization, other] = [await server().organization('Here'), await server().organization('There')]
    const policies = { automatic: 1, always: 2, never: 3, twice: 1 }
    const people: Record<string, TestUser> = {}
    for (const [name, policy] of Object.entries(policies)) {
      people[name] = await createPerson(organization, name, { realm_name_in_email_notifications_policy: policy })
    }
    await other.owner.call('POST', '/users', {
      email: people['twice']?.email.toUpperCase(),
      password: 'correct horse battery staple',
      full_name: 'Twice',
    })
    for (const person of Object.values(people)) await organization.owner.sendTo([person.id], 'Hello')
    await makeMissedMessagesDue(server(), organization)
    const subject = 'Direct messages with Olivia Owner'
    expect(subjectsByPerson(mails, people)).toEqual({
      automatic: [subject],
      always: [`[Here] ${subject}`],
      never: [subject],
      twice: [`[Here] ${subject}`],
    })
  })

  it("writes missed message emails in the reader's language and time zone", async () => {
    const organization = await server().organization()
    const { owner } = organization
    const ann = await createPerson(organization, 'Ann', { default_language: 'de', timezone: 'Pacific/Kiritimati' })
    const id = await owner.sendTo([ann.id], 'Hallo')
    await waitForRecords(server())
    const { pool } = server().parley.database
    const at = Math.floor(Date.now() / 1000) - 10_000
    await pool.query('update messages set date_sent = $3 where organization_id = $1 and id = $2', [
      organization.id,
      id,
      at + 7_200,
    ])
    await makeMissedMessagesDue(server(), organization)
    const mail = await mails.next(ann.email)
    expect(mail.headers['subject']).toBe('Direktnachrichten mit Olivia Owner')
    expect(mail.html).toContain('<html lang="de">')
    const day = new Intl.DateTimeFormat('de', { dateStyle: 'medium', timeZone: 'Pacific/Kiritimati' }).format(at * 1000)
    expect(mail.text).toContain(`Olivia Owner (${day}`)
    expect(mail.text).toContain('Unterhaltung öffnen:')
    expect(mail.text).toContain('Abbestellen: http')
  })

  it('escapes names, topics, and text in missed message emails', async () => {
    const organization = await server().organization('Org, Bcc: evil@example.org')
    const { owner, user } = organization
    const ann = await createPerson(organization, 'Ann', { realm_name_in_email_notifications_policy: 2 })
    const evil = await user("Evil & 'Sons'")
    const channel = 'n"<i> Bcc: evil@example.org'
    await owner.subscribe([channel], { principals: [owner.id, evil.id, ann.id] })
    const long = '[x](javascript:alert(1)) <img src=x> '.repeat(200)
    await evil.send(channel, '"><img src=x onerror=alert(1)>, Bcc: evil@example.org', `@**|${ann.id}** ${long}`)
    await makeMissedMessagesDue(server(), organization)
    const mail = await mails.next(ann.email)
    expect(mail.to).toEqual([ann.email])
    expect(mail.headers['bcc']).toBeUndefined()
    expect(mails.received('evil@example.org')).toEqual([])
    expect(mail.headers['subject']).toBe(
      '[Org, Bcc: evil@example.org] #n"<i> Bcc: evil@example.org > "><img src=x onerror=alert(1)>, Bcc: evil@example.org',
    )
    expect(mail.html).not.toMatch(/<script|<img|href="javascript/)
    expect(mail.html).toContain("<strong>Evil &amp; 'Sons'</strong>")
  })

  it('limits the number of missed message emails and of messages in each email', async () => {
    const organization = await server().organization()
    const { owner } = organization
    const ann = await createPerson(organization, 'Ann')
    await subscribeToNews(owner, [ann])
    const conversations = CONVERSATION_MAIL_LIMIT.most + 2
    for (let n = 1; n <= conversations; n += 1) await owner.send('news', `Topic ${n}`, `@**|${ann.id}**`)
    for (let n = 1; n <= MAX_SHOWN_MESSAGES + 2; n += 1)
      await owner.send('news', 'Topic 1', `Number ${n}. @**|${ann.id}**`)
    await makeMissedMessagesDue(server(), organization)
    const all = mails.received(ann.email)
    expect(all).toHaveLength(CONVERSATION_MAIL_LIMIT.most + 1)
    const of = (subject: string): ReceivedMail | undefined => all.find(({ headers }) => headers['subject'] === subject)
    expect(of('#news > Topic 1')?.text).toContain(`Number ${MAX_SHOWN_MESSAGES - 1}.`)
    expect(of('#news > Topic 1')?.text).not.toContain(`Number ${MAX_SHOWN_MESSAGES}.`)
    expect(of('#news > Topic 1')?.text).toContain('3 more messages in the conversation')
    expect(of('More new messages at Test')?.text).toContain('You have 2 more unread messages in 2 other conversations.')
  })
})

describe('missed message delivery across servers', () => {
  it('emails people about a missed message even if servers restart before the email is due', async () => {
    const first = await startTestServer(SMTP_SETTINGS)
    const organization = await first.organization()
    const ann = await createPerson(organization, 'Ann')
    await organization.owner.sendTo([ann.id], 'One')
    await first.close()
    const second = await startTestServerOn(first.database, SMTP_SETTINGS)
    const count = async (): Promise<number> =>
      (await second.parley.database.pool.query('select from missed_messages')).rowCount ?? 0
    await expect.poll(count, WAIT_OPTIONS).toBe(1)
    await second.close()
    const third = await startTestServerOn(first.database, SMTP_SETTINGS)
    await makeMissedMessagesDue(third, organization)
    await third.close()
    expect(subjectsByPerson(mails, { ann })).toEqual({ ann: ['Direct messages with Olivia Owner'] })
  })

  it('sends each email only once even if two servers run', async () => {
    const one = await startTestServer(SMTP_SETTINGS, { shared: true })
    const other = await startTestServerOn(one.database, SMTP_SETTINGS, { shared: true })
    const organization = await one.organization()
    const named = await Promise.all(
      Array.from({ length: 10 }, async (_, n) => [`P${n}`, await createPerson(organization, `P${n}`)] as const),
    )
    await organization.owner.sendTo(
      named.map(([, { id }]) => id),
      'All of you',
    )
    await makeMissedMessagesDue(one, organization)
    await other.close()
    await one.close()
    expect(Object.values(subjectsByPerson(mails, Object.fromEntries(named))).map(({ length }) => length)).toEqual(
      Array.from({ length: 10 }, () => 1),
    )
  })

  it('holds emails of a deactivated organization until reactivation', async () => {
    const organization = await server().organization()
    const ann = await createPerson(organization, 'Ann')
    await organization.owner.sendTo([ann.id], 'One')
    await waitForRecords(server())
    const { pool } = server().parley.database
    await organization.owner.call('POST', '/realm/deactivate')
    await pool.query('update messages set date_sent = date_sent - 7200 where organization_id = $1', [organization.id])
    await pool.query('update missed_messages set due_at = 0 where organization_id = $1', [organization.id])
    const witness = await server().organization()
    const bob = await createPerson(witness, 'Bob')
    await witness.owner.sendTo([bob.id], 'Two')
    await makeMissedMessagesDue(server(), witness)
    expect(subjectsByPerson(mails, { ann, bob })).toEqual({ bob: ['Direct messages with Olivia Owner'] })
    await (await server().parley.logs.of(organization.id)).write(reactivateOrganization)
    await sendDueMails(server(), organization)
    expect(subjectsByPerson(mails, { ann })).toEqual({ ann: ['Direct messages with Olivia Owner'] })
  })

  it('drops pending emails to people who were deactivated or changed their email address', async () => {
    const organization = await server().organization()
    const { owner } = organization
    const ann = await createPerson(organization, 'Ann')
    const bob = await createPerson(organization, 'Bob')
    const cid = await createPerson(organization, 'Cid')
    const [former, { pool }] = [bob.email, server().parley.database]
    const attempts = async (): Promise<unknown[]> => {
      const of = 'select attempts from outgoing_mails where organization_id = $1'
      return (await pool.query<{ attempts: number }>(of, [organization.id])).rows.map((row) => row.attempts)
    }
    const before = mails.refused()
    mails.refuse({ code: 451, message: 'later' })
    try {
      for (const one of [ann, bob, cid]) await owner.sendTo([one.id], 'For you alone')
      await waitForRecords(server())
      await pool.query('update messages set date_sent = date_sent - 7200 where organization_id = $1', [organization.id])
      await pool.query('update missed_messages set due_at = 0 where organization_id = $1', [organization.id])
      await expect.poll(attempts, WAIT_OPTIONS).toEqual([1, 1, 1])
      await expect.poll(() => mails.refused() - before, WAIT_OPTIONS).toBe(3)
      await owner.call('DELETE', `/users/${ann.id}`)
      const to = 'bob.elsewhere@example.com'
      await bob.switchEmail(to, owner.try('PATCH', `/users/${bob.id}`, { new_email: to }))
    } finally {
      mails.refuse(undefined)
    }
    await letMailsBeTried(server().database, organization.id)
    await sendDueMails(server(), organization)
    expect(subjectsByPerson(mails, { ann, bob, cid })).toEqual({ cid: ['Direct messages with Olivia Owner'] })
    const subjects = mails.received(former).map(({ headers }) => headers['subject'])
    expect(subjects).toEqual([expect.stringContaining('was changed')])
  })

  it('holds missed message emails while many emails are pending, to leave capacity for other emails', async () => {
    const organization = await server().organization()
    const { owner, host } = organization
    const ann = await createPerson(organization, 'Ann')
    const { pool } = server().parley.database
    await pool.query(
      `insert into outgoing_mails (organization_id, id, recipient, language, subject, paragraphs, closing, created_at,
         attempts, attempt_at)
       select $1, 1000000 + n, 'away@example.com', 'en', 'Away', '{}', '{}', 0, 1, 4000000000
       from generate_series(1, $2::int) n`,
      [organization.id, OUTGOING_MAIL_LIMIT.most / 2],
    )
    await owner.sendTo([ann.id], 'Hello')
    await waitForRecords(server())
    await pool.query('update messages set date_sent = date_sent - 7200 where organization_id = $1', [organization.id])
    await pool.query('update missed_messages set due_at = 0 where organization_id = $1', [organization.id])
    const isPutOff = 'select from missed_messages where organization_id = $1 and due_at > 0'
    await expect.poll(async () => (await pool.query(isPutOff, [organization.id])).rowCount, WAIT_OPTIONS).toBe(1)
    await callApi(server().parley.url, host, 'POST', '/password_reset', { email: ann.email })
    expect((await mails.next(ann.email)).headers['subject']).not.toContain('Direct messages')
    await pool.query('delete from outgoing_mails where organization_id = $1 and id > 1000000', [organization.id])
    await pool.query('update missed_messages set due_at = 0 where organization_id = $1', [organization.id])
    await sendDueMails(server(), organization)
    expect(subjectsByPerson(mails, { ann })).toEqual({ ann: ['Direct messages with Olivia Owner'] })
  })
})

async function post(address: string, host: string, body = 'List-Unsubscribe=One-Click'): Promise<Answer> {
  const { search, pathname } = new URL(address)
  return callApi(server().parley.url, host, 'POST', pathname.replace('/api/v1', '') + search, {}, { body })
}

describe('unsubscribe links', () => {
  it('unsubscribes, with one click and no session, from only the kind of email that contained the link', async () => {
    const organization = await server().organization()
    const { owner, host } = organization
    const ann = await createPerson(organization, 'Ann', { enable_stream_email_notifications: true })
    const bob = await createPerson(organization, 'Bob')
    const channel = await subscribeToNews(owner, [ann, bob])
    await bob.call('POST', '/users/me/subscriptions/properties', {
      subscription_data: [{ stream_id: channel, property: 'email_notifications', value: true }],
    })
    await ann.call('POST', '/user_topics', { stream_id: channel, topic: 'Followed', visibility_policy: 3 })
    await owner.sendTo([ann.id], 'One')
    await owner.send('news', 'All', 'Two')
    await owner.send('news', 'Followed', 'Three')
    await makeMissedMessagesDue(server(), organization)
    const queue = await ann.register()
    const others = await bob.register()
    const told = mails.received(ann.email)
    const settings = [
      'enable_offline_email_notifications',
      'enable_stream_email_notifications',
      'enable_followed_topic_email_notifications',
    ]
    for (const [index, setting] of settings.entries()) {
      const address = unsubscribeAddress(told[index] ?? fail())
      expect((await post(address, host)).body).toMatchObject({ result: 'success', setting })
      expect(await queue.events()).toMatchObject([{ type: 'user_settings', property: setting, value: false }])
      // Repeating the request has no effect.
      expect((await post(address, host)).status).toBe(200)
      expect(await queue.events()).toEqual([])
    }
    expect(await others.events()).toEqual([])
    const ofChannel = mails.received(bob.email).find(({ headers }) => headers['subject'] === '#news > All') ?? fail()
    expect((await post(unsubscribeAddress(ofChannel), host)).body).toMatchObject({ setting: 'email_notifications' })
    expect(await others.events()).toMatchObject([
      { type: 'subscription', op: 'update', stream_id: channel, property: 'email_notifications', value: false },
    ])
    expect(await queue.events()).toEqual([])
  })

  it('rejects unsubscribe tokens that are damaged or from another organization', async () => {
    const [organization, other] = [await server().organization(), await server().organization()]
    const { owner, host } = organization
    const [ann, bob] = [await createPerson(organization, 'Ann'), await createPerson(organization, 'Bob')]
    await owner.sendTo([ann.id], 'One')
    await makeMissedMessagesDue(server(), organization)
    const address = unsubscribeAddress(await mails.next(ann.email))
    const token = new URL(address).searchParams.get('token') ?? ''
    const queue = await owner.register()
    const own = await ann.register()
    const wrong = [
      token.slice(0, -1),
      `${token}x`,
      token.replace(/^\d+/, String(bob.id)),
      token.replace('-personal-', '-digest-'),
      token.replace('-personal-', '-channel1-'),
      token.replace('-personal-', '-constructor-'),
      token.replace(/^\d+/, '999999999999999'),
      '',
      '-',
    ]
    for (const given of wrong) {
      const answer = await callApi(server().parley.url, host, 'POST', '/unsubscribe', { token: given })
      expect([given, answer.status, answer.body['code']]).toEqual([given, 401, 'AUTHENTICATION_FAILED'])
    }
    expect((await post(address, other.host)).body).toMatchObject({ code: 'AUTHENTICATION_FAILED' })
    const another = 'another@example.com'
    await ann.switchEmail(another, owner.try('PATCH', `/users/${ann.id}`, { new_email: another }))
    expect((await post(address, host)).body).toMatchObject({ code: 'AUTHENTICATION_FAILED' })
    expect((await own.events()).filter(({ type }) => type === 'user_settings')).toEqual([])
    expect((await queue.events()).filter(({ type }) => type === 'user_settings')).toEqual([])
  })

  it('changes nothing when the unsubscribe page is opened with GET', async () => {
    const organization = await server().organization()
    const { owner, host } = organization
    const ann = await createPerson(organization, 'Ann')
    await owner.sendTo([ann.id], 'One')
    await makeMissedMessagesDue(server(), organization)
    const address = unsubscribeAddress(await mails.next(ann.email))
    const own = await ann.register()
    const answer = await callApi(server().parley.url, host, 'GET', '/unsubscribe', {
      token: new URL(address).searchParams.get('token'),
    })
    expect(answer.status).toBe(302)
    expect(answer.headers['location']).toBe(`/unsubscribe#${new URL(address).searchParams.get('token') ?? ''}`)
    expect(await own.events()).toEqual([])
  })
})

function fail(): never {
  throw new Error('an email is missing')
}
