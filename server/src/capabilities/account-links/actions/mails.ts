import type { OrganizationState } from '../../../kernel/projection.ts'
import type { ActorTx, Tx } from '../../../kernel/transaction.ts'
import type { ServerFacts } from '../../../platform/server-facts.ts'
import { reserveDailyMail } from '../../invitations/actions/mails.ts'
import { queueMail, type OutgoingMail } from '../../mail/actions/index.ts'
import { hasMailQueueSpace } from '../../mail/queries.ts'
import { organizationOf, settingOf } from '../../organizations/queries/index.ts'
import type { UserRow } from '../../users/queries/index.ts'
import { textLanguage } from '../../users/queries/settings.ts'
import { knownUser } from '../../users/rules/index.ts'

export const PASSWORD_LINK_PATH = '/password#'
export const RESET_REQUEST_PATH = '/password'
const EMAIL_LINK_PATH = '/email#'

export interface MailTexts {
  readonly subject: string
  readonly paragraphs: readonly string[]
  readonly label?: string
  readonly closing?: readonly string[]
}

interface MailWording {
  readonly password: (organization: string) => MailTexts
  readonly address: (organization: string, name: string) => MailTexts
  readonly taken: (organization: string) => MailTexts
  readonly moved: (organization: string, to: string) => MailTexts
  readonly movedBy: (organization: string, to: string, administrator: string) => MailTexts
  readonly device: (organization: string, device: string, time: string) => MailTexts
  readonly welcome: (organization: string, name: string, address: string) => MailTexts
  readonly made: (organization: string, maker: string, address: string) => MailTexts
}

const ENGLISH: MailWording = {
  password: (organization) => ({
    subject: `Reset your password for ${organization}`,
    paragraphs: ['Hello,', `Someone, probably you, asked to reset the password for your account at ${organization}.`],
    label: 'Choose a new password',
    closing: [
      'The link works once, for one hour.',
      'If this wasn’t you, ignore this email. Your password stays the same.',
    ],
  }),
  address: (organization, name) => ({
    subject: `Confirm your email for ${organization}`,
    paragraphs: ['Hello,', `${name} wants to use this email address at ${organization}.`],
    label: 'Confirm email',
    closing: ['The link works once, for one day.', 'If you weren’t expecting this, ignore this email.'],
  }),
  taken: (organization) => ({
    subject: `Your account at ${organization}`,
    paragraphs: [
      'Hello,',
      `Someone, probably you, tried to use this email address for another account at ${organization}. You already have an account with this address.`,
    ],
    closing: ['If this wasn’t you, ignore this email. Nothing has changed.'],
  }),
  moved: (organization, to) => ({
    subject: `Your email at ${organization} was changed`,
    paragraphs: ['Hello,', `The email address of your account at ${organization} was changed to ${to}.`],
    closing: ['If this wasn’t you, tell an admin right away.'],
  }),
  movedBy: (organization, to, administrator) => ({
    subject: `Your email at ${organization} was changed`,
    paragraphs: [
      'Hello,',
      `${administrator}, an admin of ${organization}, changed the email address of your account to ${to}. Anyone with access to that address can now reset your password.`,
    ],
    closing: [`If you didn’t ask for this, contact ${administrator} or an owner of ${organization}.`],
  }),
  device: (organization, device, time) => ({
    subject: `New sign-in to ${organization}`,
    paragraphs: [
      'Hello,',
      `Someone signed in to your account at ${organization} from a new device.`,
      `${device}\n${time}`,
    ],
    label: 'Not you? Choose a new password',
    closing: ['If this was you, there’s nothing to do.', 'You can turn off these emails in your settings.'],
  }),
  welcome: (organization, name, address) => ({
    subject: `Welcome to ${organization}`,
    paragraphs: [`Hello ${name},`, `Your account at ${organization} is ready. Sign in with ${address}.`],
    label: `Open ${organization}`,
    closing: ['Keep this email to find your way back.'],
  }),
  made: (organization, maker, address) => ({
    subject: `Welcome to ${organization}`,
    paragraphs: [
      'Hello,',
      `${maker} created an account at ${organization} for you. Sign in with ${address} and a password of your choice.`,
    ],
    label: 'Choose a password',
    closing: [`If you don’t know ${maker}, ignore this email.`],
  }),
}

