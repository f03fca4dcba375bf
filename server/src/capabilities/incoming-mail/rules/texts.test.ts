import { describe, expect, it } from 'vitest'
import { dropReason, type AddressOption } from './index.ts'
import { textOf, topicIn } from './texts.ts'

type Headers = Readonly<Record<string, string>>

const listOf = (headers: Headers) => Object.entries(headers).map(([key, value]) => ({ key: key.toLowerCase(), value }))

const shown = (subject: string, text: string, headers: Headers = {}, ...options: AddressOption[]) =>
  textOf({ subject, text, headers: listOf(headers) }, new Set(options))

const IN_THREAD = { 'In-Reply-To': '<1@x>', References: '<1@x>' }

const gmail = '---------- Forwarded message ---------\nFrom: Ann <a@b.c>\nDate: Mon\nSubject: Plans\n\nText\n-- \nAnn'
const outlook = 'Von: Ann <a@b.c>\nGesendet: Montag\nAn: Zoe\n\nText\n-- \nAnn'
const norwegian = 'Fra: Ann <a@b.c>\nSendt: mandag\nTil: Zoe\nEmne: Planer\n\nText\n-- \nAnn'
const unlisted = 'Mula kay: Ann <a@b.c>\nIpinadala: Lunes\nPara kay: Zoe\n\nText\n-- \nAnn'
const swedish = 'Från: Ann <a@b.c>\nSkickat: måndag\nTill: Zoe\nÄmne: Planer\n\nText\n-- \nAnn'
const japanese = '差出人: Ann <a@b.c>\n日付: 2026/11/23\n宛先: Zoe\n件名: Plans\n\nText\n-- \nAnn'
const apple = '> From: Ann <a@b.c>\n> Subject: Plans\n> \n> Text'
const attached = '-------------\nFrom:    a@b.c\nSubject: Plans\n-------------\n\nText\n-- \nAnn'
const lotus =
  '----- Forwarded by Ann Lee/ACME on 11/23/2026 10:00 AM -----\n\nFrom:\tBob/ACME\nTo:\tAnn Lee/ACME\nDate:\t11/22\n\nText'

