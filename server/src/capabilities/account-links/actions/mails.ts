import type { OrganizationState } from '../../../kernel/projection.ts'
import type { ActorTx, Tx } from '../../../kernel/transaction.ts'
import type { ServerFacts } from '../../../platform/server-facts.ts'
import { takeMailLeft } from '../../invitations/actions/sending.ts'
import { queueMail, type OutgoingMail } from '../../mail/actions/index.ts'
import { hasRoomForMail } from '../../mail/queries.ts'
import { organizationOf, setting } from '../../organizations/queries/index.ts'
import type { UserRow } from '../../users/queries/index.ts'
import { writtenLanguage } from '../../users/queries/languages.ts'
import { knownUser } from '../../users/rules/index.ts'

export const PASSWORD_PATH = '/password#'
export const FORGOTTEN_PATH = '/password'
const EMAIL_PATH = '/email#'

export interface Letter {
  readonly subject: string
  readonly paragraphs: readonly string[]
  readonly label?: string
  readonly closing?: readonly string[]
}

interface Words {
  readonly password: (organization: string) => Letter
  readonly address: (organization: string, name: string) => Letter
  readonly taken: (organization: string) => Letter
  readonly moved: (organization: string, to: string) => Letter
  readonly movedBy: (organization: string, to: string, administrator: string) => Letter
  readonly device: (organization: string, device: string, time: string) => Letter
  readonly welcome: (organization: string, name: string, address: string) => Letter
  readonly made: (organization: string, maker: string, address: string) => Letter
}

const ENGLISH: Words = {
  password: (organization) => ({
    subject: `Another password for ${organization}`,
    paragraphs: [
      'Hello,',
      `somebody, probably you, wants to choose another password for your account at ${organization}.`,
    ],
    label: 'Choose another password',
    closing: [
      'The link is good once, for an hour.',
      'If it was not you, you need not do anything: your password stays.',
    ],
  }),
  address: (organization, name) => ({
    subject: `Confirm your address for ${organization}`,
    paragraphs: ['Hello,', `${name} wants to use this address at ${organization} from now on.`],
    label: 'Confirm this address',
    closing: ['The link is good once, for a day.', 'If you do not know of it, you need not do anything.'],
  }),
  taken: (organization) => ({
    subject: `Your address at ${organization}`,
    paragraphs: [
      'Hello,',
      `somebody, probably you, wanted to use this address for another account at ${organization}. It has an account there already, with which you sign in.`,
    ],
    closing: ['If it was not you, you need not do anything: nothing has changed.'],
  }),
  moved: (organization, to) => ({
    subject: `Your address at ${organization} has changed`,
    paragraphs: [
      'Hello,',
      `your account at ${organization} has the address ${to} from now on, and this one no longer.`,
    ],
    closing: ['If it was not you, tell an administrator at once.'],
  }),
  movedBy: (organization, to, administrator) => ({
    subject: `Your address at ${organization} has changed`,
    paragraphs: [
      'Hello,',
      `${administrator}, an administrator of ${organization}, changed the address of your account from this one to ${to}. Whoever reads that address can now reset your password.`,
    ],
    closing: [`If you did not ask for it, talk to ${administrator} or an owner of ${organization}.`],
  }),
  device: (organization, device, time) => ({
    subject: `New sign-in to ${organization}`,
    paragraphs: [
      'Hello,',
      `somebody signed in to ${organization} with your account from a device that was not signed in before.`,
      `${device}\n${time}`,
    ],
    label: 'It was not me: choose another password',
    closing: ['If it was you, you need not do anything.', 'Your settings say whether you get these e-mails.'],
  }),
  welcome: (organization, name, address) => ({
    subject: `Welcome to ${organization}`,
    paragraphs: [`Hello ${name},`, `you have an account at ${organization} now. You sign in with ${address}.`],
    label: `Open ${organization}`,
    closing: ['Keep this e-mail to find the way back.'],
  }),
  made: (organization, maker, address) => ({
    subject: `Welcome to ${organization}`,
    paragraphs: [
      'Hello,',
      `${maker} has made an account at ${organization} for you. You sign in with ${address}, and with a password that you can choose yourself.`,
    ],
    label: 'Choose a password',
    closing: [`If you do not know ${maker}, you need not do anything.`],
  }),
}

