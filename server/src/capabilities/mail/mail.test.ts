import { hash } from 'node:crypto'
import { readFile, stat } from 'node:fs/promises'
import { join } from 'node:path'
import { Writable } from 'node:stream'
import pg from 'pg'
import { pino } from 'pino'
import { afterEach, describe, expect, it } from 'vitest'
import { readConfig } from '../../config.ts'
import { openStore, serve, type Parley } from '../../start.ts'
import { letMailsBeTried } from '../../testing/age.ts'
import { parseObject } from '../../testing/json.ts'
import { linkIn, tokenIn, useMailServer } from '../../testing/mail-server.ts'
import { startTestServer, startTestServerOn, useTestServer, type TestOrganization } from '../../testing/server.ts'
import { reactivateOrganization } from '../organizations/actions/index.ts'
import { queueMail, cancelMails, type OutgoingMail } from './actions/index.ts'
import { OUTGOING_MAIL_LIMIT } from './contract.ts'
import { MAX_ATTEMPTS } from './jobs.ts'
import { CONCURRENCY_LIMITS } from './queries.ts'
import { fillMailQueue } from './testing/full.ts'

const mails = await useMailServer()
const SMTP_SETTINGS = { PARLEY_SMTP_URL: mails.url, PARLEY_MAIL_FROM: 'chat@parley.example' }
const server = useTestServer({ ...SMTP_SETTINGS, PARLEY_LOG_LEVEL: 'silent' })

const SAMPLE_MAIL: OutgoingMail = {
  to: 'ann@example.org',
  language: 'en',
  subject: 'Grüße an Ann',
  paragraphs: ['Hello Ann,', 'this is <b>not bold</b> & "quoted".'],
  button: { label: 'Open it', path: '/somewhere#' },
  closing: ['Nobody expects an answer.'],
}

let address = 0
function newAddress(): string {
  address += 1
  return `someone${address}@example.org`
}

afterEach(() => {
  mails.refuse(undefined)
})

async function queueMailFor(
  { id }: TestOrganization,
  mail: OutgoingMail,
  parley: Parley = server().parley,
): Promise<void> {
  const log = await parley.logs.of(id)
  await log.write((tx) => queueMail(tx, mail))
}

interface QueuedMail {
  readonly attempts: number
  /** Seconds between the start of the last attempt and the next. */
  readonly pause: number
}

async function waitingMails({ id }: TestOrganization): Promise<QueuedMail[]> {
  const { rows } = await server().parley.database.pool.query<QueuedMail>(
    `select attempts, attempt_at - extract(epoch from now())::bigint as pause from outgoing_mails
     where organization_id = $1 order by id`,
    [id],
  )
  return rows
}

