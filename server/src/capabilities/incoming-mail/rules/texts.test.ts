import { describe, expect, it } from 'vitest'
import { dropReason, type AddressOption } from './index.ts'
import { textToPost, topicFromSubject } from './texts.ts'

type Headers = Readonly<Record<string, string>>

const headerList = (headers: Headers) =>
  Object.entries(headers).map(([key, value]) => ({ key: key.toLowerCase(), value }))

const textShown = (subject: string, text: string, headers: Headers = {}, ...options: AddressOption[]) =>
  textToPost({ subject, text, headers: headerList(headers) }, new Set(options))

const REPLY_HEADERS = { 'In-Reply-To': '<1@x>', References: '<1@x>' }

const GMAIL_FORWARD =
  '---------- Forwarded message ---------\nFrom: Ann <a@b.c>\nDate: Mon\nSubject: Plans\n\nText\n-- \nAnn'
const OUTLOOK_HEADERS = 'Von: Ann <a@b.c>\nGesendet: Montag\nAn: Zoe\n\nText\n-- \nAnn'
const NORWEGIAN_HEADERS = 'Fra: Ann <a@b.c>\nSendt: mandag\nTil: Zoe\nEmne: Planer\n\nText\n-- \nAnn'
const UNLISTED_LANGUAGE_HEADERS = 'Mula kay: Ann <a@b.c>\nIpinadala: Lunes\nPara kay: Zoe\n\nText\n-- \nAnn'
const SWEDISH_HEADERS = 'Från: Ann <a@b.c>\nSkickat: måndag\nTill: Zoe\nÄmne: Planer\n\nText\n-- \nAnn'
const JAPANESE_HEADERS = '差出人: Ann <a@b.c>\n日付: 2026/11/23\n宛先: Zoe\n件名: Plans\n\nText\n-- \nAnn'
const APPLE_QUOTE = '> From: Ann <a@b.c>\n> Subject: Plans\n> \n> Text'
const ATTACHED_EMAIL = '-------------\nFrom:    a@b.c\nSubject: Plans\n-------------\n\nText\n-- \nAnn'
const LOTUS_FORWARD =
  '----- Forwarded by Ann Lee/ACME on 11/23/2026 10:00 AM -----\n\nFrom:\tBob/ACME\nTo:\tAnn Lee/ACME\nDate:\t11/22\n\nText'

