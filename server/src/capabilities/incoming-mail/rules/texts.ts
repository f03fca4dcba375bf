import { toPrintable } from '../../../kernel/characters.ts'
import type { ParsedMail } from '../../../platform/mail/reading.ts'
import { truncateTopic } from '../../channels/rules/topics.ts'
import { toSingleLine } from '../../integrations/rules/text.ts'
import { headerValues, isAutomaticMail, type AddressOption } from './index.ts'

const TOPIC_WITHOUT_SUBJECT = 'Email without a subject'

/* Phrases are strings, not regular expressions: the build writes pure ASCII, and can escape only strings. */

const REPLY_PREFIXES = parsePhrases(
  'Re,AW,SV,Antw,Antwort,Res,Rif,R,Odp,Ynt,Yan,Vá,Vast,ATB,BLS,ΑΠ,ΣΧΕΤ,Отв,Ответ,השב,תגובה,رد',
  '回复,答复,回覆,答覆,回信,返信,답장,회신',
)
/** Includes `VS`, which marks Finnish replies and Norwegian forwards: treating a forward as a reply would lose text. */
const FORWARD_PREFIXES = parsePhrases(
  'Fw,Fwd,Forwarded,WG,Weitergeleitet,TR,RV,ENC,VB,VL,VS,PD,Doorst,I,TRS,İLT,ILT,Továbbítás,ΠΡΘ,Пересл,הועבר',
  'إعادة توجيه,转发,轉寄,轉發,転送,전달',
)
const MAIL_SERVER_TAGS = parsePhrases('Ext,Extern,External,Externe,Externo,External email,Spam,Suspected spam')

const ORIGINAL_MESSAGE_TITLES = parsePhrases(
  "Original message,Original email,Original appointment,Reply message,Message d'origine,Message original",
  'Ursprüngliche Nachricht,Ursprüngliche E-Mail,Originalnachricht,Mensaje original,Mensagem original',
  'Messaggio originale,Oorspronkelijk bericht,Ursprungligt meddelande,Originalmeddelande,Oprindelig meddelelse',
  'Opprinnelig melding,Alkuperäinen viesti,Wiadomość oryginalna,Oryginalna wiadomość,Původní zpráva,Eredeti üzenet',
  'Исходное сообщение,Orijinal İleti,原始邮件,原始郵件,邮件原件,元のメッセージ,원본 메시지,원본 메일',
)
const FORWARDED_MESSAGE_TITLES = parsePhrases(
  'Forwarded message,Forwarded by,Begin forwarded message,Weitergeleitete Nachricht,Weitergeleitet von',
  'Anfang der weitergeleiteten Nachricht,Anfang der weitergeleiteten E-Mail,Message transféré,Transféré par',
  'Début du message transféré,Début du message réexpédié,Mensaje reenviado,Inicio del mensaje reenviado,Reenviado por',
  'Messaggio inoltrato,Inizio messaggio inoltrato,Inoltrato da,Doorgestuurd bericht,Begin doorgestuurd bericht',
  'Mensagem encaminhada,Início da mensagem encaminhada,Início da mensagem reencaminhada,Mensagem reencaminhada',
  'Encaminhado por,Videresendt,Videresendt melding,Videresendt meddelelse,Videresendt besked',
  'Start på videresendt besked,Vidarebefordrat,Vidarebefordrat brev,Vidarebefordrat mejl,Vidarebefordrat meddelande',
  'Välitetty viesti,Välitetty viesti alkaa,Przekazana wiadomość,Wiadomość przekazana',
  'Początek przekazywanej wiadomości,Přeposlaná zpráva,Začátek přeposílané zprávy,Пересылаемое сообщение',
  'Пересланное сообщение,Перенаправленное сообщение,Начало переадресованного сообщения,Továbbított üzenet',
  'Továbbított levél kezdete,Yönlendirilmiş ileti,İletilen ileti,İletilmiş ileti,转发邮件信息,转发的邮件,轉寄的郵件,轉寄郵件',
  '転送されたメッセージ,転送メッセージ,전달된 메일,전달된 메시지',
)

