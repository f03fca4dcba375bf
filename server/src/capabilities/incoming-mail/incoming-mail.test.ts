import type { SendMailOptions } from 'nodemailer'
import { describe, expect, it } from 'vitest'
import { sharedLimits } from '../../platform/limits/shared.ts'
import { useTestServer } from '../../testing/server.ts'
import type { TestUser } from '../../testing/user.ts'
import { watch } from '../../testing/watch.ts'
import { createMailReceiver } from './actions/taking.ts'
import { CHANNEL_ADDRESS_LIMIT } from './contract.ts'
import {
  addressFor,
  newestContent,
  DOMAIN,
  UNKNOWN_ADDRESS,
  createGroup,
  channelIdOf,
  messagesIn,
  createSceneOn,
  send as sendTo,
  INCOMING_MAIL_SETTINGS,
  type Scene,
} from './testing/scene.ts'
import type { SmtpAnswer } from './testing/sending.ts'

const server = useTestServer(INCOMING_MAIL_SETTINGS)
const serverWithoutMail = useTestServer()

const createScene = async (): Promise<Scene> => createSceneOn(server())
const send = async (mail: SendMailOptions): Promise<SmtpAnswer> => sendTo(server(), mail)

describe('channel email addresses', () => {
  it('creates a stable channel email address per user and sender, and stores only a digest of the secret', async () => {
    const { owner, ann, channel, user } = await createScene()
    const made = await ann.call('POST', '/bots', { full_name: 'Helper', short_name: 'helper', bot_type: 1 })
    const bot = made['user_id']
    const look = await watch({ owner, ann })
    const addresses = [
      await addressFor(ann, channel),
      await addressFor(ann, channel, { sender_id: ann.id }),
      await addressFor(ann, channel, { sender_id: bot }),
      await addressFor(owner, channel),
    ]
    expect(new Set(addresses).size).toBe(4)
    for (const address of addresses) expect(address).toMatch(/^news\.\d+-[a-z2-7]{26}@in\.parley\.example$/)
    expect(await addressFor(ann, channel)).toBe(addresses[0])
    expect(await look()).toEqual({ owner: [], ann: [] })
    const other = await user('Other')
    for (const sender_id of [owner.id, other.id, 999_999, 0, -1]) {
      const refused = await ann.try('GET', `/streams/${channel}/email_address`, { sender_id })
      expect([sender_id, refused.status, refused.body['msg']]).toEqual([sender_id, 400, 'Invalid sender'])
    }
    const { rows } = await server().parley.database.pool.query<{ row: string }>(
      'select channel_addresses::text as row from channel_addresses',
    )
    const secret = /-([a-z2-7]{26})@/.exec(addresses[0] ?? '')?.[1] ?? 'none'
    expect(rows.some(({ row }) => row.includes(Buffer.from(secret).toString('hex')) || row.includes(secret))).toBe(
      false,
    )
  })

  it('delays emails in slow mode without storing their files, and rejects links of new members', async () => {
    const { owner, ann, channel } = await createScene()
    const to = await addressFor(ann, channel, { sender_id: ann.id })
    await owner.call('PATCH', `/streams/${channel}/slow_mode`, { seconds: 60 })
    const attachments = [{ filename: 'note.txt', content: 'Hello' }]
    expect([(await send({ to })).code, (await send({ to, attachments })).code]).toEqual([250, 450])
    expect((await ann.call('GET', '/attachments')).attachments).toEqual([])
    await owner.call('PATCH', `/streams/${channel}/slow_mode`, { seconds: 0 })
    await owner.call('PATCH', '/realm', { newcomer_messages: 50 })
    const words = 'New members cannot post links yet.'
    expect(await send({ to, text: 'https://example.com' })).toMatchObject({ code: 550, words })
  })

  it('holds emails with reviewed words until a moderator approves them', async () => {
    const { owner, ann, channel } = await createScene()
    const to = await addressFor(ann, channel)
    await owner.call('PATCH', '/realm', { held_message_patterns: 'casino' })
    expect((await send({ to, subject: 'Our casino' })).code).toBe(250)
    expect(await messagesIn(owner, channel)).toEqual([])
    const { held_messages: held } = await ann.call('GET', '/held_messages')
    expect(held).toMatchObject([{ author_id: ann.id, topic: 'Our casino', content: 'Hello' }])
    await owner.call('POST', `/held_messages/${held[0]?.held_message_id ?? 0}/approve`)
    expect(await messagesIn(owner, channel)).toMatchObject([{ client: 'e-mail', content: 'Hello' }])
    expect((await messagesIn(owner, channel))[0]?.['sender_id']).not.toBe(ann.id)
  })

  it("refuses a channel's email address to users who cannot post in or see the channel", async () => {
    const { owner, ann, user } = await createScene()
    await owner.subscribe(['secret'], { invite_only: true })
    const hidden = await channelIdOf(owner, 'secret')
    const answers = [
      await ann.try('GET', `/streams/${hidden}/email_address`),
      await ann.try('GET', '/streams/999999/email_address'),
    ]
    expect(answers[0]?.status).toBe(400)
    expect(answers[0]?.body).toEqual(answers[1]?.body)
    const { id: groupId } = await createGroup(owner)
    await owner.subscribe(['announcements'], { principals: [owner.id, ann.id], can_send_message_group: groupId })
    const announcements = await channelIdOf(owner, 'announcements')
    expect((await ann.try('GET', `/streams/${announcements}/email_address`)).status).toBe(400)
    const guest = await user('Guest', { role: 600 })
    expect((await guest.try('GET', `/streams/${announcements}/email_address`)).status).toBe(400)
  })

  it("revokes a channel's earlier email addresses when an administrator renews the address", async () => {
    const { owner, ann, channel } = await createScene()
    await owner.subscribe(['other'])
    const elsewhere = await addressFor(owner, await channelIdOf(owner, 'other'))
    const [byOwner, byAnn] = [await addressFor(owner, channel), await addressFor(ann, channel, { sender_id: ann.id })]
    const look = await watch({ owner, ann })
    const renewed = (await owner.call('POST', `/streams/${channel}/email_address`))['email']
    expect(await look()).toEqual({ owner: [], ann: [] })
    expect(renewed).toMatch(/^news\.\d+-[a-z2-7]{26}@in\.parley\.example$/)
    expect(renewed).not.toBe(byOwner)
    for (const to of [byOwner, byAnn]) expect(await send({ to })).toEqual(UNKNOWN_ADDRESS)
    expect((await send({ to: renewed })).code).toBe(250)
    expect((await send({ to: elsewhere })).code).toBe(250)
    expect(await addressFor(owner, channel)).toBe(renewed)
    const another = await addressFor(ann, channel, { sender_id: ann.id })
    expect(another).not.toBe(byAnn)
    expect((await send({ to: another })).code).toBe(250)
    const { entries } = await owner.call('GET', '/audit_log', { kind: 'channels', limit: 1 })
    expect(entries).toMatchObject([
      {
        acting_user_id: owner.id,
        action: 'changed',
        target: { type: 'channel', id: channel, name: 'news' },
        changes: [{ property: 'email_address' }],
      },
    ])
    expect(JSON.stringify(entries)).not.toContain(/-([a-z2-7]{26})@/.exec(renewed)?.[1])
  })

  it("refuses to replace a channel's email address without permission, and keeps the old address", async () => {
    const { owner, ann, channel } = await createScene()
    const to = await addressFor(ann, channel)
    await owner.subscribe(['secret'], { invite_only: true })
    const hidden = await channelIdOf(owner, 'secret')
    const answers = [
      await ann.try('POST', `/streams/${hidden}/email_address`),
      await ann.try('POST', '/streams/999999/email_address'),
    ]
    expect(answers.map(({ status }) => status)).toEqual([400, 400])
    expect(answers[0]?.body).toEqual(answers[1]?.body)
    const refused = await ann.try('POST', `/streams/${channel}/email_address`)
    expect([refused.status, refused.body['code']]).toEqual([400, 'CANNOT_ADMINISTER_CHANNEL'])
    const sender = await owner.try('POST', `/streams/${channel}/email_address`, { sender_id: ann.id })
    expect([sender.status, sender.body['msg']]).toEqual([400, 'Invalid sender'])
    await owner.call('PATCH', `/streams/${channel}`, { can_send_message_group: { new: (await createGroup(ann)).id } })
    expect((await owner.try('POST', `/streams/${channel}/email_address`)).body['code']).toBe('BAD_REQUEST')
    expect((await send({ to })).code).toBe(250)
  })

  it('limits how many channel email addresses a person can have', async () => {
    const { owner, id } = await createScene()
    const names = Array.from({ length: CHANNEL_ADDRESS_LIMIT.most + 1 }, (_, index) => `channel ${index}`)
    await owner.subscribe(names)
    await server().parley.database.pool.query(
      `insert into channel_addresses (organization_id, channel_id, creator_id, sender_id, seed, digest)
       select organization_id, id, $2, $2, sha256(name::bytea), sha256(name::bytea) from channels
       where organization_id = $1 and name like 'channel %' order by id limit $3`,
      [id, owner.id, CHANNEL_ADDRESS_LIMIT.most - 1],
    )
    const last = await channelIdOf(owner, names.at(-1) ?? '')
    const address = await addressFor(owner, last)
    const before = await channelIdOf(owner, names.at(-2) ?? '')
    const refused = await owner.try('GET', `/streams/${before}/email_address`)
    expect([refused.status, refused.body['code']]).toEqual([400, 'BAD_REQUEST'])
    expect(await addressFor(owner, last)).toBe(address)
  })

  it('refuses a channel email address if the server receives no email', async () => {
    const { owner } = await serverWithoutMail().organization()
    await owner.subscribe(['news'])
    const answer = await owner.try('GET', `/streams/${await channelIdOf(owner, 'news')}/email_address`)
    expect([answer.status, answer.body['msg']]).toEqual([400, 'This server does not receive email.'])
    const renewal = await owner.try('POST', `/streams/${await channelIdOf(owner, 'news')}/email_address`)
    expect([renewal.status, renewal.body['msg']]).toEqual([400, 'This server does not receive email.'])
    expect(serverWithoutMail().parley.incomingMailPort).toBeUndefined()
  })
})