describe('forwarded emails', () => {
  it.each([
    ['Fwd: Plans', GMAIL_FORWARD],
    ['Please look', GMAIL_FORWARD],
    ['Plans', GMAIL_FORWARD.replace(/^-/, '\\-').replace(/From: Ann/, 'From: **Ann**')],
    ['WG: Plans', OUTLOOK_HEADERS],
    ['Fwd: Plans', `-----Original Message-----\n${OUTLOOK_HEADERS}`],
    ['Fwd: Plans', `Begin forwarded message:\n\n${APPLE_QUOTE}`],
    ['Plans', `Anfang der weitergeleiteten Nachricht:\n\n${APPLE_QUOTE}`],
    ['Fwd: Plans', APPLE_QUOTE],
    ['Fwd: Re: Plans', `On Mon, Ann wrote:\n${APPLE_QUOTE}`],
    ['[EXTERNAL] Fwd: Plans', OUTLOOK_HEADERS],
    ['(External) FW: Plans', OUTLOOK_HEADERS],
    ['[EXT] Fwd: Plans', OUTLOOK_HEADERS],
    ['[team] [EXT] Fwd: Plans', OUTLOOK_HEADERS],
    ['***SPAM*** Fwd: Plans', APPLE_QUOTE],
    ['External: Forwarded: Plans', OUTLOOK_HEADERS],
    ['TR : Plans', OUTLOOK_HEADERS],
    ['VS: Plans', NORWEGIAN_HEADERS],
    ['VS: Plans', APPLE_QUOTE],
    ['转发：Plans', OUTLOOK_HEADERS],
    ['轉寄: Plans', UNLISTED_LANGUAGE_HEADERS],
    ['転送: Plans', OUTLOOK_HEADERS],
    ['전달: Plans', OUTLOOK_HEADERS],
    ['İLT: Plans', OUTLOOK_HEADERS],
    ['Plans (fwd)', OUTLOOK_HEADERS],
    ['Plans', ATTACHED_EMAIL],
    ['Fw: Plans', LOTUS_FORWARD],
    ['Plans', LOTUS_FORWARD],
    ['Re: Plans', LOTUS_FORWARD],
    ['Please look', `-----Original Message-----\n${OUTLOOK_HEADERS}`],
    ['Please look', OUTLOOK_HEADERS],
    ['Please look', UNLISTED_LANGUAGE_HEADERS],
    ['Tuma: Plans', UNLISTED_LANGUAGE_HEADERS],
    ['Plans', `Vidarebefordrat brev:\n\n${APPLE_QUOTE}`],
    ['VB: Plans', `${'_'.repeat(32)}\n${SWEDISH_HEADERS}`],
    ['Plans', `転送されたメッセージ：\n\n${APPLE_QUOTE}`],
    ['Plans', `-------- 転送メッセージ --------\n${JAPANESE_HEADERS}`],
  ])('keeps the full text of an email forwarded with the subject %j', (subject, forwarded) => {
    for (const headers of [{}, REPLY_HEADERS]) {
      expect(textShown(subject, `FYI\n\n${forwarded}`, headers)).toBe(`FYI\n\n${forwarded}`)
      expect(textShown(subject, `FYI\n\n-- \nZoe\n+49 123\n\n${forwarded}`, headers)).toBe(`FYI\n\n${forwarded}`)
    }
  })

  it('keeps forwarded text that only the subject or the headers mark as forwarded', () => {
    expect(textShown('Fwd: Plans', 'Text\n-- \nAnn')).toBe('Text\n-- \nAnn')
    expect(textShown('Fwd:', '')).toBe('')
    for (const name of ['X-Forwarded-Message-Id', 'Resent-From'])
      expect(textShown('Re: Plans', `FYI\n\n${APPLE_QUOTE}`, { ...REPLY_HEADERS, [name]: 'x' })).toBe(
        `FYI\n\n${APPLE_QUOTE}`,
      )
  })

  it.each([
    ['Re: Fwd: Plans', OUTLOOK_HEADERS],
    ['Re: Plans', `-----Original Message-----\n${OUTLOOK_HEADERS}\n\n${GMAIL_FORWARD}`],
    ['Re: Plans', `On Mon, Ann wrote:\n> ${GMAIL_FORWARD.replaceAll('\n', '\n> ')}`],
    ['[EXT] RE: Fwd: Plans', NORWEGIAN_HEADERS],
    ['(External) AW: Plans', OUTLOOK_HEADERS],
    ['RE[2]: Plans', OUTLOOK_HEADERS],
    ['Antw: Plans', OUTLOOK_HEADERS],
    ['Vá: Plans', OUTLOOK_HEADERS],
    ['R: Plans', OUTLOOK_HEADERS],
    ['Odp: Plans', OUTLOOK_HEADERS],
    ['Ответ: Plans', `23.11.2026, Ann пишет:\n${APPLE_QUOTE}`],
    ['回复：Plans', 'On Mon, Ann 写道：\n> No?'],
    ['返信: Plans', OUTLOOK_HEADERS],
    ['RE: Plans', JAPANESE_HEADERS],
    ['SV: Plans', `${'_'.repeat(32)}\n${SWEDISH_HEADERS}`],
    ['RE: Plans', `* * *\n\n${OUTLOOK_HEADERS}`],
    ['Re: Plans', '2026年11月23日(月) 10:00 Ann Lee <a@b.c>:\n\n> No?'],
    ['답장: Plans', OUTLOOK_HEADERS],
  ])('strips the quote from a reply with the subject %j', (subject, quote) => {
    for (const headers of [{}, REPLY_HEADERS]) {
      expect(textShown(subject, `Yes.\n\n${quote}`, headers)).toBe('Yes.')
      expect(textShown(subject, `Yes.\n\n-- \nZoe\n\n${quote}`, headers)).toBe('Yes.')
    }
  })
})

