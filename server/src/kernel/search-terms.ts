import { SPACELESS_LETTERS } from './words.ts'

/* Splits text into the terms that a search compares. The server indexes them, and clients search offline with them. */

/** Length in UTF-16 code units. The rest of a longer word is not searchable. */
export const MAX_TERM_LENGTH = 64

export interface SearchTerm {
  /** Folded text: equal for spellings that a search does not distinguish. */
  readonly text: string
  /** Place of the term in the text that was split. */
  readonly start: number
  readonly end: number
  /** Scripts without spaces are split into overlapping pairs of characters, and the last character of each run. */
  readonly kind: 'word' | 'pair' | 'last'
}

const ASCII_PATTERN = /^[\0-\x7f]*$/
const ASCII_WORD = /[A-Za-z0-9]+/g
const WORD = /[\p{L}\p{M}\p{N}]+/gu

/** The position of a term in the index is its place in this list. */
export function searchTermsOf(text: string): SearchTerm[] {
  const terms: SearchTerm[] = []
  const isAscii = ASCII_PATTERN.test(text)
  for (const { 0: run, index } of text.matchAll(isAscii ? ASCII_WORD : WORD)) {
    if (isAscii || ASCII_PATTERN.test(run)) terms.push(wordTerm(run.toLowerCase(), index, run.length))
    else addTermsOfRun(terms, run, index)
  }
  return terms
}

function wordTerm(folded: string, start: number, length: number): SearchTerm {
  return { text: cutTerm(folded), start, end: start + length, kind: 'word' }
}

// Created on first use, because V8 has to load Unicode tables for them.
let segmentExpression: RegExp | undefined
let foreignExpression: RegExp | undefined

/** Adds the terms of letters and digits, which can be of several scripts. */
function addTermsOfRun(terms: SearchTerm[], run: string, at: number): void {
  segmentExpression ??= new RegExp(
    `([${SPACELESS_LETTERS}][${SPACELESS_LETTERS}\\p{M}]*)|[^${SPACELESS_LETTERS}]+`,
    'gu',
  )
  for (const { 0: segment, 1: spaceless, index } of run.matchAll(segmentExpression)) {
    const folded = spaceless === undefined ? foldWord(segment) : foldSpaceless(segment)
    if (folded === '') continue
    if (spaceless === undefined) terms.push(wordTerm(folded, at + index, segment.length))
    else addPairs(terms, folded, at + index, segment.length)
  }
}

function addPairs(terms: SearchTerm[], folded: string, at: number, length: number): void {
  const characters = [...folded]
  // If folding changed the length, the places of single characters are unknown.
  const isAligned = folded.length === length
  let start = at
  for (const [index, character] of characters.entries()) {
    const next = characters[index + 1]
    const text = next === undefined ? character : character + next
    const [from, to] = isAligned ? [start, start + text.length] : [at, at + length]
    terms.push({ text, start: from, end: to, kind: next === undefined ? 'last' : 'pair' })
    start += character.length
  }
}

/** Letters that differ from their plain form by more than a combining mark. */
const PLAIN_LETTERS: Readonly<Record<string, string>> = {
  ß: 'ss',
  æ: 'ae',
  ð: 'd',
  ø: 'o',
  þ: 'th',
  đ: 'd',
  ħ: 'h',
  ı: 'i',
  ł: 'l',
  ŋ: 'n',
  œ: 'oe',
  ς: 'σ',
}
// Escaped, because the server's bundle must be ASCII.
const UNUSUAL_LETTER = /[\u00df\u00e6\u00f0\u00f8\u00fe\u0111\u0127\u0131\u0142\u014b\u0153\u03c2]/g

/** Accents of European letters, except that of й. */
const ACCENT = /(\u0438\u0306)|[\u0300-\u036f\u0483-\u0487]/g
/** Hebrew points, Arabic vowel signs and lengthening, marks around symbols, and variation selectors. */
const OPTIONAL_MARK =
  /[\u0591-\u05bd\u05bf\u05c1\u05c2\u05c4\u05c5\u05c7\u0610-\u061a\u0640\u064b-\u065f\u0670\u06d6-\u06dc\u06df-\u06e4\u06e7\u06e8\u06ea-\u06ed]|[\u20d0-\u20f0]|[\ufe00-\ufe0f]/g

function foldWord(word: string): string {
  return word
    .normalize('NFKD')
    .toLowerCase()
    .normalize('NFD')
    .replace(ACCENT, (_, kept: string | undefined) => kept ?? '')
    .replace(OPTIONAL_MARK, '')
    .normalize('NFC')
    .replace(UNUSUAL_LETTER, (letter) => PLAIN_LETTERS[letter] ?? letter)
    .replace(/[^\p{L}\p{M}\p{N}]+/gu, '')
}

/** Composes letters, widens half-width ones, and omits other scripts' marks. NFKC would split Thai vowels. */
function foldSpaceless(segment: string): string {
  foreignExpression ??= new RegExp(`[^${SPACELESS_LETTERS}]+`, 'gu')
  return segment
    .replace(/[\uff66-\uffdc]+/g, (narrow) => narrow.normalize('NFKC'))
    .normalize('NFC')
    .replace(foreignExpression, '')
}

function cutTerm(folded: string): string {
  if (folded.length <= MAX_TERM_LENGTH) return folded
  const cut = folded.slice(0, MAX_TERM_LENGTH)
  return /[\ud800-\udbff]$/.test(cut) ? cut.slice(0, -1) : cut
}
