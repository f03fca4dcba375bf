import { cut, isPrintable } from '../../../kernel/characters.ts'
import { LIMITS } from '../../organizations/contract/index.ts'
import { oneLine } from '../../integrations/rules/text.ts'

const NO_SUBJECT = 'E-mail without a subject'

/** What an answer quotes is introduced so, in a few languages, in one line or two. The built program is ASCII alone. */
const INTRODUCTION =
  /^(?:On|Am|Le|El|Il|Op) .{3,200}(?:wrote|schrieb.{0,100}|a \u00E9crit|escribi\u00F3|ha scritto|schreef.{0,100})\s*:$/
/** Prefixes of the subject with which programs mark a forwarded email, behind tags such as `[EXTERNAL]`. */
const FORWARDING_SUBJECT =
  /^(?:\[[^\]]{1,60}\]\s{0,3}){0,3}(?:fwd?|wg|tr|rv|enc|vb|vl|pd|doorst|i|\u8F6C\u53D1|\u8F49\u5BC4)\s{0,3}(?:\[\d{1,3}\]\s{0,3})?[:\uFF1A]|\(fwd\)$/i
/** Turndown escapes the first dash. */
const FORWARDED =
  /^\\?-{2,}\s*(?:Forwarded message|Weitergeleitete Nachricht|Message transf\u00E9r\u00E9|Mensaje reenviado|Messaggio inoltrato|Doorgestuurd bericht|Mensagem encaminhada)\s*-{2,}$/i
const FORWARDED_BELOW =
  /^(?:Begin forwarded message|Anfang der weitergeleiteten (?:Nachricht|E-Mail)|D\u00E9but du message (?:r\u00E9exp\u00E9di\u00E9|transf\u00E9r\u00E9)|Inicio del mensaje reenviado|Inizio messaggio inoltrato|Begin doorgestuurd bericht)\s{0,3}:$/i
/** The library that reads emails puts such a line above the headers of an email within the email. */
const ATTACHED = /^-{10,}$/
const ORIGINAL =
  /^\\?-{2,}\s*(?:Original Message|Urspr\u00FCngliche Nachricht|Originalnachricht|Message d'origine|Mensaje original|Messaggio originale|Oorspronkelijk bericht)\s*-{2,}$/i
/** How programs begin what they quote below an answer, without a sign in front of each line. */
const HEADED = /^\*{0,2}(?:From|Von|De|Da|Van)\s*:\*{0,2} .{1,300}$/
const HEADED_NEXT = /^\*{0,2}(?:Sent|Gesendet|Date|Datum|To|An|Envoy\u00E9|Subject|Betreff)\s*:\*{0,2} /

/**
 * Splits an email into the words of its author and the email that it forwards, which is empty unless it forwards one. Nothing of
 * the latter is a quote or a signature: people forward emails so that others read them.
 */
export function splitForward(text: string, subject: string): { readonly own: string; readonly forwarded: string } {
  const isForward = FORWARDING_SUBJECT.test(subject.trim())
  const lines = text.split('\n')
  const begin = lines.findIndex(
    (line, at) => isForwardedAt(lines, at) || isOriginalAt(lines, at) || (isForward && isQuoted(line)),
  )
  if (!isForward && (begin === -1 || !isForwardedAt(lines, begin))) return { own: text, forwarded: '' }
  // If nothing marks the start of the forwarded part, keep all of it.
  const own = lines.slice(0, Math.max(begin, 0)).map((line) => `${line}\n`)
  return { own: own.join(''), forwarded: lines.slice(own.length).join('\n') }
}

function isForwardedAt(lines: readonly string[], at: number): boolean {
  const words = (lines[at] ?? '').trim()
  return FORWARDED.test(words) || FORWARDED_BELOW.test(words) || (ATTACHED.test(words) && isHeadedAt(lines, at + 1))
}

/** Whether a program begins here what it quotes without signs. */
function isOriginalAt(lines: readonly string[], at: number): boolean {
  return ORIGINAL.test((lines[at] ?? '').trim()) || isHeadedAt(lines, at)
}

function isHeadedAt(lines: readonly string[], at: number): boolean {
  return HEADED.test((lines[at] ?? '').trim()) && HEADED_NEXT.test((lines[at + 1] ?? '').trim())
}

function isQuoted(line: string): boolean {
  return line.startsWith('>') || INTRODUCTION.test(line.trim())
}

/** A text without what it quotes at its end: an answer is about what stands above. A text that is nothing else stays. */
export function withoutQuotes(text: string): string {
  const lines = text.split('\n')
  const begin = lines.findIndex((_, at) => isOriginalAt(lines, at))
  const end = begin === -1 ? lines.length : begin
  let last = end
  // Quotes at the end, and the words that introduce them.
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

/** A text without its signature, which begins with a line of its own. A text that is nothing else stays. */
export function withoutSignature(text: string): string {
  const lines = text.split('\n')
  const begin = lines.findIndex((line) => /^-- ?$/.test(line))
  const kept = begin === -1 ? text : lines.slice(0, begin).join('\n')
  return kept.trim() === '' ? text.trimEnd() : kept.trimEnd()
}

/** What an e-mail is about, as a topic: without the signs that programs put in front of it, and those that no topic may have. */
export function topicIn(subject: string): string {
  const words = subject
    .replace(/[\s\p{Cc}\p{Zl}\p{Zp}]+/gu, ' ')
    .trim()
    .replace(/^(?:(?:re|aw|fwd?|wg|sv|antw)\s{0,3}(?:\[\d{1,3}\])?\s{0,3}:\s{0,3}){1,20}/i, '')
    .trim()
  return printable(cut(words, LIMITS.max_topic_length)) || NO_SUBJECT
}

function printable(topic: string): string {
  if (isPrintable(topic)) return topic
  return oneLine(topic.replace(/[\p{C}\p{Zl}\p{Zp}\p{Default_Ignorable_Code_Point}\u2800]/gu, ''))
}
