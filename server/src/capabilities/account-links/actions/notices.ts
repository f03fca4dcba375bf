import type { OrganizationState } from '../../../kernel/projection.ts'
import type { OutgoingMail } from '../../mail/actions/index.ts'
import { organizationOf } from '../../organizations/queries/index.ts'
import type { UserRow } from '../../users/queries/index.ts'
import { writtenLanguage } from '../../users/queries/languages.ts'
import { FORGOTTEN_PATH, timeFor, written } from './mails.ts'

export type Notice =
  | { readonly of: 'passkey' | 'apiToken'; readonly name: string }
  | { readonly of: 'secondFactor' | 'noSecondFactor' | 'recoveryCodes' | 'password' | 'noPassword' }

interface Words {
  readonly subjects: Readonly<Record<Notice['of'], (organization: string) => string>>
  readonly hello: string
  readonly said: Readonly<Record<Notice['of'], (organization: string) => string>>
  readonly label: string
  readonly closing: readonly string[]
}

const ENGLISH: Words = {
  subjects: {
    passkey: (organization) => `New passkey at ${organization}`,
    apiToken: (organization) => `New API token at ${organization}`,
    secondFactor: (organization) => `Second factor at ${organization}`,
    noSecondFactor: (organization) => `Second factor at ${organization} removed`,
    recoveryCodes: (organization) => `New recovery codes at ${organization}`,
    password: (organization) => `Your password at ${organization} has changed`,
    noPassword: (organization) => `Your password at ${organization} was removed`,
  },
  hello: 'Hello,',
  said: {
    passkey: (organization) => `your account at ${organization} has a new passkey, with which one signs in:`,
    apiToken: (organization) => `your account at ${organization} has a new API token, with which a program uses it:`,
    secondFactor: (organization) =>
      `your account at ${organization} has a second factor now: signing in takes a code beside the password.`,
    noSecondFactor: (organization) =>
      `the second factor of your account at ${organization} was removed, by you or by an administrator. The password is enough to sign in now.`,
    recoveryCodes: (organization) =>
      `your account at ${organization} has new recovery codes. Those before are good no more.`,
    password: (organization) =>
      `your account at ${organization} has another password now, and other devices are signed out.`,
    noPassword: (organization) =>
      `someone signed in to ${organization} with your address at the identity provider. The address was never confirmed before, so your password, API keys, and passkeys no longer work, and other devices are signed out.`,
  },
  label: 'It was not me: choose another password',
  closing: ['If it was you, you need not do anything.', 'If it was not you, tell an administrator as well.'],
}

const GERMAN: Words = {
  subjects: {
    passkey: (organization) => `Neuer Passkey bei ${organization}`,
    apiToken: (organization) => `Neues API-Token bei ${organization}`,
    secondFactor: (organization) => `Zweiter Faktor bei ${organization}`,
    noSecondFactor: (organization) => `Zweiter Faktor bei ${organization} entfernt`,
    recoveryCodes: (organization) => `Neue Wiederherstellungscodes bei ${organization}`,
    password: (organization) => `Dein Passwort bei ${organization} hat sich geändert`,
    noPassword: (organization) => `Dein Passwort bei ${organization} wurde entfernt`,
  },
  hello: 'Hallo,',
  said: {
    passkey: (organization) => `dein Konto bei ${organization} hat einen neuen Passkey, mit dem man sich anmeldet:`,
    apiToken: (organization) =>
      `dein Konto bei ${organization} hat ein neues API-Token, mit dem ein Programm es benutzt:`,
    secondFactor: (organization) =>
      `dein Konto bei ${organization} hat jetzt einen zweiten Faktor: Zum Anmelden braucht man außer dem Passwort einen Code.`,
    noSecondFactor: (organization) =>
      `der zweite Faktor deines Kontos bei ${organization} wurde entfernt, von dir oder von der Administration. Zum Anmelden genügt jetzt das Passwort.`,
    recoveryCodes: (organization) =>
      `dein Konto bei ${organization} hat neue Wiederherstellungscodes. Die alten gelten nicht mehr.`,
    password: (organization) =>
      `dein Konto bei ${organization} hat jetzt ein anderes Passwort, und andere Geräte sind abgemeldet.`,
    noPassword: (organization) =>
      `jemand hat sich bei ${organization} über den Identitätsanbieter mit deiner Adresse angemeldet. Die Adresse war noch nie bestätigt. Deshalb gelten dein Passwort, deine API-Schlüssel und deine Passkeys nicht mehr, und andere Geräte sind abgemeldet.`,
  },
  label: 'Das war nicht ich: neues Passwort wählen',
  closing: [
    'Wenn du das warst, musst du nichts tun.',
    'Wenn du das nicht warst, sage es auch jemandem aus der Administration.',
  ],
}

/** Writes an email without an opt-out, which an intruder would use first. @param at UNIX seconds */
export function noticeMail(organization: OrganizationState, user: UserRow, notice: Notice, at: number): OutgoingMail {
  const language = writtenLanguage(organization, user)
  const words = language === 'en' ? ENGLISH : GERMAN
  const { name } = organizationOf(organization)
  const time = timeFor(user, language, at)
  const paragraphs = [words.hello, words.said[notice.of](name), 'name' in notice ? `${notice.name}\n${time}` : time]
  const { label, closing } = words
  const letter = { subject: words.subjects[notice.of](name), paragraphs, label, closing }
  return written(user.deliveryEmail, language, letter, { path: FORGOTTEN_PATH })
}