describe('email replies', () => {
  it.each([
    ['Yes.\n\nOn Mon, Ann wrote:\n> No?\n', 'Yes.'],
    ['Yes.\n\n> No?', 'Yes.'],
    ['Ja.\n\nAm 23.11.2026 um 10:00 schrieb Ann <a@b.c>:\n\n> Nein?\n> Doch.', 'Ja.'],
    ['Ja.\n\nAm 23.11.2026 um 10:00 schrieb Ann\n<a@b.c>:\n\n> Nein?', 'Ja.'],
    ['Yes.\n\nOn Mon, Nov 23, 2026 at 10:00 Ann <\na@b.c> wrote:\n\n> No?', 'Yes.'],
    ['Yes, at 10.\n\nAnn <a@b.c> wrote:\n> No?', 'Yes, at 10.'],
    ['Yes.\n\nSee 2 notes:\n> No?', 'Yes.\n\nSee 2 notes:'],
    ['> No?\n\nYes, in between.\n\n> And?\n\nAnd below.', '> No?\n\nYes, in between.\n\n> And?\n\nAnd below.'],
    ['Yes.\n\nOn 11/23/26, Ann wrote:\n> No?\n\n-- \nZoe', 'Yes.'],
    [
      'Yes.\n\nOn 11/23/26, Ann wrote:\n> No?\n\nReally.\n\n-- \nZoe',
      'Yes.\n\nOn 11/23/26, Ann wrote:\n> No?\n\nReally.',
    ],
    ['> only quoted', '> only quoted'],
    ['> only quoted\n\n-- \nZoe', '> only quoted'],
    ['From: here to there.\nNothing is quoted.', 'From: here to there.\nNothing is quoted.'],
    ['From: here\nTo: there\n\nNothing is quoted.', 'From: here\nTo: there\n\nNothing is quoted.'],
    ['', ''],
  ])('strips the quote at the end of the reply %j', (text, expected) => {
    expect(textShown('Re: Plans', text)).toBe(expected)
    expect(textShown('Plans', text, REPLY_HEADERS)).toBe(expected)
  })

  it.each([
    ['Yes.\n\n-----Original Message-----\nFrom: Ann\nNo?'],
    ['Yes.\n\nVon: Ann <a@b.c>\nGesendet: Montag\nAn: Zoe\n\nNein?'],
    ['Yes.\n\n**From:** Ann <a@b.c>\n\n**Sent:** Monday\n\n**To:** Zoe\n\nNo?'],
  ])('strips a quote that starts with email headers: %j', (text) => {
    expect(textShown('Re: Plans', text)).toBe('Yes.')
  })

  it.each<[string, Record<string, string>]>([
    ['Build failed', {}],
    ['Forward: march', {}],
    ['Regarding: Plans', {}],
    ['Build failed', { 'Auto-Submitted': 'auto-generated', ...REPLY_HEADERS }],
  ])('keeps the quotes of an email with the subject %j that is not a reply', (subject, headers) => {
    for (const text of [
      'Log:\n\n> make: *** [all]\n> Error 1',
      `Report of Ann:\n${OUTLOOK_HEADERS.slice(0, -8)}`,
      APPLE_QUOTE,
    ])
      expect(textShown(subject, text, headers)).toBe(text)
  })

  it.each(['Forwarded messages look like this:', 'Weitergeleitet von Ann, bitte prüfen:', 'Videresendt til dere:'])(
    'does not mistake the sentence %j for the title line of a forwarded email',
    (sentence) => {
      for (const headers of [{}, REPLY_HEADERS]) {
        expect(textShown('Plans', `${sentence}\n\nText\n-- \nAnn`, headers)).toBe(`${sentence}\n\nText`)
        expect(textShown('Re: Plans', `${sentence}\n\nText\n\n${SWEDISH_HEADERS}`, headers)).toBe(`${sentence}\n\nText`)
      }
    },
  )

  it("includes an email's quotes and signature if the channel address asks for them", () => {
    const text = 'Yes.\n\n-- \nZoe\n\nOn Mon, Ann wrote:\n> No?'
    expect(textShown('Re: Plans', text, {}, 'include-quotes')).toBe('Yes.\n\nOn Mon, Ann wrote:\n> No?')
    expect(textShown('Re: Plans', text, {}, 'include-footer')).toBe('Yes.\n\n-- \nZoe')
    expect(textShown('Re: Plans', text, {}, 'include-footer', 'include-quotes')).toBe(text)
    const below = 'Yes.\n\nOn Mon, Ann wrote:\n> No?\n\n-- \nZoe'
    expect(textShown('Re: Plans', below, {}, 'include-quotes')).toBe('Yes.\n\nOn Mon, Ann wrote:\n> No?')
    expect(textShown('Re: Plans', below, {}, 'include-footer')).toBe('Yes.\n\n-- \nZoe')
    expect(textShown('Re: Plans', below, {}, 'include-footer', 'include-quotes')).toBe(below)
  })

  it.each([
    ['Yes.\n-- \nZoe', 'Yes.'],
    ['Yes.\n--\nZoe', 'Yes.'],
    ['Yes.\n\n\\--\n\nZoe', 'Yes.'],
    ['a -- b\n---\nc', 'a -- b\n---\nc'],
    ['-- \nZoe', '-- \nZoe'],
  ])('strips the signature from %j', (text, expected) => {
    expect(textShown('Plans', text)).toBe(expected)
  })

  it('strips a signature from an automatic email only after the standard delimiter', () => {
    const headers = { 'Auto-Submitted': 'auto-generated' }
    expect(textShown('Cron', 'one\n--\ntwo\n--\nthree', headers)).toBe('one\n--\ntwo\n--\nthree')
    expect(textShown('Cron', 'one\n-- \nCron', headers)).toBe('one')
  })

  it.each([
    ['Re: AW:  Fwd: Plans', 'Plans'],
    ['RE[2]: Plans', 'Plans'],
    ['[EXT] RE: (External) FW: Plans', 'Plans'],
    ['[team] Re: Plans', '[team] Plans'],
    ['Re: [team] AW: Plans', '[team] Plans'],
    ['TR : 転送：VS: Plans', 'Plans'],
    ['[build] Failed: main', '[build] Failed: main'],
    ['Regarding: Plans', 'Regarding: Plans'],
    ['Re:', 'Email without a subject'],
    ['A\r\nBcc: all\0', 'A Bcc: all'],
    ['\u202Egnp.exe\u200B', 'gnp.exe'],
    ['é'.repeat(80), `${'é'.repeat(59)}…`],
    [`Re: ✔ ${'é'.repeat(60)}`, `✔ ${'é'.repeat(60)}`],
  ])('reads the topic from the subject %j', (subject, expected) => {
    expect(topicFromSubject(subject)).toBe(expected)
  })
})

