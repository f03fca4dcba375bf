import { caseKey } from '../../kernel/case-key.ts'
import type { Tokens } from '../../platform/tokens/tokens.ts'

export const MAIL_CLIENT = 'e-mail'

export const MAIL_SETTINGS = {
  personal: 'enable_offline_email_notifications',
  followed: 'enable_followed_topic_email_notifications',
  channels: 'enable_stream_email_notifications',
  digest: 'enable_digest_emails',
  logins: 'enable_login_emails',
} as const

export type MailSetting = keyof typeof MAIL_SETTINGS

/** Reason for an email: a personal setting, or the recipient's choice for the channel with this ID. */
export type MailChoice = MailSetting | `channel${number}`

export interface ParsedUnsubscribeToken {
  readonly userId: number
  readonly from: MailChoice
}

/** Proves that an email with the reason `from` was sent to the user's current address. Nothing is stored. */
async function unsubscribeProof(
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
  return `${choice.userId}-${choice.from}-${await unsubscribeProof(tokens, organizationId, choice)}`
}

export function parseUnsubscribeToken(token: string): ParsedUnsubscribeToken | undefined {
  const [, userId, from = ''] = /^(\d{1,15})-([a-z]+\d{0,15})-[\w-]{43}$/.exec(token) ?? []
  return userId === undefined || !isMailChoice(from) ? undefined : { userId: Number(userId), from }
}

export function isMailChoice(text: string): text is MailChoice {
  return Object.hasOwn(MAIL_SETTINGS, text) || /^channel\d+$/.test(text)
}

export function footerTexts(language: string): { readonly unsubscribe: string; readonly settings: string } {
  return language === 'en'
    ? { unsubscribe: 'Unsubscribe', settings: 'Email settings' }
    : { unsubscribe: 'Abbestellen', settings: 'E-Mail-Einstellungen' }
}