describe('outgoing emails', () => {
  it('sends an email from the organization with the same content in text and HTML', async () => {
    const organization = await server().organization('Café Größe')
    const to = newAddress()
    await queueMailFor(organization, { ...SAMPLE_MAIL, to })
    const mail = await mails.next(to)
    expect([mail.from, mail.to]).toEqual(['chat@parley.example', [to]])
    expect(mail.headers).toMatchObject({
      from: 'Café Größe <chat@parley.example>',
      to,
      subject: 'Grüße an Ann',
      'auto-submitted': 'auto-generated',
    })
    expect(mail.headers['message-id']).toMatch(/^<[\w.]+@[\w.-]+>$/)
    const { url } = server().parley
    const link = `${url.replace('127.0.0.1', organization.host)}/somewhere#`
    expect(mail.text).toBe(
      ['Hello Ann,', 'this is <b>not bold</b> & "quoted".', `Open it:\n${link}`, '-- \nNobody expects an answer.'].join(
        '\n\n',
      ),
    )
    expect(mail.html).toContain('this is &lt;b&gt;not bold&lt;/b&gt; &amp; &quot;quoted&quot;.')
    expect(mail.html).toContain(`<a href="${link}"`)
    expect(mail.html).toContain('<html lang="en">')
    expect(mail.html).not.toMatch(/<script|<img|<link/)
    await expect.poll(async () => waitingMails(organization)).toEqual([])
  })

  it("stores only the seed of an email's token in the database, and the secret key in a private file", async () => {
    const organization = await server().organization()
    const { tokens } = server().parley.facts
    const { token, seed, digest } = await tokens.make()
    const to = newAddress()
    const held = mails.holding()
    await queueMailFor(organization, { ...SAMPLE_MAIL, to, button: { label: 'Open it', path: '/somewhere#', seed } })
    await expect.poll(held.count).toBe(1)
    const { rows } = await server().parley.database.pool.query<{ row: string }>(
      'select outgoing_mails::text as row from outgoing_mails where organization_id = $1',
      [organization.id],
    )
    held.goOn()
    expect(rows).toHaveLength(1)
    expect(rows[0]?.row).toContain(seed.toString('hex'))
    expect(rows[0]?.row).not.toContain(token)
    expect(rows[0]?.row).not.toContain(Buffer.from(token).toString('hex'))
    expect(tokenIn(await mails.next(to))).toBe(token)
    expect(digest.equals(hash('sha256', token, 'buffer'))).toBe(true)
    const folder = join(server().parley.facts.files.incoming, '../..')
    const key = join(folder, 'token-key')
    expect((await readFile(key)).length).toBe(32)
    expect((await stat(key)).mode & 0o777).toBe(0o600)
  })

  it("prevents header and SMTP injection through an email's texts", async () => {
    const organization = await server().organization()
    const to = newAddress()
    const subject = 'Hi\r\nBcc: evil@example.org\r\n\r\nAnother body\u2028Bcc: evil@example.org\u0007'
    await queueMailFor(organization, {
      ...SAMPLE_MAIL,
      to,
      subject,
      paragraphs: ['One\r\n.\r\nMAIL FROM:<evil@example.org>'],
    })
    const mail = await mails.next(to)
    expect(mail.to).toEqual([to])
    expect(mail.headers['bcc']).toBeUndefined()
    expect(mail.headers['subject']).toBe('Hi Bcc: evil@example.org Another body Bcc: evil@example.org')
    expect(mail.headers['from']).toContain('<chat@parley.example>')
    expect(mail.text).toContain('MAIL FROM:<evil@example.org>')
    expect(mails.received('evil@example.org')).toEqual([])
  })

  it("prevents header injection through the sender's name", async () => {
    const to = newAddress()
    await server().parley.facts.mailer.send({
      subject: 'Hi',
      text: 'One',
      html: '<p>One</p>',
      messageId: 'one@parley.example',
      thread: undefined,
      unsubscribeAddress: undefined,
      link: undefined,
      to,
      fromName: 'Evil\r\nBcc: evil@example.org',
    })
    const mail = await mails.next(to)
    expect(mail.headers['from']).toBe('"Evil Bcc: evil@example.org" <chat@parley.example>')
    expect(mail.headers['bcc']).toBeUndefined()
    expect(mail.to).toEqual([to])
    expect(mails.received('evil@example.org')).toEqual([])
  })

  it.each([
    'ann@example.org, evil@example.org',
    'ann@example.org\r\nBcc: evil@example.org',
    'ann@example.org>\r\nRCPT TO:<evil@example.org',
    'Ann <evil@example.org>',
    'evil@example.org;ann@example.org',
    'no address',
    '@example.org',
    '',
  ])('does not send an email to the invalid address %j', async (to) => {
    const organization = await server().organization()
    await queueMailFor(organization, { ...SAMPLE_MAIL, to })
    const after = newAddress()
    await queueMailFor(organization, { ...SAMPLE_MAIL, to: after })
    await mails.next(after)
    await expect.poll(async () => waitingMails(organization)).toEqual([])
    expect(mails.received().flatMap((mail) => mail.to)).toEqual([])
  })

  it('cancels only the pending emails that contain a given token', async () => {
    const organization = await server().organization()
    const { seed } = await server().parley.facts.tokens.make()
    const other = await server().parley.facts.tokens.make()
    mails.refuse({ code: 451, message: 'later' })
    const before = mails.refused()
    const [to, stays] = [newAddress(), newAddress()]
    await queueMailFor(organization, { ...SAMPLE_MAIL, to, button: { label: 'Open it', path: '/x#', seed } })
    await queueMailFor(organization, {
      ...SAMPLE_MAIL,
      to: stays,
      button: { label: 'Open it', path: '/x#', seed: other.seed },
    })
    await expect.poll(() => mails.refused() - before).toBe(2)
    const log = await server().parley.logs.of(organization.id)
    await log.write((tx) => cancelMails(tx, [seed]))
    mails.refuse(undefined)
    await letMailsBeTried(server().database, organization.id)
    await mails.next(stays)
    expect(mails.received(to)).toEqual([])
  })
})