const FROM_LABELS = parsePhrases(
  'From,Von,De,Da,Van,Fra,Från,Lähettäjä,Od,От,Від,Kimden,Feladó,Από,发件人,發件人,寄件者,差出人,보낸 사람,보낸사람',
)
const OTHER_HEADER_LABELS = parsePhrases(
  'Sent,Date,To,Cc,Subject,Reply-To,Importance,Gesendet,Datum,An,Betreff,Wichtigkeit,Priorität,Antwort an,Envoyé,À,Objet,Enviado,Fecha,Para,Asunto,Inviato,Data,A',
  'Oggetto,Assunto,Verzonden,Aan,Onderwerp,Sendt,Dato,Til,Emne,Skickat,Till,Ämne,Kopia,Prioritet,Lähetetty,Vastaanottaja,Aihe',
  'Wysłano,Do,DW,Temat,Odesláno,Komu,Předmět,Отправлено,Дата,Кому,Тема,Gönderildi,Kime,Konu,Elküldve,Címzett,Tárgy',
  '发送时间,收件人,抄送,主题,发送日期,日期,寄件日期,收件者,副本,主旨,送信日時,日時,日付,宛先,件名,重要度,보낸 날짜,날짜,받는 사람,제목',
)

const INTRODUCTION_VERBS = [
  'wrote,schrieb,a écrit,escribió,escreveu,ha scritto,schreef,skrev,kirjoitti,napisał,napisał(a),pisze,napsal',
  'napsal(a),написал,написал(а),пишет,yazdı,írta,写道,寫道,님이 작성,のメール,さんは書きました',
].flatMap((verbs) => verbs.split(','))

function parsePhrases(...lists: readonly string[]): ReadonlySet<string> {
  return new Set(lists.flatMap((list) => list.split(',')).map((phrase) => phrase.toLowerCase()))
}

/** `threaded`: an email that only its headers mark as a reply. Forwarded emails can have the same headers. */
type EmailKind = 'reply' | 'threaded' | 'forward' | 'new'

/** Returns the text to post. Removes quotes only from replies, because people forward quotes for others to read. */
export function textToPost(
  mail: Pick<ParsedMail, 'text' | 'subject' | 'headers'>,
  options: ReadonlySet<AddressOption> = new Set(),
): string {
  const text = mail.text.replace(/\r\n?/g, '\n').trim()
  const { own, quoted, rest } = splitText(text, emailKindOf(mail))
  const unsigned = options.has('include-footer') ? own : removeSignature(own, isAutomaticMail(mail.headers))
  const kept = options.has('include-quotes') ? quoted : ''
  if (unsigned === own && kept === quoted) return text
  return joinParagraphs(unsigned.trim(), kept.trim(), rest.trim())
}

function emailKindOf({ subject, headers }: Pick<ParsedMail, 'subject' | 'headers'>): EmailKind {
  const has = (name: string): boolean => headerValues(headers, name).length > 0
  if (has('x-forwarded-message-id') || has('resent-from')) return 'forward'
  const { kind } = parseSubject(subject)
  if (kind !== undefined) return kind
  return !isAutomaticMail(headers) && (has('in-reply-to') || has('references')) ? 'threaded' : 'new'
}

interface EmailText {
  readonly own: string
  readonly quoted: string
  readonly rest: string
}

function splitText(text: string, kind: EmailKind): EmailText {
  const lines = text.split('\n')
  const isAnswer = kind === 'reply' || kind === 'threaded'
  const isMark = (line: string, at: number): boolean =>
    startsForwardedEmailAt(lines, at) ||
    startsOriginalEmailAt(lines, at) ||
    (kind !== 'reply' && mayHaveHeadersAt(lines, at)) ||
    (kind === 'forward' && isQuoteLine(line))
  const mark = lines.findIndex(isMark)
  // Keeps the signature of a forwarded email if the start of the original cannot be found.
  if (mark === -1 && kind === 'forward') return { own: '', quoted: '', rest: text }
  const end = mark === -1 ? lines.length : mark
  const isCut = kind === 'reply' && !startsForwardedEmailAt(lines, end)
  const footer = isAnswer ? signatureStart(lines, end) : end
  const quote = isAnswer ? quoteStart(lines, footer) : end
  const [ownEnd, quoteEnd] = quote < footer ? [quote, footer] : [end, end]
  const join = (from: number, to: number): string => lines.slice(from, to).join('\n').trimEnd()
  const rest = isCut ? '' : join(end, lines.length)
  // Keeps a reply that consists only of quotes.
  if (join(0, ownEnd).trim() === '' && rest === '') return { own: text, quoted: '', rest }
  return {
    own: joinParagraphs(join(0, ownEnd), join(quoteEnd, end)),
    quoted: joinParagraphs(join(ownEnd, quoteEnd), isCut ? join(end, lines.length) : ''),
    rest,
  }
}