describe('emails to channels', () => {
  it("posts an email as the notification bot, with the email's subject as the topic", async () => {
    const { owner, ann, channel, user } = await createScene()
    const outside = await user('Outside')
    const to = await addressFor(owner, channel)
    const look = await watch({ ann, outside })
    expect(await send({ to, subject: 'Re: AW: Grüße  aus\tBerlin', text: 'Line **one**\nline two' })).toMatchObject({
      code: 250,
    })
    const events = await look()
    expect(events.ann).toMatchObject([
      {
        type: 'message',
        flags: [],
        message: { subject: 'Grüße aus Berlin', sender_full_name: 'Notification Bot', stream_id: channel },
      },
      { type: 'stream', op: 'update', property: 'first_message_id' },
    ])
    expect(events.outside).toMatchObject([{ type: 'stream', op: 'update', property: 'first_message_id' }])
    expect(await newestContent(ann, channel)).toBe('Line **one**\nline two')
  })

  it('rejects emails to an address that posts as a bot if its creator no longer owns the bot', async () => {
    const { owner, ann, channel } = await createScene()
    const made = await ann.call('POST', '/bots', { full_name: 'Helper', short_name: 'helper', bot_type: 1 })
    const to = await addressFor(ann, channel, { sender_id: made['user_id'] })
    expect(await send({ to, text: 'One' })).toMatchObject({ code: 250 })
    await owner.call('PATCH', `/bots/${String(made['user_id'])}`, { bot_owner_id: owner.id })
    const look = await watch({ owner, ann })
    expect(await send({ to, text: 'Two' })).toEqual(UNKNOWN_ADDRESS)
    expect(await look()).toEqual({ owner: [], ann: [] })
    await owner.call('PATCH', `/bots/${String(made['user_id'])}`, { bot_owner_id: ann.id })
    expect(await send({ to, text: 'Three' })).toMatchObject({ code: 250 })
    expect((await messagesIn(ann, channel)).map(({ content }) => content)).toEqual(['One', 'Three'])
  })

  it('posts an email as the user or bot chosen for the channel address', async () => {
    const { ann, channel } = await createScene()
    const made = await ann.call('POST', '/bots', { full_name: 'Helper', short_name: 'helper', bot_type: 1 })
    await send({ to: await addressFor(ann, channel, { sender_id: ann.id }) })
    await send({ to: await addressFor(ann, channel, { sender_id: made['user_id'] }) })
    const senders = (await messagesIn(ann, channel)).slice(-2).map((message) => message['sender_id'])
    expect(senders).toEqual([ann.id, made['user_id']])
  })

  it("uses an email's HTML if it has no plain text or the channel address asks for HTML", async () => {
    const { owner, ann, channel } = await createScene()
    const to = await addressFor(owner, channel)
    const html =
      '<html><head><title>T</title><style>p{}</style></head><body><h2>Head</h2><p>Some <b>bold</b> <a href="https://example.org/">words</a></p>' +
      '<img src="https://evil.example/pixel.png" alt="dot"><script>alert(1)</script><ul><li>one</li></ul></body></html>'
    await send({ to, html, text: '' })
    const read = await newestContent(ann, channel)
    expect(read).toContain('## Head')
    expect(read).toContain('Some **bold** [words](https://example.org/)')
    expect(read).toContain('one')
    expect(read).not.toMatch(/evil|alert|p\{\}/)
    await send({ to: to.replace('@', '+prefer-html@'), html: '<p>From <i>HTML</i></p>', text: 'From text' })
    expect(await newestContent(ann, channel)).toBe('From _HTML_')
    await send({ to, html: '<p>From <i>HTML</i></p>', text: 'From text' })
    expect(await newestContent(ann, channel)).toBe('From text')
  })

  it('uploads email attachments so that people in the channel can read them', async () => {
    const { owner, ann, channel, user } = await createScene()
    const outside = await user('Outside', { role: 600 })
    const to = await addressFor(owner, channel)
    await send({
      to,
      text: 'See below',
      attachments: [
        { filename: 'a [b](c).txt', content: 'words' },
        { filename: 'empty.txt', content: '' },
        { filename: false, content: 'BEGIN:VCALENDAR', contentType: 'text/calendar' },
        { filename: false, content: 'x', contentType: 'image/png' },
        { filename: false, content: 'x', contentType: 'application/octet-stream' },
        { filename: false, content: 'x', contentType: 'application/pdf', headers: { 'Content-Description': 'Plan' } },
      ],
    })
    const content = String(await newestContent(ann, channel))
    expect(content).toMatch(/^See below\n\n\[a.*\]\(\/user_uploads\/\S+\)\n\(empty.*left out: it is empty\.\)\n/)
    const names = [...content.matchAll(/\/([\w.]+)\)$/gm)].map(([, name]) => name)
    expect(names.slice(-4)).toEqual(['invitation.ics', 'image.png', 'attachment', 'Plan.pdf'])
    const path = /\((\/user_uploads\/\S+)\)/.exec(content)?.[1] ?? ''
    const file = async (who: TestUser): Promise<number> => (await who.try('GET', path)).status
    expect([await file(ann), await file(owner)]).toEqual([200, 200])
    expect(await file(outside)).not.toBe(200)
  })

  it("strips an email's quotes and signature unless the channel address asks to include them", async () => {
    const { owner, ann, channel } = await createScene()
    const to = await addressFor(owner, channel)
    const text =
      'Yes.\n\n-- \nZoe\n+49 123\n\nOn Mon, 23 Nov 2026 at 10:00, Ann <ann@example.org>\nwrote:\n\n> Shall we?\n> Tell me.\n'
    const sendWithOptions = async (options: string): Promise<unknown> => {
      await send({ to: to.replace('@', `${options}@`), subject: 'Re: News', text })
      return newestContent(ann, channel)
    }
    expect(await sendWithOptions('')).toBe('Yes.')
    expect(await sendWithOptions('+include-footer')).toBe('Yes.\n\n-- \nZoe\n+49 123')
    expect(await sendWithOptions('+include-footer.include-quotes')).toContain('> Shall we?')
    expect(await sendWithOptions('+show-sender')).toBe('**Zoe \\<zoe\\@example\\.org\\>**\n\nYes.')
    expect(await sendWithOptions('.show-sender')).toBe('**Zoe \\<zoe\\@example\\.org\\>**\n\nYes.')
    expect(await sendWithOptions('+nonsense')).toBe('Yes.')
  })

  it('keeps the forwarded part of an email, whether inline or attached', async () => {
    const { owner, ann, channel } = await createScene()
    const to = await addressFor(owner, channel)
    const block =
      '---------- Forwarded message ---------\nFrom: Ann <ann@example.org>\nDate: Mon\nSubject: Plans\n\nThe plan'
    await send({ to, subject: 'Fwd: Plans', text: `FYI\n\n-- \nZoe\n\n${block}` })
    expect((await messagesIn(ann, channel)).at(-1)).toMatchObject({ subject: 'Plans', content: `FYI\n\n${block}` })
    const html = `<div>FYI</div><div>${block.replaceAll('<', '&lt;').replaceAll('\n', '<br>')}</div>`
    await send({ to, subject: 'Fwd: Plans', text: '', html })
    expect(await newestContent(ann, channel)).toContain('The plan')
    const attached = 'From: Ann <ann@example.org>\r\nSubject: Plans\r\n\r\nThe attached plan'
    const part = { contentType: 'message/rfc822', content: attached }
    await send({ to, subject: 'Look', text: 'FYI', attachments: [{ ...part, contentDisposition: 'inline' }] })
    expect(await newestContent(ann, channel)).toMatch(/^FYI\n[^]*Subject: Plans[^]*The attached plan$/)
    await send({
      to,
      subject: 'Fwd: Plans',
      text: 'FYI',
      attachments: [{ ...part, filename: false, contentDisposition: 'attachment' }],
    })
    expect(await newestContent(ann, channel)).toMatch(/^FYI\n\n\[Plans\\\.eml\]\(\/user_uploads\/\S+\/Plans\.eml\)$/)
  })

  it('posts emails without notifying the people they mention, and truncates long emails', async () => {
    const { owner, ann, channel } = await createScene()
    const to = await addressFor(owner, channel)
    const queue = await ann.register()
    await send({
      to,
      subject: `A\r\nBcc: x ${'long '.repeat(50)}`,
      text: `@**all** @**|${ann.id}** ${'x'.repeat(20_000)}`,
    })
    const [event] = await queue.events()
    expect(event).toMatchObject({ type: 'message', flags: [] })
    const [message] = (await messagesIn(ann, channel)).slice(-1)
    expect(message?.['subject']).toMatch(/^A Bcc: x (?:long )+long…$/)
    expect(Array.from(String(message?.['subject'])).length).toBeLessThanOrEqual(60)
    expect(Array.from(String(message?.['content'])).length).toBeLessThanOrEqual(10_000)
  })

  it.each<[string, Record<string, string>, string?]>([
    ['a cron job', { 'Auto-Submitted': 'auto-generated', Precedence: 'bulk' }],
    ['an invoice program', { 'X-Auto-Response-Suppress': 'All' }],
    ['monitoring', { 'Auto-Submitted': 'auto-generated (alert)', 'X-Auto-Response-Suppress': 'DR, OOF, AutoReply' }],
    ['an issue tracker', { 'Auto-Submitted': 'auto-generated', 'In-Reply-To': '<1@tracker.example>' }],
    ['a notifier', { 'Auto-Submitted': 'auto-notified; owner-email="zoe@example.org"' }],
    ['a mailing list', { Precedence: 'list', 'List-Id': '<news.example.org>' }],
    ['a report on encryption', { 'Content-Type': 'multipart/report; report-type=tlsrpt; boundary="x"' }],
    ['a person', { 'Auto-Submitted': 'no' }],
    ['a program without a sender', { 'Auto-Submitted': 'auto-generated' }, ''],
  ])('posts an email from %s', async (_, headers, sender = 'root@example.org') => {
    const { owner, ann, channel } = await createScene()
    const to = await addressFor(owner, channel)
    const envelope = { from: sender, to }
    const head = Object.entries({ Subject: 'Backup', ...headers }).map(([name, value]) => `${name}: ${value}\r\n`)
    const body = headers['Content-Type'] === undefined ? 'Done' : '--x\r\n\r\nDone\r\n--x--'
    expect((await send({ envelope, raw: `${head.join('')}\r\n${body}\r\n` })).code).toBe(250)
    expect((await messagesIn(ann, channel)).at(-1)).toMatchObject({ subject: 'Backup', content: 'Done' })
  })

  it('logs dropped emails', async () => {
    const { owner, id, channel } = await createScene()
    const lines: unknown[] = []
    const { parley } = server()
    const taker = createMailReceiver({
      domain: DOMAIN,
      reads: parley.database.reads,
      server: parley.facts,
      limits: sharedLimits(undefined),
      useLog: (organizationId, work) => parley.logs.use(organizationId, work),
      logger: { warn: (details, message) => lines.push([message, details]) },
    })
    const mailbox = await taker.mailboxOf(await addressFor(owner, channel))
    const take = async (sender: string, head: string): Promise<void> =>
      mailbox.take({ sender, bytes: Buffer.from(`Message-ID: <1@x>\r\nSubject: Away\r\n${head}\r\nText\r\n`) })
    await take('zoe@example.org', 'Auto-Submitted: auto-replied\r\n')
    await take('', '')
    await take('zoe@example.org', 'Auto-Submitted: auto-generated\r\n')
    const details = { organization: id, channel, subject: 'Away', messageId: '<1@x>' }
    expect(lines).toEqual([
      ['email dropped', { ...details, sender: 'zoe@example.org', reason: 'automatic reply' }],
      ['email dropped', { ...details, sender: '', reason: 'bounce' }],
    ])
  })

  it("posts placeholders for an email's missing subject and text", async () => {
    const { owner, ann, channel } = await createScene()
    await send({ to: await addressFor(owner, channel), subject: '', text: '' })
    expect((await messagesIn(ann, channel)).at(-1)).toMatchObject({
      subject: 'Email without a subject',
      content: '(This email has no text.)',
    })
  })
})
