import type { SendMailOptions } from 'nodemailer'
import { describe, expect, it } from 'vitest'
import { readMail } from '../../platform/mail/reading.ts'
import { useMailServer } from '../../testing/mail-server.ts'
import { useTestServer } from '../../testing/server.ts'
import { watch } from '../../testing/watch.ts'
import {
  addressFor,
  newestContent,
  UNKNOWN_ADDRESS,
  channelIdOf,
  messagesIn,
  createSceneOn,
  send as sendTo,
  INCOMING_MAIL_SETTINGS,
  type Scene,
} from './testing/scene.ts'
import type { SmtpAnswer } from './testing/sending.ts'

const mails = await useMailServer()
const server = useTestServer({ ...INCOMING_MAIL_SETTINGS, PARLEY_SMTP_URL: mails.url })

const createScene = async (): Promise<Scene> => createSceneOn(server())
const send = async (mail: SendMailOptions): Promise<SmtpAnswer> => sendTo(server(), mail)

describe('hostile emails', () => {
  it('does not attribute an email to the account in its From header', async () => {
    const { owner, ann, channel } = await createScene()
    const to = await addressFor(ann, channel)
    const headers = { Sender: owner.email, 'Reply-To': owner.email, 'X-Sender': owner.email }
    await send({ to, from: owner.email, headers, text: 'Trust me' })
    const [message] = (await messagesIn(owner, channel)).slice(-1)
    expect(message).toMatchObject({ content: 'Trust me', sender_full_name: 'Notification Bot' })
    expect(JSON.stringify(message)).not.toContain(owner.email)
    await send({ to: to.replace('@', '+show-sender@'), from: `"@**all** ${owner.email}" <${owner.email}>`, text: 'x' })
    const queue = (await messagesIn(ann, channel)).slice(-1)
    expect(queue).toMatchObject([{ sender_full_name: 'Notification Bot', flags: [] }])
  })

  it("strips scripts and script URLs from an email's HTML", async () => {
    const { owner, ann, channel } = await createScene()
    const to = await addressFor(owner, channel)
    const html =
      '<a href="javascript:alert(1)">one</a> <a href=" jAvAscript&#58;alert(1)">two</a> <a href="data:text/html,<script>">three</a>' +
      '<svg onload="alert(1)"><script>alert(1)</script></svg><iframe src="https://evil.example"></iframe>' +
      '&lt;script&gt;alert(2)&lt;/script&gt; <img src=x onerror="alert(1)" alt="&lt;img src=x onerror=alert(3)&gt;">' +
      '<p title="x" onclick="alert(1)">four</p><style>@import "https://evil.example"</style>'
    await send({ to, html, text: '' })
    const { messages } = await ann.call('GET', '/messages', { anchor: 'newest', num_before: 1, num_after: 0 })
    const rendered = String(messages[0]?.['content'])
    expect(rendered).toContain('four')
    expect(rendered).not.toMatch(/<(?:script|svg|iframe|img|style)|href="(?!http)|<[^>]*\son\w+=/i)
  })

  it.each<[string, string]>([
    ['an unterminated part', 'Content-Type: multipart/mixed; boundary=b\r\n\r\n--b\r\n\r\nwords of it\r\n'],
    ['an unknown charset', 'Content-Type: text/plain; charset=nonsense-8\r\n\r\nwords of it\r\n'],
    ['a broken encoding', 'Content-Transfer-Encoding: base64\r\n\r\nd29yZHMgb2YgaXQ=\r\n===!!\r\n'],
    ['no header', '\r\nwords of it\r\n'],
    ['invalid UTF-8', 'Content-Type: text/plain; charset=utf-8\r\n\r\nwords of it\xff\xfe\x00\xc3\r\n'],
  ])('reads as much as possible of an email with %s', async (_, raw) => {
    const { owner, ann, channel } = await createScene()
    const to = await addressFor(owner, channel)
    const envelope = { from: 'zoe@example.org', to }
    expect((await send({ envelope, raw: Buffer.from(raw, 'latin1') })).code).toBe(250)
    expect(await newestContent(ann, channel)).toContain('words of it')
  })

  it('decodes an email in its declared charset', async () => {
    const { owner, ann, channel } = await createScene()
    const envelope = { from: 'zoe@example.org', to: await addressFor(owner, channel) }
    const sendAndRead = async (subject: string, charset: string, text: string): Promise<unknown> => {
      const raw = `Subject: ${subject}\r\nContent-Type: text/plain; charset=${charset}\r\n\r\n${text}\r\n`
      expect((await send({ envelope, raw: Buffer.from(raw, 'latin1') })).code).toBe(250)
      return (await messagesIn(ann, channel)).at(-1)
    }
    const smart = { subject: '“Smart” € 5', content: '“Smart” € 5' }
    for (const charset of ['windows-1252', 'iso-8859-1', 'us-ascii', 'cp1252'])
      expect(await sendAndRead(`=?${charset}?Q?=93Smart=94_=80_5?=`, charset, '\x93Smart\x94 \x80 5')).toMatchObject(
        smart,
      )
    const chinese = { subject: '中文', content: '中文' }
    expect(await sendAndRead('=?gb2312?B?1tDOxA==?=', 'gb2312', '\xd6\xd0\xce\xc4')).toMatchObject(chinese)
    const composed = { subject: 'Café', content: 'Cafe\u0301' }
    expect(await sendAndRead('=?utf-8?Q?Cafe=CC=81?=', 'utf-8', 'Cafe\xcc\x81')).toMatchObject(composed)
    const russian = { subject: 'Да', content: 'Да' }
    expect(await sendAndRead('=?koi8-r?Q?=E4=C1?=', 'koi8-r', '\xe4\xc1')).toMatchObject(russian)
    expect(await sendAndRead('\xe4\xc1', 'koi8-r', '\xe4\xc1')).toMatchObject(russian)
    const utf8 = Buffer.from('Да').toString('latin1')
    for (const charset of ['us-ascii', 'utf-8']) expect(await sendAndRead(utf8, charset, utf8)).toMatchObject(russian)
    expect(await sendAndRead(utf8, 'koi8-r', '\xe4\xc1')).toMatchObject(russian)
    expect(await sendAndRead('\x93Smart\x94 \x80 5', 'utf-8', '\x93Smart\x94 \x80 5')).toMatchObject(smart)
  })

  it.each<[string, string, string, BufferEncoding?]>([
    ['in a meta element', 'text/html', '<meta charset="windows-1252">'],
    ['in a long meta element', 'text/html', '<meta http-equiv=Content-Type content="text/html; charset=windows-1252">'],
    ['nowhere in HTML', 'text/html', '<p>'],
    ['nowhere in plain text', 'text/plain', ''],
    ['as ASCII', 'text/html; charset=us-ascii', '<meta charset="windows-1252">'],
    ['as UTF-16 in a meta element of UTF-8', 'text/html', '<meta charset=utf-16>', 'utf8'],
  ])('decodes an email whose charset is declared %s', async (_what, type, before, encoding = 'latin1') => {
    const words = encoding === 'utf8' ? '“Smart” € 5' : '\x93Smart\x94 \x80 5'
    const head = `Subject: ${words}\r\nContent-Type: ${type}\r\nContent-Transfer-Encoding: base64\r\n\r\n`
    const body = Buffer.from(`${before}${words}\r\n`, encoding).toString('base64')
    const read = await readMail({ bytes: Buffer.from(head + body, encoding), prefersHtml: false, maxFiles: 1 }, 60)
    expect([read.subject, read.text.trim()]).toEqual(['“Smart” € 5', '“Smart” € 5'])
  })

  it('omits hidden HTML content of an email', async () => {
    const hidden = [
      'display:none',
      'DISPLAY: None !important; mso-hide: all',
      'color:#fff;max-height:0px;overflow:hidden',
      'font-size:0',
      'font-size:0.0px; line-height:1px',
      'opacity: 0.0',
      'visibility:hidden',
      'height:0;overflow:hidden',
      'font-size:1px;line-height:1px;color:#fff',
      'font:1px/1px Arial',
      'width:0px;max-width:0;overflow:hidden',
      'height:1px;width:1px;overflow:hidden;clip:rect(0 0 0 0)',
      'position:absolute;left:-9999px',
      'position:absolute; top: -10000px',
      'text-indent:-9999px',
      'width:0;max-width:600px;overflow:hidden',
      'display:none !important;display:block',
      '/* preview */ display:none',
      'font:14px Arial;font-size:0',
      'font:700 0/0 Arial',
    ].map((style, n) =>
      ['div', 'p', 'span'].map((tag) => `<${tag} style="${style}">hidden${n}<b>!</b></${tag}>`).join(''),
    )
    const shown = [
      '<div style="font-size:0px"><p style="font-size:14px">Gap</p></div>',
      '<p style="mso-hide:all">Button</p>',
      '<p style="opacity:0.05;max-height:10px;font-size:0.5em">Small</p>',
      '<p style="display:block">Block</p>',
      '<table style="font-size:1px"><tr><td class="words">Cell</td></tr></table>',
      '<div style="font-size:0"><span style="font:14px/18px Arial">Font</span></div>',
      '<div style="width:0;left:-5px;text-indent:-20px">Narrow</div>',
      '<p class="narrow">Desktop</p>',
      '<p class="outlook">Others</p>',
      '<div class="preheader" style="display:block !important">Inline</div>',
      '<p class="preheader-footer">Footer</p>',
      '<div style="width:0;height:0">Overflowing</div>',
      '<div style="mso-hide:all;max-height:0">Tall</div>',
      '<div style="width:1px;min-width:100%;overflow:hidden">Wide</div>',
      '<div style="left:-9999px">Static</div>',
      '<div style="font-size:0;font:14px Arial">Shorthand</div>',
      '<p class="later earlier">Later</p>',
      '<p class="class" id="last">Id</p>',
      '<P CLASS="note2 class">Tag</P>',
      '<p class="narrow-window">Window</p>',
      '<p class="commented">Comment</p>',
    ]
    const styles =
      '<!--[if mso]><style>.outlook{display:none}</style><![endif]-->' +
      '<!-- <style>.commented{display:none}</style> --><style media="only screen and (max-width:480px)">.narrow-window{display:none}</style>' +
      '<style media="screen">.earlier{display:none} #last{display:block} P.note2{display:block}</style>' +
      '<style media=all>.later{display:block} .class{display:none} .note3{display:block} .note4{display:none}</style>' +
      '<style type="text/css">/* .words{display:none} */ @import url(x.css); .words , .other{font-size:14px}' +
      '@media (max-width: 600px) { .narrow{display:none} .words{display:none!important} }' +
      'span.preheader, .preheader{DISPLAY:none} #preview{font-size:1px} p.note{display:none} td .words{display:none}</style>'
    const classes =
      '<div class="x preheader">hidden</div><span id="preview">hidden</span><p class="note">hidden</p><p class="note4 note3">hidden</p>'
    const html = `${styles}${classes}${hidden.join('')}<table><tr><td style="display:none">hidden</td></tr></table><p hidden>hidden</p><img style="display:none" alt="hidden" src="x">${shown.join('')}`
    const bytes = Buffer.from(`Content-Type: text/html\r\n\r\n${html}\r\n`)
    const { text: content } = await readMail({ bytes, prefersHtml: false, maxFiles: 1 }, 60)
    expect(content).not.toContain('hidden')
    expect(content.split(/\W+/).filter(Boolean)).toEqual(
      'Gap Button Small Block Cell Font Narrow Desktop Others Inline Footer Overflowing Tall Wide Static Shorthand Later Id Tag Window Comment'.split(
        ' ',
      ),
    )
  })

  it('reads an email with a hostile style sheet within the time limit', async () => {
    const sheet = `<style>${'.a,'.repeat(40_000)}b{top:0}</style>${'<style'.repeat(8_000)}`
    const bytes = Buffer.from(`Content-Type: text/html\r\n\r\n<p class="a">Words</p>${sheet}\r\n`)
    expect(await readMail({ bytes, prefersHtml: false, maxFiles: 1 }, 10)).toMatchObject({ text: 'Words' })
  })

  it("strips line breaks and control characters from an email's subject", async () => {
    const { owner, ann, channel } = await createScene()
    const envelope = { from: 'zoe@example.org', to: await addressFor(owner, channel) }
    const subject = '=?utf-8?Q?A=0D=0ABcc:_everybody=00=E2=80=AE?='
    await send({ envelope, raw: `Subject: ${subject}\r\nFrom: =?utf-8?Q?Z=0D=0A?= <zoe@example.org>\r\n\r\nx\r\n` })
    expect((await messagesIn(ann, channel)).at(-1)).toMatchObject({ subject: 'A Bcc: everybody', content: 'x' })
  })

  it('temporarily rejects an email that takes too long to parse', async () => {
    const order = { bytes: Buffer.from('Subject: Slow\r\n\r\nHello\r\n'), prefersHtml: false, maxFiles: 1 }
    await expect(readMail(order, 0)).rejects.toMatchObject({ responseCode: 451 })
    expect(await readMail(order, 60)).toMatchObject({ subject: 'Slow', text: 'Hello\n' })
  })

  it('rejects an unreadable email permanently and accepts the next email', async () => {
    const { owner, ann, channel } = await createScene()
    const envelope = { from: 'zoe@example.org', to: await addressFor(owner, channel) }
    const before = (await messagesIn(ann, channel)).length
    const deep = Array.from(
      { length: 50 },
      (_, n) => `Content-Type: multipart/mixed; boundary=b${n}\r\n\r\n--b${n}\r\n`,
    )
    expect(await send({ envelope, raw: `${deep.join('')}\r\nx\r\n` })).toEqual({
      code: 554,
      words: 'This email cannot be read',
    })
    // Parsing takes seconds on a busy machine, so this test raises the time limit.
    const nested = Buffer.from(`Content-Type: text/html\r\n\r\n${'<b>'.repeat(60_000)}x\r\n`)
    await expect(readMail({ bytes: nested, prefersHtml: false, maxFiles: 1 }, 600)).rejects.toMatchObject({
      responseCode: 554,
    })
    expect(await messagesIn(ann, channel)).toHaveLength(before)
    expect((await send({ envelope, raw: 'Subject: x\r\n\r\nx\r\n' })).code).toBe(250)
  })

  it('limits the number of attachments in an email and reports how many were omitted', async () => {
    const { owner, ann, channel } = await createScene()
    const attachments = Array.from({ length: 25 }, (_, n) => ({ filename: `${n}.txt`, content: 'x' }))
    expect((await send({ to: await addressFor(owner, channel), text: 'Files', attachments })).code).toBe(250)
    const content = String(await newestContent(ann, channel))
    expect(content.match(/\/user_uploads\//g)).toHaveLength(20)
    expect(content).toMatch(/\n\(5 more files left out\.\)$/)
  })

  it('drops an email that this server sent and someone forwarded to a channel', async () => {
    const { owner, ann, channel } = await createScene()
    await owner.call('POST', '/invites', { invitee_emails: 'later@example.org', stream_ids: [] })
    const { headers, text } = await mails.next('later@example.org')
    const head = Object.entries(headers).map(([name, value]) => `${name}: ${value}`)
    const envelope = { from: 'zoe@example.org', to: await addressFor(owner, channel) }
    const before = (await messagesIn(ann, channel)).length
    expect((await send({ envelope, raw: `${head.join('\r\n')}\r\n\r\n${text}` })).code).toBe(250)
    expect(await messagesIn(ann, channel)).toHaveLength(before)
  })

  it.each<[string, SendMailOptions]>([
    ['an automatic reply', { headers: { 'Auto-Submitted': 'Auto-Replied (vacation)' } }],
    [
      'an automatic reply from Exchange',
      { subject: 'Automatic reply: News', headers: { 'Auto-Submitted': 'auto-generated' } },
    ],
    ['an automatic reply from an older program', { headers: { Precedence: 'auto_reply' } }],
    ['an automatic reply with a nonstandard header', { headers: { 'X-Autoreply': 'yes' } }],
    ['a bounce', { envelope: { from: '' } }],
    ['a bounce with a sender address', { headers: { 'X-Failed-Recipients': 'ann@example.org' } }],
    ['a bounce report', { headers: { 'Content-Type': 'multipart/report; report-type=delivery-status; boundary="x"' } }],
    ['a read receipt', { headers: { 'Content-Type': 'multipart/report; REPORT-TYPE="disposition-notification"' } }],
    ['a report of an unknown type', { headers: { 'Content-Type': 'multipart/report; boundary="x"' } }],
  ])('accepts and drops %s', async (_, mail) => {
    const { owner, ann, channel } = await createScene()
    const to = await addressFor(owner, channel)
    const envelope = { from: 'zoe@example.org', ...mail.envelope, to }
    const look = await watch({ owner, ann })
    expect((await send({ to, ...mail, envelope })).code).toBe(250)
    expect(await messagesIn(ann, channel)).toEqual([])
    expect(await look()).toEqual({ owner: [], ann: [] })
  })

  it("rejects emails to a private channel while the address's creator is not subscribed", async () => {
    const { owner, ann } = await createScene()
    await owner.subscribe(['secret'], { invite_only: true, principals: [owner.id, ann.id] })
    const secret = await channelIdOf(owner, 'secret')
    const to = await addressFor(ann, secret)
    expect((await send({ to })).code).toBe(250)
    await owner.call('DELETE', '/users/me/subscriptions', { subscriptions: ['secret'], principals: [ann.id] })
    const before = (await messagesIn(owner, secret)).length
    expect(await send({ to })).toEqual(UNKNOWN_ADDRESS)
    expect(await messagesIn(owner, secret)).toHaveLength(before)
    await owner.subscribe(['secret'], { principals: [ann.id] })
    expect((await send({ to })).code).toBe(250)
  })
})