describe('temporary and permanent email failures', () => {
  it('retries an email with the same message ID and growing pauses', async () => {
    const organization = await server().organization()
    const to = newAddress()
    mails.refuse({ code: 451, message: 'too busy' })
    await queueMailFor(organization, { ...SAMPLE_MAIL, to })
    await expect.poll(async () => (await waitingMails(organization))[0]?.attempts).toBe(1)
    const [first] = await waitingMails(organization)
    expect(first?.pause).toBeGreaterThan(60)
    await letMailsBeTried(server().database, organization.id)
    await expect.poll(async () => (await waitingMails(organization))[0]?.attempts).toBe(2)
    expect((await waitingMails(organization))[0]?.pause).toBeGreaterThan(first?.pause ?? Number.NaN)
    mails.refuse(undefined)
    await letMailsBeTried(server().database, organization.id)
    await mails.next(to)
    await expect.poll(async () => waitingMails(organization)).toEqual([])
  })

  it('gives up on an email after the last attempt', async () => {
    const organization = await server().organization()
    const to = newAddress()
    mails.refuse({ code: 451, message: 'too busy' })
    await queueMailFor(organization, { ...SAMPLE_MAIL, to })
    for (let attempt = 1; attempt < MAX_ATTEMPTS; attempt += 1) {
      await expect.poll(async () => (await waitingMails(organization))[0]?.attempts).toBe(attempt)
      await letMailsBeTried(server().database, organization.id)
    }
    await expect.poll(async () => waitingMails(organization)).toEqual([])
    expect(mails.received(to)).toEqual([])
  })

  it('gives up on an email immediately after a permanent failure', async () => {
    const organization = await server().organization()
    const to = newAddress()
    mails.refuse({ code: 550, message: 'no such user' })
    await queueMailFor(organization, { ...SAMPLE_MAIL, to })
    await expect.poll(async () => waitingMails(organization)).toEqual([])
    expect(mails.received(to)).toEqual([])
  })
})

describe('emails of a deactivated organization', () => {
  it("holds a deactivated organization's emails until reactivation without delaying other organizations", async () => {
    const [organization, other] = [await server().organization(), await server().organization()]
    await organization.owner.call('POST', '/realm/deactivate')
    const waits = Array.from({ length: 30 }, newAddress)
    for (const to of waits) await queueMailFor(organization, { ...SAMPLE_MAIL, to })
    const to = newAddress()
    await queueMailFor(other, { ...SAMPLE_MAIL, to })
    await mails.next(to)
    expect(waits.flatMap((waiter) => mails.received(waiter))).toEqual([])
    expect((await waitingMails(organization)).map(({ attempts }) => attempts)).toEqual(waits.map(() => 0))
    await (await server().parley.logs.of(organization.id)).write(reactivateOrganization)
    for (const waiter of waits) await mails.next(waiter)
  })
})

it("sends one person's emails in order without blocking other organizations", async () => {
  const [busy, other] = [await server().organization(), await server().organization()]
  const people = Array.from({ length: 40 }, newAddress)
  const [often, to] = [newAddress(), newAddress()]
  const held = mails.holding()
  for (const [index, person] of [often, often, ...people].entries())
    await queueMailFor(busy, { ...SAMPLE_MAIL, to: person, subject: `${index}` })
  await expect.poll(held.count).toBe(CONCURRENCY_LIMITS.maxUnitsPerOrganization)
  await queueMailFor(other, { ...SAMPLE_MAIL, to })
  await expect.poll(held.count).toBe(CONCURRENCY_LIMITS.maxUnitsPerOrganization + 1)
  held.goOn()
  await mails.next(to)
  for (const person of people) await mails.next(person)
  expect([await mails.next(often), await mails.next(often)].map(({ headers }) => headers['subject'])).toEqual([
    '0',
    '1',
  ])
})

