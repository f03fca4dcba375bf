import { describe, expect, it } from 'vitest'
import { splitForward, topicIn, withoutQuotes, withoutSignature } from './texts.ts'

describe('forwarded emails', () => {
  const gmail = '---------- Forwarded message ---------\nFrom: Ann <a@b.c>\nDate: Mon\nSubject: Plans\n\nText\n-- \nAnn'
  const outlook = 'Von: Ann <a@b.c>\nGesendet: Montag\nAn: Zoe\n\nText'
  const apple = '> From: Ann <a@b.c>\n> Subject: Plans\n> \n> Text'
  const attached = '-------------\nFrom:    a@b.c\nSubject: Plans\n-------------\n\nText'

  it.each([
    ['Fwd: Plans', 'FYI\n\n', gmail],
    ['FW: Plans', 'FYI\n\n-- \nZoe\n\n', gmail],
    ['Please look', 'FYI\n\n', gmail],
    ['Plans', 'FYI\n\n', gmail.replace(/^-/, '\\-').replace(/From: Ann/, 'From: **Ann**')],
    ['WG: Plans', 'Zur Info\n\n', outlook],
    ['Fwd: Plans', 'FYI\n\n', `-----Original Message-----\n${outlook}`],
    ['Fwd: Plans', 'FYI\n\n', `Begin forwarded message:\n\n${apple}`],
    ['Plans', 'FYI\n\n', `Anfang der weitergeleiteten Nachricht:\n\n${apple}`],
    ['Fwd: Plans', 'FYI\n\n', apple],
    ['Fwd: Re: Plans', 'FYI\n\n', `On Mon, Ann wrote:\n${apple}`],
    ['[EXTERNAL] Fwd: Plans', 'FYI\n\n', outlook],
    ['TR : Plans', 'FYI\n\n', outlook],
    ['转发：Plans', 'FYI\n\n', outlook],
    ['Plans (fwd)', 'FYI\n\n', outlook],
    ['Plans', 'FYI\n\n', attached],
    ['Fwd: Plans', '', 'Text\n-- \nAnn'],
    ['Fwd:', '', ''],
  ])('splits the forwarded part from the text: %j', (subject, own, forwarded) => {
    expect(splitForward(own + forwarded, subject)).toEqual({ own, forwarded })
  })

  it.each([
    ['Re: Fwd: Plans', `Yes.\n\n${outlook}`],
    ['Re: Plans', `Yes.\n\n-----Original Message-----\n${outlook}\n\n${gmail}`],
    ['Re: Plans', `Yes.\n\nOn Mon, Ann wrote:\n> ${gmail.replaceAll('\n', '\n> ')}`],
    ['Forward: march', 'Yes.\n\n> No?'],
  ])('does not treat a reply as a forward: %j', (subject, text) => {
    expect(splitForward(text, subject)).toEqual({ own: text, forwarded: '' })
    expect(withoutQuotes(text)).toBe('Yes.')
  })
})

describe('email replies', () => {
  it.each([
    ['Yes.\n\nOn Mon, Ann wrote:\n> No?\n', 'Yes.'],
    ['Ja.\n\nAm 23.11.2026 um 10:00 schrieb Ann <a@b.c>:\n\n> Nein?\n> Doch.', 'Ja.'],
    ['Yes.\n\n-----Original Message-----\nFrom: Ann\nNo?', 'Yes.'],
    ['Ja.\n\nVon: Ann <a@b.c>\nGesendet: Montag\nAn: Zoe\n\nNein?', 'Ja.'],
    ['> No?\n\nYes, in between.\n\n> And?\n\nAnd below.', '> No?\n\nYes, in between.\n\n> And?\n\nAnd below.'],
    ['> only quoted', '> only quoted'],
    ['From: here to there.\nNothing is quoted.', 'From: here to there.\nNothing is quoted.'],
    ['', ''],
  ])('strips the quote at the end: %j', (text, expected) => {
    expect(withoutQuotes(text)).toBe(expected)
  })

  it.each([
    ['Yes.\n-- \nZoe', 'Yes.'],
    ['Yes.\n--\nZoe', 'Yes.'],
    ['a -- b\n---\nc', 'a -- b\n---\nc'],
    ['-- \nZoe', '-- \nZoe'],
  ])('strips the signature: %j', (text, expected) => {
    expect(withoutSignature(text)).toBe(expected)
  })

  it.each([
    ['Re: AW:  Fwd: Plans', 'Plans'],
    ['RE[2]: Plans', 'Plans'],
    ['Regarding: Plans', 'Regarding: Plans'],
    ['Re:', 'Email without a subject'],
    ['A\r\nBcc: all\0', 'A Bcc: all'],
    ['\u202Egnp.exe\u200B', 'gnp.exe'],
    ['é'.repeat(80), `${'é'.repeat(59)}…`],
  ])('reads the topic from the subject: %j', (subject, expected) => {
    expect(topicIn(subject)).toBe(expected)
  })
})