describe('automatic emails', () => {
  const reasonFor = (headers: Headers, subject = 'News', sender = 'zoe@x.org', fromAddress = 'zoe@x.org') =>
    dropReason({ subject, fromAddress, headers: headerList(headers) }, sender)

  it.each([
    'Automatic reply: Plans',
    'Out of Office: Plans',
    'Automatische Antwort: Plans',
    'Abwesenheitsnotiz: Plans',
    'Réponse automatique : Plans',
    'Respuesta automática: Plans',
    'Risposta automatica: Plans',
    'Resposta automática: Plans',
    'Automatisch antwoord: Plans',
    'Autosvar: Plans',
    'Automatiskt svar: Plans',
    'Automaattinen vastaus: Plans',
    'Odpowiedź automatyczna: Plans',
    'Автоматический ответ: Plans',
    'Otomatik yanıt: Plans',
    '自动答复: Plans',
    '自動回覆：Plans',
    '自動応答: Plans',
    '자동 회신: Plans',
  ])('drops an email with the subject %j only if a program sent it', (subject) => {
    for (const sender of ['zoe@x.org', ''])
      expect(reasonFor({ 'Auto-Submitted': 'auto-generated' }, subject, sender)).toBe('automatic reply')
    for (const headers of [{}, { 'Auto-Submitted': 'no' }]) expect(reasonFor(headers, subject)).toBeUndefined()
  })

  it.each<[Headers]>([
    [{ 'Auto-Submitted': 'auto-replied' }],
    [{ 'X-Autoreply': 'yes' }],
    [{ 'X-Autorespond': 'Vacation' }],
  ])('drops an automatic reply with the headers %j', (headers) => {
    for (const sender of ['zoe@x.org', '']) expect(reasonFor(headers, 'News', sender)).toBe('automatic reply')
  })

  it.each<[Headers, string?]>([
    [{}],
    [{ 'Auto-Submitted': 'no' }],
    [{ 'Auto-Submitted': 'auto-generated', 'Content-Type': 'multipart/report; boundary="x"' }],
    [{ 'Auto-Submitted': 'auto-generated', 'X-Failed-Recipients': 'ann@x.org' }],
    [{ 'Auto-Submitted': 'auto-generated' }, 'MAILER-DAEMON@x.org'],
  ])('drops a bounce with no sender and with the headers %j', (headers, fromAddress) => {
    expect(reasonFor(headers, 'News', '', fromAddress)).toBe('bounce')
  })

  it.each<[Headers, string?]>([
    [{ 'Auto-Submitted': 'auto-generated' }],
    [{ 'Auto-Submitted': 'auto-generated (cron)' }, 'Automatic reply rates'],
    [{ 'Auto-Submitted': 'auto-notified' }],
    [{ 'Auto-Submitted': 'auto-generated', 'Content-Type': 'multipart/report; report-type=tlsrpt; boundary="x"' }],
    [{ 'Auto-Submitted': 'auto-generated', 'X-Autoreply': 'no' }, 'Fwd: Automatic reply: News'],
  ])('posts an automatic email with the headers %j, with or without a sender', (headers, subject) => {
    for (const sender of ['zoe@x.org', '']) expect(reasonFor(headers, subject, sender)).toBeUndefined()
  })

  it('posts an email whose headers declare that it is not automatic', () => {
    const denied = { 'X-Autoreply': 'no', 'X-Autorespond': 'No', 'X-Mail-Autoreply': 'false', 'Auto-Submitted': 'no' }
    expect(reasonFor(denied)).toBeUndefined()
  })
})
