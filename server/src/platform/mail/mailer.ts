import type { Logger } from '../logger.ts'
import { isAddress, oneLine } from './address.ts'
import { connectionOf, withHint, type MailServerSettings } from './connection.ts'
import type { WrittenMail } from './write.ts'

/** An e-mail as it leaves the server. */
export interface Mail extends WrittenMail {
  /** The same at each attempt, so that a mail server that has it already can tell. */
  readonly messageId: string
  /** The name that the e-mails of one conversation share; undefined for an e-mail that stands alone. */
  readonly thread: string | undefined
  /** Where a program for e-mail sends that its reader wants no more of these; undefined where that cannot be. */
  readonly unsubscribeAddress: string | undefined
  /** One address. */
  readonly to: string
  /** The name that its reader sees in front of the sender's address. */
  readonly fromName: string
  /** The address in it that is good for its reader alone. */
  readonly link: string | undefined
}

export interface Mailer {
  /** Whether e-mails leave the server. Otherwise their links are in its log, for the operator. */
  readonly isConfigured: boolean
  /** @throws MailRefused when the mail server never takes it, and any other error when it may take it later */
  send(mail: Mail): Promise<void>
  /** Asks the mail server whether it is there and takes the login. @throws Error that says why not */
  verify(): Promise<void>
}

/** The mail server will not take an e-mail, however often it is asked. */
export class MailRefused extends Error {
  override readonly name = 'MailRefused'
}

export interface MailSettings extends Pick<MailServerSettings, 'certificate'> {
  /** As that of `MailServerSettings`; undefined where no email leaves the server. */
  readonly url: string | undefined
  /** The sender's address. */
  readonly from: string
}

/** Marks every email of a Parley server, so that none posts what another one sent. */
export const PARLEY_MARK = { name: 'X-Parley-Mail', value: 'notification' } as const

export function openMailer({ url, certificate, from }: MailSettings, logger: Pick<Logger, 'warn'>): Mailer {
  if (url !== undefined) {
    const server = { url, certificate }
    return {
      isConfigured: true,
      send: async (mail) => sendBySmtp(server, from, mail),
      verify: async () => verify(server),
    }
  }
  return {
    isConfigured: false,
    async send({ to, subject, link }) {
      logger.warn({ to, subject, link }, 'e-mail not sent, since PARLEY_SMTP_URL is not set')
      return Promise.resolve()
    },
    verify: async () => Promise.resolve(),
  }
}

async function sendBySmtp(server: MailServerSettings, from: string, mail: Mail): Promise<void> {
  if (!isAddress(mail.to)) throw new MailRefused(`this is no address: ${JSON.stringify(mail.to)}`)
  // Most processes never send any.
  const { createTransport } = await import('nodemailer')
  const transport = createTransport({ ...connectionOf(server), disableFileAccess: true, disableUrlAccess: true })
  try {
    await transport.sendMail({
      messageId: `<${mail.messageId}>`,
      // No e-mail has the name of the conversation: programs show together what refers to the same.
      ...(mail.thread === undefined ? {} : { inReplyTo: `<${mail.thread}>`, references: `<${mail.thread}>` }),
      from: { name: oneLine(mail.fromName), address: from },
      // As objects, in which nothing is looked for that would make two addresses of one.
      to: { name: '', address: mail.to },
      subject: oneLine(mail.subject),
      text: mail.text,
      html: mail.html,
      headers: {
        // So that no machine answers.
        'Auto-Submitted': 'auto-generated',
        'X-Auto-Response-Suppress': 'All',
        [PARLEY_MARK.name]: PARLEY_MARK.value,
        ...unsubscribeHeaders(mail.unsubscribeAddress),
      },
    })
  } catch (error) {
    throw isForGood(error) ? new MailRefused(error.message, { cause: error }) : withHint(error, server)
  } finally {
    transport.close()
  }
}

async function verify(server: MailServerSettings): Promise<void> {
  const { createTransport } = await import('nodemailer')
  const transport = createTransport(connectionOf(server))
  try {
    await transport.verify()
  } catch (error) {
    throw withHint(error, server)
  } finally {
    transport.close()
  }
}

/** By RFC 8058: one press, which needs no login and no further page. */
function unsubscribeHeaders(address: string | undefined): Record<string, string> {
  if (address === undefined) return {}
  return { 'List-Unsubscribe': `<${address}>`, 'List-Unsubscribe-Post': 'List-Unsubscribe=One-Click' }
}

/** The mail server has answered that it knows no such address, or does not want what the mail says. */
function isForGood(error: unknown): error is Error {
  if (!(error instanceof Error)) return false
  const { code, responseCode = 0 } = error as Error & { code?: string; responseCode?: number } // as nodemailer's are
  return (code === 'EENVELOPE' || code === 'EMESSAGE') && responseCode >= 500
}
