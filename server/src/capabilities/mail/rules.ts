import { caseKey } from '../../kernel/case-key.ts'
import type { Tokens } from '../../platform/tokens/tokens.ts'

/** The client from which comes what people change by a link of an e-mail. */
export const MAIL_CLIENT = 'e-mail'

/** The personal settings that switch e-mails off, by the words that stand for them in a token. */
export const SWITCHES = {
  personal: 'enable_offline_email_notifications',
  followed: 'enable_followed_topic_email_notifications',
  channels: 'enable_stream_email_notifications',
  digest: 'enable_digest_emails',
  logins: 'enable_login_emails',
} as const

export type Switch = keyof typeof SWITCHES

/** What an e-mail was sent by: a personal setting, or what its reader chose for the channel of an id. */
export type MailChoice = Switch | `channel${number}`

/** What the token of an e-mail says, whether or not it is good. */
export interface GivenToken {
  readonly userId: number
  readonly from: MailChoice
}

/**
 * The proof that an e-mail with a choice was sent to the address that a user has: signed with the server's key, so that
 * nothing has to be stored, and it is good for as long as the e-mail is there.
 */
async function proofOf(
  tokens: Tokens,
  organizationId: number,
  { userId, from, address }: { readonly userId: number; readonly from: MailChoice; readonly address: string },
): Promise<string> {
  return tokens.of(Buffer.from(`unsubscribe ${organizationId} ${userId} ${from} ${caseKey(address)}`))
}

export async function unsubscribeToken(
  tokens: Tokens,
  organizationId: number,
  choice: { readonly userId: number; readonly from: MailChoice; readonly address: string },
): Promise<string> {
  return `${choice.userId}-${choice.from}-${await proofOf(tokens, organizationId, choice)}`
}

export function readToken(token: string): GivenToken | undefined {
  const [, userId, from = ''] = /^(\d{1,15})-([a-z]+\d{0,15})-[\w-]{43}$/.exec(token) ?? []
  return userId === undefined || !isChoice(from) ? undefined : { userId: Number(userId), from }
}

export function isChoice(text: string): text is MailChoice {
  return Object.hasOwn(SWITCHES, text) || /^channel\d+$/.test(text)
}

/** What can be pressed at the end of an e-mail. */
export function endWords(language: string): { readonly unsubscribe: string; readonly settings: string } {
  return language === 'en'
    ? { unsubscribe: 'Stop these e-mails', settings: 'Choose which e-mails you get' }
    : { unsubscribe: 'Diese E-Mails abbestellen', settings: 'Wählen, welche E-Mails du bekommst' }
}