const GERMAN: Words = {
  password: (organization) => ({
    subject: `Ein neues Passwort für ${organization}`,
    paragraphs: ['Hallo,', `jemand, vermutlich du, will ein neues Passwort für dein Konto bei ${organization} wählen.`],
    label: 'Neues Passwort wählen',
    closing: [
      'Der Link gilt einmal und eine Stunde lang.',
      'Wenn du das nicht warst, musst du nichts tun: Dein Passwort bleibt.',
    ],
  }),
  address: (organization, name) => ({
    subject: `Bestätige deine Adresse für ${organization}`,
    paragraphs: ['Hallo,', `${name} will diese Adresse von nun an bei ${organization} benutzen.`],
    label: 'Diese Adresse bestätigen',
    closing: ['Der Link gilt einmal und einen Tag lang.', 'Wenn du nichts davon weißt, musst du nichts tun.'],
  }),
  taken: (organization) => ({
    subject: `Deine Adresse bei ${organization}`,
    paragraphs: [
      'Hallo,',
      `jemand, vermutlich du, wollte diese Adresse für ein anderes Konto bei ${organization} benutzen. Sie hat dort schon ein Konto, mit dem du dich anmeldest.`,
    ],
    closing: ['Wenn du das nicht warst, musst du nichts tun: Nichts hat sich geändert.'],
  }),
  moved: (organization, to) => ({
    subject: `Deine Adresse bei ${organization} hat sich geändert`,
    paragraphs: ['Hallo,', `dein Konto bei ${organization} hat von nun an die Adresse ${to}, und diese nicht mehr.`],
    closing: ['Wenn du das nicht warst, sage es sofort jemandem aus der Verwaltung.'],
  }),
  movedBy: (organization, to, administrator) => ({
    subject: `Deine Adresse bei ${organization} hat sich geändert`,
    paragraphs: [
      'Hallo,',
      `${administrator} aus der Verwaltung von ${organization} hat die Adresse deines Kontos von dieser auf ${to} geändert. Wer jene Adresse liest, kann jetzt dein Passwort zurücksetzen.`,
    ],
    closing: [
      `Wenn du nicht darum gebeten hast, sprich mit ${administrator} oder mit jemandem, dem ${organization} gehört.`,
    ],
  }),
  device: (organization, device, time) => ({
    subject: `Neue Anmeldung bei ${organization}`,
    paragraphs: [
      'Hallo,',
      `jemand hat sich mit deinem Konto bei ${organization} angemeldet, von einem Gerät, das vorher nicht angemeldet war.`,
      `${device}\n${time}`,
    ],
    label: 'Das war nicht ich: neues Passwort wählen',
    closing: [
      'Wenn du das warst, musst du nichts tun.',
      'In deinen Einstellungen steht, ob du diese E-Mails bekommst.',
    ],
  }),
  welcome: (organization, name, address) => ({
    subject: `Willkommen bei ${organization}`,
    paragraphs: [`Hallo ${name},`, `du hast jetzt ein Konto bei ${organization}. Du meldest dich mit ${address} an.`],
    label: `${organization} öffnen`,
    closing: ['Bewahre diese E-Mail auf, dann findest du wieder hin.'],
  }),
  made: (organization, maker, address) => ({
    subject: `Willkommen bei ${organization}`,
    paragraphs: [
      'Hallo,',
      `${maker} hat bei ${organization} ein Konto für dich angelegt. Du meldest dich mit ${address} und einem Passwort an, das du selbst wählen kannst.`,
    ],
    label: 'Passwort wählen',
    closing: [`Wenn du ${maker} nicht kennst, musst du nichts tun.`],
  }),
}

