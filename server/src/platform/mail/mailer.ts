import type { Logger } from '../logger.ts'
import { isAddress, toOneLine } from './address.ts'
import { connectionOptions, withHint, type MailServerSettings } from './connection.ts'
import type { WrittenMail } from './write.ts'

export interface Mail extends WrittenMail {
  /** The same for all attempts, so that a mail server can recognize duplicates. */
  readonly messageId: string
  readonly thread: string | undefined
  /** URL for unsubscribing with one click; undefined if there is none. */
  readonly unsubscribeAddress: string | undefined
  readonly to: string
  readonly fromName: string
  readonly link: string | undefined
}

export interface Mailer {
  readonly isConfigured: boolean
  /** @throws MailRefusedError if the mail server refuses permanently */
  send(mail: Mail): Promise<void>
  verify(): Promise<void>
}

export class MailRefusedError extends Error {
  override readonly name = 'MailRefusedError'
}

export interface MailSettings extends Pick<MailServerSettings, 'certificate'> {
  readonly url: string | undefined
  readonly from: string
}

/** Header of emails from Parley, by which other Parley servers know not to post them. */
export const PARLEY_MAIL_HEADER = { name: 'X-Parley-Mail', value: 'notification' } as const

export function openMailer({ url, certificate, from }: MailSettings, logger: Pick<Logger, 'warn'>): Mailer {
  if (url !== undefined) {
    const server = { url, certificate }
    return {
      isConfigured: true,
      send: async (mail) => sendBySmtp(server, from, mail),
      verify: async () => verifyConnection(server),
    }
  }
  return {
    isConfigured: false,
    async send({ to, subject, link }) {
      logger.warn({ to, subject, link }, 'email not sent: PARLEY_SMTP_URL is not set')
      return Promise.resolve()
    },
    verify: async () => Promise.resolve(),
  }
}

async function sendBySmtp(server: MailServerSettings, from: string, mail: Mail): Promise<void> {
  if (!isAddress(mail.to)) throw new MailRefusedError(`this is not an email address: ${JSON.stringify(mail.to)}`)
  const { createTransport } = await import('nodemailer')
  const transport = createTransport({ ...connectionOptions(server), disableFileAccess: true, disableUrlAccess: true })
  try {
    await transport.sendMail({
      messageId: `<${mail.messageId}>`,
      // No email has the thread's ID as its own; email programs group emails that refer to the same ID.
      ...(mail.thread === undefined ? {} : { inReplyTo: `<${mail.thread}>`, references: `<${mail.thread}>` }),
      from: { name: toOneLine(mail.fromName), address: from },
      // Passes recipients as objects, in which nodemailer does not look for further addresses.
      to: { name: '', address: mail.to },
      subject: toOneLine(mail.subject),
      text: mail.text,
      html: mail.html,
      headers: {
        // Stops autoresponders from replying.
        'Auto-Submitted': 'auto-generated',
        'X-Auto-Response-Suppress': 'All',
        [PARLEY_MAIL_HEADER.name]: PARLEY_MAIL_HEADER.value,
        ...unsubscribeHeaders(mail.unsubscribeAddress),
      },
    })
  } catch (error) {
    throw isPermanent(error) ? new MailRefusedError(error.message, { cause: error }) : withHint(error, server)
  } finally {
    transport.close()
  }
}

async function verifyConnection(server: MailServerSettings): Promise<void> {
  const { createTransport } = await import('nodemailer')
  const transport = createTransport(connectionOptions(server))
  try {
    await transport.verify()
  } catch (error) {
    throw withHint(error, server)
  } finally {
    transport.close()
  }
}

function unsubscribeHeaders(address: string | undefined): Record<string, string> {
  if (address === undefined) return {}
  return { 'List-Unsubscribe': `<${address}>`, 'List-Unsubscribe-Post': 'List-Unsubscribe=One-Click' }
}

function isPermanent(error: unknown): error is Error {
  if (!(error instanceof Error) || !('code' in error) || !('responseCode' in error)) return false
  const { code, responseCode } = error
  return (code === 'EENVELOPE' || code === 'EMESSAGE') && Number(responseCode) >= 500
}