function joinParagraphs(...parts: readonly string[]): string {
  return parts.filter((part) => part !== '').join('\n\n')
}

const MAX_LINE_CHARACTERS = 400

/** Returns an empty string for a line too long for a title: searching it for dashes would take quadratic time. */
function titleLineAt(lines: readonly string[], at: number): string {
  const line = lines[at] ?? ''
  return line.length > MAX_LINE_CHARACTERS ? '' : line.trim()
}

function startsForwardedEmailAt(lines: readonly string[], at: number): boolean {
  const line = titleLineAt(lines, at)
  const dashed = matchTitle(line, DASHED_TITLE)
  // A name can follow the title, as in `---- Forwarded by Ann Lee/ACME on 11/23/2026 ----`.
  if (dashed !== '' && [...FORWARDED_MESSAGE_TITLES].some((title) => dashed.startsWith(title))) return true
  if (FORWARDED_MESSAGE_TITLES.has(matchTitle(line, COLON_TITLE))) return true
  // The email parser puts a line of dashes above the headers of an attached email.
  return /^-{10,}$/.test(line) && hasHeadersAt(lines, at + 1, 2)
}

function startsOriginalEmailAt(lines: readonly string[], at: number): boolean {
  const line = titleLineAt(lines, at)
  const titles = [DASHED_TITLE, COLON_TITLE].map((form) => matchTitle(line, form))
  if (titles.some((title) => ORIGINAL_MESSAGE_TITLES.has(title)) || hasHeadersAt(lines, at, 3)) return true
  if (!ORIGINAL_MESSAGE_SEPARATOR.test(line)) return false
  return hasHeadersAt(lines, (lines[at + 1] ?? '').trim() === '' ? at + 2 : at + 1, 3)
}

const ORIGINAL_MESSAGE_SEPARATOR = /^(?:_{10,}|\* \* \*)$/

const DASHED_TITLE = /^\\?-{2,}\s{0,9}([^\s-].{2,200}?)\s{0,9}-{2,}$/
const COLON_TITLE = /^([^:\uFF1A]{4,60})[:\uFF1A]$/

function matchTitle(line: string, form: RegExp): string {
  return (form.exec(line)?.[1] ?? '').trim().toLowerCase()
}

function hasHeadersAt(lines: readonly string[], at: number, least: number): boolean {
  if (!FROM_LABELS.has(headerLabelIn(lines[at]))) return false
  const next = lines.slice(at + 1, at + 2 * least).filter((line) => line.trim() !== '')
  return (
    next.length >= least - 1 && next.slice(0, least - 1).every((line) => OTHER_HEADER_LABELS.has(headerLabelIn(line)))
  )
}

function mayHaveHeadersAt(lines: readonly string[], at: number): boolean {
  if (/^\\?-{3,}\s{0,9}[^\s-].{0,200}-{3,}$/.test(titleLineAt(lines, at))) return true
  if (headerLabelIn(lines[at]) === '' || (lines[at - 1] ?? '').trim() !== '') return false
  const three = lines.slice(at, at + 3)
  return (
    three.length === 3 && three.every((line) => headerLabelIn(line) !== '') && three.some((line) => line.includes('@'))
  )
}

function headerLabelIn(line = ''): string {
  const [, label = ''] = /^\*{0,2}(\p{L}[\p{L}\p{M} -]{0,30})[:\uFF1A]\*{0,2}\s{0,20}\S/u.exec(line.trim()) ?? []
  return label.trim().toLowerCase()
}

function isQuoteLine(line: string): boolean {
  return line.startsWith('>') || isQuoteIntroduction(line)
}

function isQuoteIntroduction(line: string): boolean {
  const words = line.trim().toLowerCase()
  if (words.length > MAX_LINE_CHARACTERS || !/[:\uFF1A]$/.test(words)) return false
  return (
    INTRODUCTION_VERBS.some((verb) => words.includes(verb)) || (/\d/.test(words) && /@[^\s@]{1,300}> ?.$/.test(words))
  )
}

/** Returns the line at which a signature starts below the final quote, or `end` if there is none. */
function signatureStart(lines: readonly string[], end: number): number {
  const last = lines.findLastIndex((line, at) => at < end && (line.startsWith('>') || isSignatureDelimiter(line)))
  return isSignatureDelimiter(lines[last] ?? '') ? last : end
}

