import { writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { cut, isBlank } from '../../../kernel/characters.ts'
import { Refusal } from '../../../kernel/refusal.ts'
import { discard } from '../../../platform/files/receive.ts'
import { randomName } from '../../../platform/files/store.ts'
import { makeFolder } from '../../../platform/folders.ts'
import type { MailFile, ReadMail } from '../../../platform/mail/reading.ts'
import type { Call } from '../../../platform/request.ts'
import { escapeMentions } from '../../integrations/rules/harmless.ts'
import { countOf, plain } from '../../integrations/rules/text.ts'
import { LIMITS } from '../../organizations/contract/index.ts'
import { addUpload } from '../../uploads/actions.ts'
import type { AddressOption } from '../rules/addresses.ts'
import { splitForward, withoutQuotes, withoutSignature } from '../rules/texts.ts'

type Author = Pick<Call, 'log' | 'server' | 'actor'>

/** Files beyond this number are only counted in the message. */
export const MAX_FILES = 20
const MEBIBYTE = 1024 * 1024
const EMPTY = '(This email has no text.)'

export async function contentOf(author: Author, mail: ReadMail, options: ReadonlySet<AddressOption>): Promise<string> {
  const text = textOf(mail, options)
  const files: string[] = []
  for (const file of mail.files) files.push(await linkTo(author, file))
  if (mail.leftOut > 0) files.push(`(${countOf(mail.leftOut, 'more file')} left out.)`)
  const ending = files.length === 0 ? '' : cut(`\n\n${files.join('\n')}`, LIMITS.max_message_length / 2)
  const sender = senderOf(mail)
  const beginning = options.has('show-sender') && sender !== '' ? `**${plain(sender)}**\n\n` : ''
  const body = text === '' && files.length > 0 ? '' : text || EMPTY
  const room = LIMITS.max_message_length - Array.from(ending + beginning).length
  return (beginning + cut(body, room) + ending).trim()
}

function senderOf({ fromName, fromAddress }: ReadMail): string {
  return `${fromName} ${fromAddress === '' ? '' : `<${fromAddress}>`}`.trim()
}

/** Mentions no one, because anyone with the address can write. */
function textOf({ text, subject }: ReadMail, options: ReadonlySet<AddressOption>): string {
  const { own, forwarded } = splitForward(text.replace(/\r\n?/g, '\n').trim(), subject)
  const unquoted = options.has('include-quotes') ? own : withoutQuotes(own)
  const written = options.has('include-footer') ? unquoted : withoutSignature(unquoted)
  const shown = escapeMentions(`${written}\n\n${forwarded}`).trim()
  return isBlank(shown) ? '' : shown
}

/** Returns a link to the uploaded file, or a reason for omitting it. */
async function linkTo(author: Author, file: MailFile): Promise<string> {
  const name = plain(file.name)
  const { maxMebibytes } = author.server.uploadLimits
  if (file.bytes.length === 0) return `(${name} was left out: it is empty.)`
  if (file.bytes.length > maxMebibytes * MEBIBYTE) return `(${name} was left out: it is too large.)`
  const { incoming } = author.server.files
  await makeFolder(incoming)
  const received = { name: file.name, type: file.type, path: join(incoming, randomName()), size: file.bytes.length }
  try {
    await writeFile(received.path, file.bytes, { mode: 0o600 })
    const { url } = await addUpload(author, received)
    return `[${name}](${url})`
  } catch (error) {
    if (error instanceof Refusal) return `(${name} was left out: ${error.message})`
    throw error
  } finally {
    await discard(received)
  }
}
