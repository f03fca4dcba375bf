import type { OrganizationState } from '../../../kernel/projection.ts'
import type { OutgoingMail } from '../../mail/actions/index.ts'
import { organizationOf } from '../../organizations/queries/index.ts'
import type { UserRow } from '../../users/queries/index.ts'
import { textLanguage } from '../../users/queries/settings.ts'
import { RESET_REQUEST_PATH, formatTimeFor, composeMail } from './mails.ts'

export type CredentialNotice =
  | { readonly of: 'passkey' | 'apiToken'; readonly name: string }
  | { readonly of: 'secondFactor' | 'noSecondFactor' | 'recoveryCodes' | 'password' | 'noPassword' }

interface NoticeWording {
  readonly subjects: Readonly<Record<CredentialNotice['of'], (organization: string) => string>>
  readonly hello: string
  readonly facts: Readonly<Record<CredentialNotice['of'], (organization: string) => string>>
  readonly label: string
  readonly closing: readonly string[]
}

const ENGLISH: NoticeWording = {
  subjects: {
    passkey: (organization) => `New passkey at ${organization}`,
    apiToken: (organization) => `New API token at ${organization}`,
    secondFactor: (organization) => `Two-factor authentication turned on at ${organization}`,
    noSecondFactor: (organization) => `Two-factor authentication turned off at ${organization}`,
    recoveryCodes: (organization) => `New recovery codes at ${organization}`,
    password: (organization) => `Your password at ${organization} was changed`,
    noPassword: (organization) => `Your password at ${organization} was removed`,
  },
  hello: 'Hello,',
  facts: {
    passkey: (organization) => `A passkey was added to your account at ${organization}:`,
    apiToken: (organization) => `An API token was created for your account at ${organization}:`,
    secondFactor: (organization) =>
      `Two-factor authentication is now on for your account at ${organization}. Signing in takes a code in addition to your password.`,
    noSecondFactor: (organization) =>
      `You or an admin turned off two-factor authentication for your account at ${organization}. The password alone is now enough to sign in.`,
    recoveryCodes: (organization) =>
      `Your account at ${organization} has new recovery codes. The previous ones no longer work.`,
    password: (organization) =>
      `The password of your account at ${organization} was changed, and other devices were signed out.`,
    noPassword: (organization) =>
      `Someone signed in to ${organization} through the identity provider with your email address. The address was never confirmed before, so your password, API keys, and passkeys no longer work, and other devices were signed out.`,
  },
  label: 'Not you? Choose a new password',
  closing: ['If this was you, there’s nothing to do.', 'If not, tell an admin too.'],
}

const GERMAN: NoticeWording = {
  subjects: {
    passkey: (organization) => `Neuer Passkey bei ${organization}`,
    apiToken: (organization) => `Neues API-Token bei ${organization}`,
    secondFactor: (organization) => `Zwei-Faktor-Authentifizierung bei ${organization} eingeschaltet`,
    noSecondFactor: (organization) => `Zwei-Faktor-Authentifizierung bei ${organization} ausgeschaltet`,
    recoveryCodes: (organization) => `Neue Wiederherstellungscodes bei ${organization}`,
    password: (organization) => `Dein Passwort bei ${organization} wurde geändert`,
    noPassword: (organization) => `Dein Passwort bei ${organization} wurde entfernt`,
  },
  hello: 'Hallo,',
  facts: {
    passkey: (organization) => `zu deinem Konto bei ${organization} wurde ein Passkey hinzugefügt:`,
    apiToken: (organization) => `für dein Konto bei ${organization} wurde ein API-Token erstellt:`,
    secondFactor: (organization) =>
      `für dein Konto bei ${organization} ist jetzt die Zwei-Faktor-Authentifizierung eingeschaltet. Zum Anmelden brauchst du außer dem Passwort einen Code.`,
    noSecondFactor: (organization) =>
      `du oder die Administration haben die Zwei-Faktor-Authentifizierung für dein Konto bei ${organization} ausgeschaltet. Zum Anmelden genügt jetzt das Passwort.`,
    recoveryCodes: (organization) =>
      `dein Konto bei ${organization} hat neue Wiederherstellungscodes. Die bisherigen gelten nicht mehr.`,
    password: (organization) =>
      `das Passwort deines Kontos bei ${organization} wurde geändert, und andere Geräte wurden abgemeldet.`,
    noPassword: (organization) =>
      `jemand hat sich bei ${organization} über den Identitätsanbieter mit deiner E-Mail-Adresse angemeldet. Die Adresse war noch nie bestätigt. Deshalb gelten dein Passwort, deine API-Schlüssel und deine Passkeys nicht mehr, und andere Geräte wurden abgemeldet.`,
  },
  label: 'Das warst nicht du? Neues Passwort wählen',
  closing: ['Wenn du das warst, musst du nichts tun.', 'Andernfalls melde dich auch bei der Administration.'],
}

/** Users cannot turn these emails off, because an intruder would do so first. `at` in UNIX seconds. */
export function credentialNoticeMail(
  organization: OrganizationState,
  user: UserRow,
  notice: CredentialNotice,
  at: number,
): OutgoingMail {
  const language = textLanguage(organization, user)
  const words = language === 'en' ? ENGLISH : GERMAN
  const { name } = organizationOf(organization)
  const time = formatTimeFor(user, language, at)
  const paragraphs = [words.hello, words.facts[notice.of](name), 'name' in notice ? `${notice.name}\n${time}` : time]
  const { label, closing } = words
  const letter = { subject: words.subjects[notice.of](name), paragraphs, label, closing }
  return composeMail(user.deliveryEmail, language, letter, { path: RESET_REQUEST_PATH })
}