function isSignatureDelimiter(line: string): boolean {
  return /^\\?-- ?$/.test(line)
}

function quoteStart(lines: readonly string[], end: number): number {
  let start = end
  while (start > 0 && /^(?:>|\s*$)/.test(lines[start - 1] ?? '')) start -= 1
  if (!lines.slice(start, end).some((line) => line.startsWith('>'))) return end
  return introductionStart(lines, start)
}

function introductionStart(lines: readonly string[], quote: number): number {
  let start = quote
  while (start > 0 && lines[start - 1]?.trim() === '') start -= 1
  const [before = '', last = ''] = [lines[start - 2], lines[start - 1]]
  // Email programs wrap a quote's introduction even within an address: `On 11/23, Ann <`, `ann@example.org> wrote:`.
  const isRest = /^[^<]*>/.test(last) || ['<', ...INTRODUCTION_VERBS].some((words) => last.startsWith(words))
  if (isQuoteIntroduction(last) && !isRest) return start - 1
  // Only an introduction that contains a date is long enough to be wrapped.
  return /\d/.test(before) && isQuoteIntroduction(`${before} ${last}`) ? start - 2 : quote
}

/** Keeps an email that is only a signature. In automatic emails, `--` can be a separator, unlike `-- ` with a space. */
function removeSignature(text: string, isOfProgram: boolean): string {
  const lines = text.split('\n')
  const begin = lines.findIndex((line) => (isOfProgram ? line === '-- ' : isSignatureDelimiter(line)))
  if (begin === -1) return text
  const quote = lines.findIndex((line, at) => at > begin && line.startsWith('>'))
  const rest = quote === -1 ? [] : lines.slice(Math.max(begin, introductionStart(lines, quote)))
  const kept = [...lines.slice(0, begin), ...rest].join('\n')
  return kept.trim() === '' ? text : kept.trimEnd()
}

const MAX_SUBJECT_PREFIXES = 20
const SUBJECT_TAG = /^(?:\[([^\]]{1,60})\]|\(([^)]{1,60})\)|\{([^}]{1,60})\}|\*{2,5}([^*]{1,60})\*{2,5})\s{0,3}/
const SUBJECT_PREFIX =
  /^(\p{L}[\p{L}\p{M}]{0,14}(?: \p{L}{1,14})?)\s{0,3}(?:\[\d{1,3}\]|\(\d{1,3}\)|\^\d{1,3})?\s{0,3}[:\uFF1A]\s{0,3}/u

interface ParsedSubject {
  readonly kind: 'reply' | 'forward' | undefined
  readonly topic: string
}

function parseSubject(subject: string): ParsedSubject {
  let topic = subject
    .normalize('NFC')
    .replace(/[\s\p{Cc}\p{Zl}\p{Zp}]+/gu, ' ')
    .trim()
  let kind: ParsedSubject['kind'] = /\(fwd\)$/i.test(topic) ? 'forward' : undefined
  for (let count = 0; count < MAX_SUBJECT_PREFIXES; count += 1) {
    const [tag = '', ...names] = SUBJECT_TAG.exec(topic) ?? []
    const rest = topic.slice(tag.length)
    const [prefix = '', name = ''] = SUBJECT_PREFIX.exec(rest) ?? []
    const found = subjectPrefixKind(name.toLowerCase())
    const isOfServer = MAIL_SERVER_TAGS.has((names.find((one) => one !== undefined) ?? '').trim().toLowerCase())
    if (found !== undefined) {
      kind ??= found === 'tag' ? undefined : found
      topic = (isOfServer ? '' : tag) + rest.slice(prefix.length)
    } else if (tag !== '' && isOfServer) topic = rest
    else break
  }
  return { kind, topic: topic.trim() }
}

function subjectPrefixKind(name: string): 'reply' | 'forward' | 'tag' | undefined {
  if (REPLY_PREFIXES.has(name)) return 'reply'
  if (FORWARD_PREFIXES.has(name)) return 'forward'
  return MAIL_SERVER_TAGS.has(name) ? 'tag' : undefined
}

/** Removes prefixes such as `Re:`, and characters that topics must not contain. */
export function topicFromSubject(subject: string): string {
  return toSingleLine(toPrintable(truncateTopic(parseSubject(subject).topic))) || TOPIC_WITHOUT_SUBJECT
}