describe('forwarded emails', () => {
  it.each([
    ['Fwd: Plans', gmail],
    ['Please look', gmail],
    ['Plans', gmail.replace(/^-/, '\\-').replace(/From: Ann/, 'From: **Ann**')],
    ['WG: Plans', outlook],
    ['Fwd: Plans', `-----Original Message-----\n${outlook}`],
    ['Fwd: Plans', `Begin forwarded message:\n\n${apple}`],
    ['Plans', `Anfang der weitergeleiteten Nachricht:\n\n${apple}`],
    ['Fwd: Plans', apple],
    ['Fwd: Re: Plans', `On Mon, Ann wrote:\n${apple}`],
    ['[EXTERNAL] Fwd: Plans', outlook],
    ['(External) FW: Plans', outlook],
    ['[EXT] Fwd: Plans', outlook],
    ['[team] [EXT] Fwd: Plans', outlook],
    ['***SPAM*** Fwd: Plans', apple],
    ['External: Forwarded: Plans', outlook],
    ['TR : Plans', outlook],
    ['VS: Plans', norwegian],
    ['VS: Plans', apple],
    ['转发：Plans', outlook],
    ['轉寄: Plans', unlisted],
    ['転送: Plans', outlook],
    ['전달: Plans', outlook],
    ['İLT: Plans', outlook],
    ['Plans (fwd)', outlook],
    ['Plans', attached],
    ['Fw: Plans', lotus],
    ['Plans', lotus],
    ['Re: Plans', lotus],
    ['Please look', `-----Original Message-----\n${outlook}`],
    ['Please look', outlook],
    ['Please look', unlisted],
    ['Tuma: Plans', unlisted],
    ['Plans', `Vidarebefordrat brev:\n\n${apple}`],
    ['VB: Plans', `${'_'.repeat(32)}\n${swedish}`],
    ['Plans', `転送されたメッセージ：\n\n${apple}`],
    ['Plans', `-------- 転送メッセージ --------\n${japanese}`],
  ])('keeps an email forwarded with the subject %j', (subject, forwarded) => {
    for (const headers of [{}, IN_THREAD]) {
      expect(shown(subject, `FYI\n\n${forwarded}`, headers)).toBe(`FYI\n\n${forwarded}`)
      expect(shown(subject, `FYI\n\n-- \nZoe\n+49 123\n\n${forwarded}`, headers)).toBe(`FYI\n\n${forwarded}`)
    }
  })

  it('keeps forwarded text that only the subject or the headers mark as forwarded', () => {
    expect(shown('Fwd: Plans', 'Text\n-- \nAnn')).toBe('Text\n-- \nAnn')
    expect(shown('Fwd:', '')).toBe('')
    for (const name of ['X-Forwarded-Message-Id', 'Resent-From'])
      expect(shown('Re: Plans', `FYI\n\n${apple}`, { ...IN_THREAD, [name]: 'x' })).toBe(`FYI\n\n${apple}`)
  })

  it.each([
    ['Re: Fwd: Plans', outlook],
    ['Re: Plans', `-----Original Message-----\n${outlook}\n\n${gmail}`],
    ['Re: Plans', `On Mon, Ann wrote:\n> ${gmail.replaceAll('\n', '\n> ')}`],
    ['[EXT] RE: Fwd: Plans', norwegian],
    ['(External) AW: Plans', outlook],
    ['RE[2]: Plans', outlook],
    ['Antw: Plans', outlook],
    ['Vá: Plans', outlook],
    ['R: Plans', outlook],
    ['Odp: Plans', outlook],
    ['Ответ: Plans', `23.11.2026, Ann пишет:\n${apple}`],
    ['回复：Plans', 'On Mon, Ann 写道：\n> No?'],
    ['返信: Plans', outlook],
    ['RE: Plans', japanese],
    ['SV: Plans', `${'_'.repeat(32)}\n${swedish}`],
    ['RE: Plans', `* * *\n\n${outlook}`],
    ['Re: Plans', '2026年11月23日(月) 10:00 Ann Lee <a@b.c>:\n\n> No?'],
    ['답장: Plans', outlook],
  ])('cuts the quote from a reply with the subject %j', (subject, quote) => {
    for (const headers of [{}, IN_THREAD]) {
      expect(shown(subject, `Yes.\n\n${quote}`, headers)).toBe('Yes.')
      expect(shown(subject, `Yes.\n\n-- \nZoe\n\n${quote}`, headers)).toBe('Yes.')
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
  ])('strips the quote at the end: %j', (text, expected) => {
    expect(shown('Re: Plans', text)).toBe(expected)
    expect(shown('Plans', text, IN_THREAD)).toBe(expected)
  })

  it.each([
    ['Yes.\n\n-----Original Message-----\nFrom: Ann\nNo?'],
    ['Yes.\n\nVon: Ann <a@b.c>\nGesendet: Montag\nAn: Zoe\n\nNein?'],
    ['Yes.\n\n**From:** Ann <a@b.c>\n\n**Sent:** Monday\n\n**To:** Zoe\n\nNo?'],
  ])('strips a quote that starts with email headers: %j', (text) => {
    expect(shown('Re: Plans', text)).toBe('Yes.')
  })

  it.each<[string, Record<string, string>]>([
    ['Build failed', {}],
    ['Forward: march', {}],
    ['Regarding: Plans', {}],
    ['Build failed', { 'Auto-Submitted': 'auto-generated', ...IN_THREAD }],
  ])('keeps the quotes of an email that is not a reply: %j', (subject, headers) => {
    for (const text of ['Log:\n\n> make: *** [all]\n> Error 1', `Report of Ann:\n${outlook.slice(0, -8)}`, apple])
      expect(shown(subject, text, headers)).toBe(text)
  })

  it.each(['Forwarded messages look like this:', 'Weitergeleitet von Ann, bitte prüfen:', 'Videresendt til dere:'])(
    'does not take the sentence %j for the title of a forwarded email',
    (sentence) => {
      for (const headers of [{}, IN_THREAD]) {
        expect(shown('Plans', `${sentence}\n\nText\n-- \nAnn`, headers)).toBe(`${sentence}\n\nText`)
        expect(shown('Re: Plans', `${sentence}\n\nText\n\n${swedish}`, headers)).toBe(`${sentence}\n\nText`)
      }
    },
  )

  it('includes quotes and signatures if the address asks for them', () => {
    const text = 'Yes.\n\n-- \nZoe\n\nOn Mon, Ann wrote:\n> No?'
    expect(shown('Re: Plans', text, {}, 'include-quotes')).toBe('Yes.\n\nOn Mon, Ann wrote:\n> No?')
    expect(shown('Re: Plans', text, {}, 'include-footer')).toBe('Yes.\n\n-- \nZoe')
    expect(shown('Re: Plans', text, {}, 'include-footer', 'include-quotes')).toBe(text)
    const below = 'Yes.\n\nOn Mon, Ann wrote:\n> No?\n\n-- \nZoe'
    expect(shown('Re: Plans', below, {}, 'include-quotes')).toBe('Yes.\n\nOn Mon, Ann wrote:\n> No?')
    expect(shown('Re: Plans', below, {}, 'include-footer')).toBe('Yes.\n\n-- \nZoe')
    expect(shown('Re: Plans', below, {}, 'include-footer', 'include-quotes')).toBe(below)
  })

  it.each([
    ['Yes.\n-- \nZoe', 'Yes.'],
    ['Yes.\n--\nZoe', 'Yes.'],
    ['Yes.\n\n\\--\n\nZoe', 'Yes.'],
    ['a -- b\n---\nc', 'a -- b\n---\nc'],
    ['-- \nZoe', '-- \nZoe'],
  ])('strips the signature: %j', (text, expected) => {
    expect(shown('Plans', text)).toBe(expected)
  })

  it('strips only signatures after the standard delimiter from automatic emails', () => {
    const headers = { 'Auto-Submitted': 'auto-generated' }
    expect(shown('Cron', 'one\n--\ntwo\n--\nthree', headers)).toBe('one\n--\ntwo\n--\nthree')
    expect(shown('Cron', 'one\n-- \nCron', headers)).toBe('one')
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
  ])('reads the topic from the subject: %j', (subject, expected) => {
    expect(topicIn(subject)).toBe(expected)
  })
})

describe('automatic emails', () => {
  const reasonFor = (headers: Headers, subject = 'News', sender = 'zoe@x.org', fromAddress = 'zoe@x.org') =>
    dropReason({ subject, fromAddress, headers: listOf(headers) }, sender)

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
  ])('drops %j only from a program', (subject) => {
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
