import { cut, isPrintable } from '../../../kernel/characters.ts'
import { LIMITS } from '../../organizations/contract/index.ts'
import { oneLine } from '../../integrations/rules/text.ts'

const NO_SUBJECT = 'E-mail without a subject'

/** What an answer quotes is introduced so, in a few languages, in one line or two. The built program is ASCII alone. */
const INTRODUCTION =
  /^(?:On|Am|Le|El|Il|Op) .{3,200}(?:wrote|schrieb.{0,100}|a \u00E9crit|escribi\u00F3|ha scritto|schreef.{0,100})\s*:$/
const FORWARDED =
  /^-{2,}\s*(?:Original Message|Urspr\u00FCngliche Nachricht|Forwarded message|Weitergeleitete Nachricht)\s*-{2,}$/i
/** How programs begin what they quote below an answer, without a sign in front of each line. */
const HEADED = /^\*?(?:From|Von|De|Da|Van)\s*:\*? .{1,300}$/
const HEADED_NEXT = /^\*?(?:Sent|Gesendet|Date|Datum|To|An|Envoy\u00E9|Subject|Betreff)\s*:\*? /

/** A text without what it quotes at its end: an answer is about what stands above. A text that is nothing else stays. */
export function withoutQuotes(text: string): string {
  const lines = text.split('\n')
  const end = beginOfQuotes(lines)
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

/** The line at which a program begins what it quotes without signs; the length where none does. */
function beginOfQuotes(lines: readonly string[]): number {
  const index = lines.findIndex((line, at) => {
    const words = line.trim()
    return FORWARDED.test(words) || (HEADED.test(words) && HEADED_NEXT.test((lines[at + 1] ?? '').trim()))
  })
  return index === -1 ? lines.length : index
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