const GERMAN: MailWording = {
  password: (organization) => ({
    subject: `Passwort für ${organization} zurücksetzen`,
    paragraphs: [
      'Hallo,',
      `jemand, vermutlich du, möchte das Passwort für dein Konto bei ${organization} zurücksetzen.`,
    ],
    label: 'Neues Passwort wählen',
    closing: [
      'Der Link gilt einmal, eine Stunde lang.',
      'Wenn du das nicht warst, ignoriere diese E-Mail. Dein Passwort bleibt unverändert.',
    ],
  }),
  address: (organization, name) => ({
    subject: `E-Mail-Adresse für ${organization} bestätigen`,
    paragraphs: ['Hallo,', `${name} möchte diese E-Mail-Adresse bei ${organization} verwenden.`],
    label: 'E-Mail-Adresse bestätigen',
    closing: ['Der Link gilt einmal, einen Tag lang.', 'Wenn du das nicht erwartest, ignoriere diese E-Mail.'],
  }),
  taken: (organization) => ({
    subject: `Dein Konto bei ${organization}`,
    paragraphs: [
      'Hallo,',
      `jemand, vermutlich du, wollte diese E-Mail-Adresse für ein weiteres Konto bei ${organization} verwenden. Du hast dort bereits ein Konto mit dieser Adresse.`,
    ],
    closing: ['Wenn du das nicht warst, ignoriere diese E-Mail. Es hat sich nichts geändert.'],
  }),
  moved: (organization, to) => ({
    subject: `Deine E-Mail-Adresse bei ${organization} wurde geändert`,
    paragraphs: ['Hallo,', `die E-Mail-Adresse deines Kontos bei ${organization} wurde in ${to} geändert.`],
    closing: ['Wenn du das nicht warst, melde dich sofort bei der Administration.'],
  }),
  movedBy: (organization, to, administrator) => ({
    subject: `Deine E-Mail-Adresse bei ${organization} wurde geändert`,
    paragraphs: [
      'Hallo,',
      `${administrator} aus der Administration von ${organization} hat die E-Mail-Adresse deines Kontos in ${to} geändert. Wer Zugriff auf diese Adresse hat, kann jetzt dein Passwort zurücksetzen.`,
    ],
    closing: [
      `Wenn du nicht darum gebeten hast, wende dich an ${administrator} oder an einen Inhaber von ${organization}.`,
    ],
  }),
  device: (organization, device, time) => ({
    subject: `Neue Anmeldung bei ${organization}`,
    paragraphs: [
      'Hallo,',
      `jemand hat sich von einem neuen Gerät aus bei deinem Konto bei ${organization} angemeldet.`,
      `${device}\n${time}`,
    ],
    label: 'Das warst nicht du? Neues Passwort wählen',
    closing: [
      'Wenn du das warst, musst du nichts tun.',
      'Diese E-Mails kannst du in deinen Einstellungen ausschalten.',
    ],
  }),
  welcome: (organization, name, address) => ({
    subject: `Willkommen bei ${organization}`,
    paragraphs: [`Hallo ${name},`, `dein Konto bei ${organization} ist bereit. Melde dich mit ${address} an.`],
    label: `${organization} öffnen`,
    closing: ['Bewahre diese E-Mail auf, um wieder hierher zu finden.'],
  }),
  made: (organization, maker, address) => ({
    subject: `Willkommen bei ${organization}`,
    paragraphs: [
      'Hallo,',
      `${maker} hat bei ${organization} ein Konto für dich erstellt. Melde dich mit ${address} und einem selbst gewählten Passwort an.`,
    ],
    label: 'Passwort wählen',
    closing: [`Wenn du ${maker} nicht kennst, ignoriere diese E-Mail.`],
  }),
}

