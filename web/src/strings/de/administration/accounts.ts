import { count } from '../numbers.ts'
import type { Administration } from '../../en/administration/index.ts'

export const accounts: Administration['accounts'] = {
  title: 'Personen',
  newPeople: 'Einstellungen neuer Personen',
  newPeopleMore:
    'Was du wählst, gilt sofort, für Konten, die ab jetzt entstehen; die anderen bleiben, wie sie sind. Neue Personen lesen die Sprache der Organisation.',
  all: 'Alle Personen',
  find: 'Nach Name oder Adresse finden',
  role: 'Rolle',
  everyRole: 'Jede Rolle',
  state: 'Konten',
  active: 'Aktiv',
  deactivated: 'Deaktiviert',
  number: (people) => count(people, 'Person', 'Personen'),
  create: 'Neues Konto',
  email: 'E-Mail-Adresse',
  name: 'Name',
  password: 'Passwort',
  passwordMore: 'Sag es der Person; sie kann es ändern.',
  joined: 'Dabei seit',
  onlyOwners: 'Inhaber ändern nur Inhaber.',
  noAddress: 'Adresse verborgen',
  fields: 'Profil',
  passwordLink: 'Link für ein anderes Passwort kopieren',
  passwordLinkMore:
    'Für Personen, die ihres vergessen haben, wenn dieser Server keine E-Mails verschickt. Der Link gilt einmal, eine Stunde lang; wer ihn hat, kommt in das Konto.',
  passwordLinkCopied: 'Der Link ist kopiert',
  passwordLinkSent: 'Dieser Server verschickt E-Mails: Die Person bekommt den Link über „Passwort vergessen?“.',
  secondFactor: 'Zweiter Faktor',
  noSecondFactor: 'Dieses Konto hat keinen.',
  secondFactorSince: (day) => `Eingerichtet: ${day}`,
  removeSecondFactor: 'Zweiten Faktor entfernen',
  secondFactorSure: (name) =>
    `Den zweiten Faktor von ${name} entfernen? Dann kann sich anmelden, wer das Passwort kennt. Tu es nur, wenn du sicher bist, dass die Person selbst dich darum bittet.`,
  secondFactorWasRemoved: (name) => `Der zweite Faktor von ${name} ist entfernt`,
  deactivate: 'Konto deaktivieren',
  deactivateSure: (name) =>
    `${name} deaktivieren? Die Person wird überall abgemeldet und kann sich nicht mehr anmelden. Was sie schrieb, bleibt.`,
  reactivate: 'Konto reaktivieren',
  wasDeactivated: (name) => `${name} ist deaktiviert`,
  wasReactivated: (name) => `${name} ist wieder aktiv`,
}
