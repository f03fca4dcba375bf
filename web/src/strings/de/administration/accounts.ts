import { count } from '../numbers.ts'
import type { Administration } from '../../en/administration/index.ts'

export const accounts: Administration['accounts'] = {
  title: 'Personen',
  newPeople: 'Vorgaben für neue Personen',
  newPeopleMore:
    'Gelten für Konten, die nach einer Änderung entstehen. Neue Personen beginnen mit der Sprache der Organisation.',
  all: 'Alle Personen',
  find: 'Nach Name oder E-Mail-Adresse suchen',
  role: 'Rolle',
  everyRole: 'Alle Rollen',
  state: 'Konten',
  active: 'Aktiv',
  deactivated: 'Deaktiviert',
  number: (people) => count(people, 'Person', 'Personen'),
  create: 'Konto erstellen',
  email: 'E-Mail-Adresse',
  name: 'Name',
  password: 'Passwort',
  passwordMore: 'Gib es der Person weiter; sie kann es ändern.',
  joined: 'Beigetreten',
  onlyOwners: 'Nur Inhaber können Inhaber ändern.',
  noAddress: 'E-Mail-Adresse verborgen',
  fields: 'Profil',
  passwordLink: 'Link zum Zurücksetzen des Passworts kopieren',
  passwordLinkMore:
    'Für Personen, die ihr Passwort vergessen haben, wenn dieser Server keine E-Mails verschickt. Der Link gilt einmal, eine Stunde lang. Wer ihn hat, kommt in das Konto.',
  passwordLinkCopied: 'Link kopiert',
  passwordLinkSent: 'Dieser Server verschickt E-Mails: Die Person kann „Passwort vergessen?“ nutzen.',
  secondFactor: 'Zwei-Faktor-Authentifizierung',
  noSecondFactor: 'Für dieses Konto ausgeschaltet',
  secondFactorSince: (day) => `Eingerichtet am ${day}`,
  removeSecondFactor: 'Zwei-Faktor-Authentifizierung ausschalten',
  secondFactorSure: (name) =>
    `Zwei-Faktor-Authentifizierung für ${name} ausschalten? Danach genügt das Passwort zum Anmelden. Stell sicher, dass die Bitte wirklich von dieser Person kommt.`,
  secondFactorWasRemoved: (name) => `Zwei-Faktor-Authentifizierung für ${name} ausgeschaltet`,
  deactivate: 'Konto deaktivieren',
  deactivateSure: (name) =>
    `${name} deaktivieren? Die Person wird überall abgemeldet und kann sich nicht mehr anmelden. Ihre Nachrichten bleiben erhalten.`,
  reactivate: 'Konto reaktivieren',
  wasDeactivated: (name) => `${name} deaktiviert`,
  wasReactivated: (name) => `${name} reaktiviert`,
}