function mailWordingFor(
  organization: OrganizationState,
  user: UserRow,
): { language: string; words: MailWording; name: string } {
  const language = textLanguage(organization, user)
  return { language, words: language === 'en' ? ENGLISH : GERMAN, name: organizationOf(organization).name }
}

export function passwordLinkMail(organization: OrganizationState, user: UserRow, seed: Buffer): OutgoingMail {
  const { language, words, name } = mailWordingFor(organization, user)
  return composeMail(user.deliveryEmail, language, words.password(name), { path: PASSWORD_LINK_PATH, seed })
}

export function addressConfirmationMail(
  organization: OrganizationState,
  user: UserRow,
  to: string,
  seed: Buffer,
): OutgoingMail {
  const { language, words, name } = mailWordingFor(organization, user)
  return composeMail(to, language, words.address(name, user.fullName), { path: EMAIL_LINK_PATH, seed })
}

export function addressTakenMail(organization: OrganizationState, owner: UserRow): OutgoingMail {
  const { language, words, name } = mailWordingFor(organization, owner)
  return composeMail(owner.deliveryEmail, language, words.taken(name))
}

export function addressChangedMail(organization: OrganizationState, before: UserRow, to: string): OutgoingMail {
  const { language, words, name } = mailWordingFor(organization, before)
  return composeMail(before.deliveryEmail, language, words.moved(name, to))
}

/** Notifies the former address, unless the mail queue is full. */
export async function queueAddressChangedMail(
  tx: ActorTx,
  server: Pick<ServerFacts, 'mailer'>,
  before: UserRow,
  to: string,
): Promise<void> {
  if (!server.mailer.isConfigured || before.botType !== null) return
  if (!(await hasMailQueueSpace(tx.db, tx.organizationId))) return
  const { language, words, name } = mailWordingFor(tx.organization, before)
  const administrator = knownUser(tx.organization, tx.actor.userId).fullName
  await queueMail(tx, composeMail(before.deliveryEmail, language, words.movedBy(name, to, administrator)))
}

/** `at` in UNIX seconds. */
export function formatTimeFor(user: UserRow, language: string, at: number): string {
  const options = { dateStyle: 'long', timeStyle: 'long', timeZone: user.timezone || 'UTC' } as const
  return new Intl.DateTimeFormat(language, options).format(at * 1000)
}

/** `at` in UNIX seconds. */
export function newDeviceMail(
  organization: OrganizationState,
  user: UserRow,
  device: string,
  at: number,
): OutgoingMail {
  const { language, words, name } = mailWordingFor(organization, user)
  const time = formatTimeFor(user, language, at)
  const mail = composeMail(user.deliveryEmail, language, words.device(name, device, time), { path: RESET_REQUEST_PATH })
  return { ...mail, unsubscribe: { userId: user.id, from: 'logins' } }
}

/** Queues the welcome email, if the mail queue and the daily limit allow it. `maker`: user who created the account. */
export async function queueWelcomeMail(
  tx: Tx,
  server: Pick<ServerFacts, 'mailer'>,
  user: UserRow,
  maker?: UserRow,
): Promise<void> {
  if (!server.mailer.isConfigured || !settingOf(tx.organization, 'send_welcome_emails')) return
  if (!(await hasMailQueueSpace(tx.db, tx.organizationId))) return
  // Administrators can enter any address, so the daily limit applies to them. People who join confirmed their own.
  if (maker !== undefined && !(await reserveDailyMail(tx))) return
  const { language, words, name } = mailWordingFor(tx.organization, user)
  const { deliveryEmail: to, fullName } = user
  const mail =
    maker === undefined
      ? composeMail(to, language, words.welcome(name, fullName, to), { path: '/' })
      : composeMail(to, language, words.made(name, maker.fullName, to), { path: RESET_REQUEST_PATH })
  await queueMail(tx, mail)
}

export function composeMail(
  to: string,
  language: string,
  { subject, paragraphs, label, closing = [] }: MailTexts,
  target?: { readonly path: string; readonly seed?: Buffer },
): OutgoingMail {
  const button = label === undefined || target === undefined ? {} : { button: { label, ...target } }
  return { to, language, subject, paragraphs, ...button, closing }
}
