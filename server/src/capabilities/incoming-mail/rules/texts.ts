import { printablePart } from '../../../kernel/characters.ts'
import { cutTopic } from '../../channels/rules/topics.ts'
import { oneLine } from '../../integrations/rules/text.ts'

const NO_SUBJECT = 'Email without a subject'

/** Line before a quoted email, possibly wrapped to two lines. Escaped, because the built program is pure ASCII. */
const INTRODUCTION =
  /^(?:On|Am|Le|El|Il|Op) .{3,200}(?:wrote|schrieb.{0,100}|a \u00E9crit|escribi\u00F3|ha scritto|schreef.{0,100})\s*:$/
/** Subject prefixes of forwarded emails, after tags such as `[EXTERNAL]`. */
const FORWARDING_SUBJECT =
  /^(?:\[[^\]]{1,60}\]\s{0,3}){0,3}(?:fwd?|wg|tr|rv|enc|vb|vl|pd|doorst|i|\u8F6C\u53D1|\u8F49\u5BC4)\s{0,3}(?:\[\d{1,3}\]\s{0,3})?[:\uFF1A]|\(fwd\)$/i
/** Turndown escapes the first dash. */
const FORWARDED =
  /^\\?-{2,}\s*(?:Forwarded message|Weitergeleitete Nachricht|Message transf\u00E9r\u00E9|Mensaje reenviado|Messaggio inoltrato|Doorgestuurd bericht|Mensagem encaminhada)\s*-{2,}$/i
const FORWARDED_BELOW =
  /^(?:Begin forwarded message|Anfang der weitergeleiteten (?:Nachricht|E-Mail)|D\u00E9but du message (?:r\u00E9exp\u00E9di\u00E9|transf\u00E9r\u00E9)|Inicio del mensaje reenviado|Inizio messaggio inoltrato|Begin doorgestuurd bericht)\s{0,3}:$/i
/** The email parser puts such a line above the headers of an attached email. */
const ATTACHED = /^-{10,}$/
const ORIGINAL =
  /^\\?-{2,}\s*(?:Original Message|Urspr\u00FCngliche Nachricht|Originalnachricht|Message d'origine|Mensaje original|Messaggio originale|Oorspronkelijk bericht)\s*-{2,}$/i
/** Headers above a quote without `>` marks. */
const HEADED = /^\*{0,2}(?:From|Von|De|Da|Van)\s*:\*{0,2} .{1,300}$/
const HEADED_NEXT = /^\*{0,2}(?:Sent|Gesendet|Date|Datum|To|An|Envoy\u00E9|Subject|Betreff)\s*:\*{0,2} /

/** Quotes and signatures in the forwarded email remain: people forward them for others to read. */
export function splitForward(text: string, subject: string): { readonly own: string; readonly forwarded: string } {
  const isForward = FORWARDING_SUBJECT.test(subject.trim())
  const lines = text.split('\n')
  const begin = lines.findIndex(
    (line, at) => isForwardedAt(lines, at) || isOriginalAt(lines, at) || (isForward && isQuoted(line)),
  )
  if (!isForward && (begin === -1 || !isForwardedAt(lines, begin))) return { own: text, forwarded: '' }
  // Keeps everything if nothing marks the start of the forwarded part.
  const own = lines.slice(0, Math.max(begin, 0)).map((line) => `${line}\n`)
  return { own: own.join(''), forwarded: lines.slice(own.length).join('\n') }
}

function isForwardedAt(lines: readonly string[], at: number): boolean {
  const words = (lines[at] ?? '').trim()
  return FORWARDED.test(words) || FORWARDED_BELOW.test(words) || (ATTACHED.test(words) && isHeadedAt(lines, at + 1))
}

function isOriginalAt(lines: readonly string[], at: number): boolean {
  return ORIGINAL.test((lines[at] ?? '').trim()) || isHeadedAt(lines, at)
}

function isHeadedAt(lines: readonly string[], at: number): boolean {
  return HEADED.test((lines[at] ?? '').trim()) && HEADED_NEXT.test((lines[at + 1] ?? '').trim())
}

function isQuoted(line: string): boolean {
  return line.startsWith('>') || INTRODUCTION.test(line.trim())
}

/** Keeps a text that consists only of quotes. */
export function withoutQuotes(text: string): string {
  const lines = text.split('\n')
  const begin = lines.findIndex((_, at) => isOriginalAt(lines, at))
  const end = begin === -1 ? lines.length : begin
  let last = end
  while (last > 0 && isQuoteOrEmpty(lines[last - 1] ?? '')) last -= 1
  const hasQuotes = lines.slice(last, end).some((line) => line.startsWith('>'))
  if (hasQuotes) {
    const two = `${lines[last - 2] ?? ''} ${lines[last - 1] ?? ''}`.trim()
    if (INTRODUCTION.test((lines[last - 1] ?? '').trim())) last -= 1
    else if (INTRODUCTION.test(two)) last -= 2
  }
  const kept = lines
    .slice(0, hasQuotes ? last : end)
    .join('\n')
    .trimEnd()
  return kept.trim() === '' ? text.trimEnd() : kept
}

function isQuoteOrEmpty(line: string): boolean {
  return line.startsWith('>') || line.trim() === ''
}

/** Keeps a text that consists only of a signature. */
export function withoutSignature(text: string): string {
  const lines = text.split('\n')
  const begin = lines.findIndex((line) => /^-- ?$/.test(line))
  const kept = begin === -1 ? text : lines.slice(0, begin).join('\n')
  return kept.trim() === '' ? text.trimEnd() : kept.trimEnd()
}

/** Removes reply prefixes and characters that topics must not contain. */
export function topicIn(subject: string): string {
  const words = subject
    .normalize('NFC')
    .replace(/[\s\p{Cc}\p{Zl}\p{Zp}]+/gu, ' ')
    .trim()
    .replace(/^(?:(?:re|aw|fwd?|wg|sv|antw)\s{0,3}(?:\[\d{1,3}\])?\s{0,3}:\s{0,3}){1,20}/i, '')
    .trim()
  return oneLine(printablePart(cutTopic(words))) || NO_SUBJECT
}