function lettersFor(organization: OrganizationState, user: UserRow): { language: string; words: Words; name: string } {
  const language = writtenLanguage(organization, user)
  return { language, words: language === 'en' ? ENGLISH : GERMAN, name: organizationOf(organization).name }
}

export function passwordMail(organization: OrganizationState, user: UserRow, seed: Buffer): OutgoingMail {
  const { language, words, name } = lettersFor(organization, user)
  return written(user.deliveryEmail, language, words.password(name), { path: PASSWORD_PATH, seed })
}

export function addressMail(organization: OrganizationState, user: UserRow, to: string, seed: Buffer): OutgoingMail {
  const { language, words, name } = lettersFor(organization, user)
  return written(to, language, words.address(name, user.fullName), { path: EMAIL_PATH, seed })
}

export function takenMail(organization: OrganizationState, owner: UserRow): OutgoingMail {
  const { language, words, name } = lettersFor(organization, owner)
  return written(owner.deliveryEmail, language, words.taken(name))
}

export function movedMail(organization: OrganizationState, before: UserRow, to: string): OutgoingMail {
  const { language, words, name } = lettersFor(organization, before)
  return written(before.deliveryEmail, language, words.moved(name, to))
}

/** Notifies the former address that an administrator changed it. Skipped while the mail queue is full. */
export async function queueMovedBy(
  tx: ActorTx,
  server: Pick<ServerFacts, 'mailer'>,
  before: UserRow,
  to: string,
): Promise<void> {
  if (!server.mailer.isConfigured || before.botType !== null) return
  if (!(await hasRoomForMail(tx.db, tx.organizationId))) return
  const { language, words, name } = lettersFor(tx.organization, before)
  const administrator = knownUser(tx.organization, tx.actor.userId).fullName
  await queueMail(tx, written(before.deliveryEmail, language, words.movedBy(name, to, administrator)))
}

/** @param at UNIX seconds */
export function timeFor(user: UserRow, language: string, at: number): string {
  const options = { dateStyle: 'long', timeStyle: 'long', timeZone: user.timezone || 'UTC' } as const
  return new Intl.DateTimeFormat(language, options).format(at * 1000)
}

/** @param at UNIX seconds */
export function deviceMail(organization: OrganizationState, user: UserRow, device: string, at: number): OutgoingMail {
  const { language, words, name } = lettersFor(organization, user)
  const time = timeFor(user, language, at)
  const mail = written(user.deliveryEmail, language, words.device(name, device, time), { path: FORGOTTEN_PATH })
  return { ...mail, unsubscribe: { userId: user.id, from: 'logins' } }
}

/**
 * Queues the welcome email for a new account. Skips it while the mail queue is full or if the day's limit for
 * unrequested emails is reached.
 * @param maker the administrator who created the account, if any
 */
export async function queueWelcome(
  tx: Tx,
  server: Pick<ServerFacts, 'mailer'>,
  user: UserRow,
  maker?: UserRow,
): Promise<void> {
  if (!server.mailer.isConfigured || !setting(tx.organization, 'send_welcome_emails')) return
  if (!(await hasRoomForMail(tx.db, tx.organizationId))) return
  // New members proved their address. An administrator can enter any address, so this email counts as unrequested.
  if (maker !== undefined && !(await takeMailLeft(tx))) return
  const { language, words, name } = lettersFor(tx.organization, user)
  const { deliveryEmail: to, fullName } = user
  const mail =
    maker === undefined
      ? written(to, language, words.welcome(name, fullName, to), { path: '/' })
      : written(to, language, words.made(name, maker.fullName, to), { path: FORGOTTEN_PATH })
  await queueMail(tx, mail)
}

export function written(
  to: string,
  language: string,
  { subject, paragraphs, label, closing = [] }: Letter,
  target?: { readonly path: string; readonly seed?: Buffer },
): OutgoingMail {
  const button = label === undefined || target === undefined ? {} : { button: { label, ...target } }
  return { to, language, subject, paragraphs, ...button, closing }
}