describe('email delivery by several processes', () => {
  it('resends an email under the same message ID after a crash', async () => {
    const organization = await server().organization()
    const to = newAddress()
    const held = mails.holding()
    await queueMailFor(organization, { ...SAMPLE_MAIL, to })
    await expect.poll(held.count).toBe(1)
    // Restores the row as it was before the answer, as if the process had died then.
    const { rows } = await server().parley.database.pool.query<Record<string, unknown>>(
      'select * from outgoing_mails where organization_id = $1',
      [organization.id],
    )
    expect(rows).toMatchObject([{ attempts: 1 }])
    held.goOn()
    const first = await mails.next(to)
    await expect.poll(async () => waitingMails(organization)).toEqual([])
    await insertMailRow(rows[0] ?? {})
    await letMailsBeTried(server().database, organization.id)
    const second = await mails.next(to)
    expect(second.headers['message-id']).toBe(first.headers['message-id'])
    expect(linkIn(second)).toBe(linkIn(first))
  })

  it('drops an email if the process crashed during the last attempt to send it', async () => {
    const organization = await server().organization()
    const to = newAddress()
    const { pool } = server().parley.database
    await pool.query(
      `insert into outgoing_mails (organization_id, id, recipient, language, subject, paragraphs, closing, created_at, attempts, attempt_at)
       values ($1, 1000000, $2, 'en', 'x', '{}', '{}', 0, $3, 1)`,
      [organization.id, to, MAX_ATTEMPTS],
    )
    await expect.poll(async () => waitingMails(organization)).toEqual([])
    expect(mails.received(to)).toEqual([])
  })

  it('sends each email only once even if two servers run', async () => {
    const other = await startTestServerOn(server().database, SMTP_SETTINGS, { shared: true })
    const organization = await server().organization()
    const people = Array.from({ length: 20 }, newAddress)
    await Promise.all(people.map(async (to) => queueMailFor(organization, { ...SAMPLE_MAIL, to })))
    await expect.poll(async () => waitingMails(organization), { timeout: 10_000 }).toEqual([])
    await other.close()
    expect(people.map((to) => mails.received(to).length)).toEqual(people.map(() => 1))
  })
})

it('refuses more pending emails than the limit', async () => {
  const organization = await server().organization()
  await fillMailQueue(server(), organization.id, 1)
  await queueMailFor(organization, { ...SAMPLE_MAIL, to: newAddress() })
  await expect.poll(async () => (await waitingMails(organization)).length).toBe(OUTGOING_MAIL_LIMIT.most - 1)
  mails.refuse({ code: 451, message: 'later' })
  await queueMailFor(organization, { ...SAMPLE_MAIL, to: newAddress() })
  await expect(queueMailFor(organization, { ...SAMPLE_MAIL, to: newAddress() })).rejects.toMatchObject({
    code: 'BAD_REQUEST',
  })
  expect(await waitingMails(organization)).toHaveLength(OUTGOING_MAIL_LIMIT.most)
})

it("logs an email's link in one line if there is no mail server", async () => {
  const before = await startTestServer()
  const organization = await before.organization()
  await before.parley.close()
  const lines: Record<string, unknown>[] = []
  const sink = new Writable({
    write(chunk: Buffer, _encoding, done) {
      lines.push(parseObject(chunk.toString('utf8')))
      done()
    },
  })
  const config = readConfig({ PORT: '0', PARLEY_ROOT_DOMAIN: 'parley.test', PARLEY_DATA_DIR: '/nowhere' })
  const logger = pino({ level: 'warn', base: null }, sink)
  const quiet = await serve(openStore(before.database, config, logger, { shared: false }), config, logger)
  await queueMailFor(organization, { ...SAMPLE_MAIL, to: 'ann@example.org' }, quiet)
  await expect
    .poll(() => lines)
    .toMatchObject([
      {
        to: 'ann@example.org',
        subject: 'Grüße an Ann',
        link: `${quiet.url.replace('127.0.0.1', organization.host)}/somewhere#`,
        msg: 'email not sent: PARLEY_SMTP_URL is not set',
      },
    ])
  await quiet.close()
})

async function insertMailRow(row: Record<string, unknown>): Promise<void> {
  const client = new pg.Client(server().database)
  await client.connect()
  const names = Object.keys(row)
  await client.query(
    `insert into outgoing_mails (${names.join()}) values (${names.map((_, index) => `$${index + 1}`).join()})`,
    Object.values(row),
  )
  await client.end()
}
