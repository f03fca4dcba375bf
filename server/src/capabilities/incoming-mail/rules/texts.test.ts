import { describe, expect, it } from 'vitest'
import { topicIn, withoutQuotes, withoutSignature } from './texts.ts'

describe('an answer', () => {
  it.each([
    ['Yes.\n\nOn Mon, Ann wrote:\n> No?\n', 'Yes.'],
    ['Ja.\n\nAm 23.11.2026 um 10:00 schrieb Ann <a@b.c>:\n\n> Nein?\n> Doch.', 'Ja.'],
    ['Yes.\n\n-----Original Message-----\nFrom: Ann\nNo?', 'Yes.'],
    ['Ja.\n\nVon: Ann <a@b.c>\nGesendet: Montag\nAn: Zoe\n\nNein?', 'Ja.'],
    ['> No?\n\nYes, in between.\n\n> And?\n\nAnd below.', '> No?\n\nYes, in between.\n\n> And?\n\nAnd below.'],
    ['> only quoted', '> only quoted'],
    ['From: here to there.\nNothing is quoted.', 'From: here to there.\nNothing is quoted.'],
    ['', ''],
  ])('is without what it quotes at its end: %j', (text, expected) => {
    expect(withoutQuotes(text)).toBe(expected)
  })

  it.each([
    ['Yes.\n-- \nZoe', 'Yes.'],
    ['Yes.\n--\nZoe', 'Yes.'],
    ['a -- b\n---\nc', 'a -- b\n---\nc'],
    ['-- \nZoe', '-- \nZoe'],
  ])('is without its signature: %j', (text, expected) => {
    expect(withoutSignature(text)).toBe(expected)
  })

  it.each([
    ['Re: AW:  Fwd: Plans', 'Plans'],
    ['RE[2]: Plans', 'Plans'],
    ['Regarding: Plans', 'Regarding: Plans'],
    ['Re:', 'E-mail without a subject'],
    ['A\r\nBcc: all\0', 'A Bcc: all'],
    ['\u202Egnp.exe\u200B', 'gnp.exe'],
    ['é'.repeat(80), `${'é'.repeat(59)}…`],
  ])('has the topic of what it answers: %j', (subject, expected) => {
    expect(topicIn(subject)).toBe(expected)
  })
})
