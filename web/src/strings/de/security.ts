import type { Security, UnsavedTexts } from '../en/security.ts'
import { count } from './numbers.ts'

export const security: Security = {
  security: 'Sicherheit',
  secondFactor: 'Zwei-Faktor-Authentifizierung',
  more: 'Melde dich zusätzlich zum Passwort mit einem Code aus einer Authenticator-App an.',
  setUp: 'Zwei-Faktor-Authentifizierung einrichten',
  remove: 'Zwei-Faktor-Authentifizierung ausschalten',
  removed: 'Zwei-Faktor-Authentifizierung ausgeschaltet',
  newCodes: 'Neue Wiederherstellungscodes erstellen',
  since: (day) => `Eingerichtet am ${day}`,
  codesLeft: (left) => `Du hast noch ${count(left, 'Wiederherstellungscode', 'Wiederherstellungscodes')}.`,
  required: 'Diese Organisation verlangt Zwei-Faktor-Authentifizierung.',
  passwordHint: 'Leer lassen, wenn du keines hast.',
  next: 'Weiter',
  scan: 'Scanne diesen Code mit deiner Authenticator-App.',
  qrCode: 'QR-Code für die Authenticator-App',
  type: 'Oder gib diesen Schlüssel in der App ein:',
  code: 'Code',
  codeHint:
    'Der sechsstellige Code aus deiner App oder ein Wiederherstellungscode. Hast du keinen, wende dich an die Administration.',
  firstCodeHint: 'Der sechsstellige Code aus deiner App.',
  confirm: 'Bestätigen',
  // Soft hyphen: the heading is too long for small phones.
  recoveryCodes: 'Wiederherstellungs\u00ADcodes',
  keepCodes:
    'Bewahre diese Codes sicher auf. Mit jedem kannst du dich einmal anmelden, wenn du die Authenticator-App verlierst. Sie werden nicht noch einmal angezeigt.',
  copyCodes: 'Kopieren',
  kept: 'Codes gespeichert',
  enter: 'Noch ein Schritt',
  again: 'Erneut anmelden',
  setUpFirst: 'Diese Organisation verlangt Zwei-Faktor-Authentifizierung. Richte sie ein, um dich anzumelden.',
  confirming: {
    title: 'Bestätige, dass du es bist',
    more: 'Deine Anmeldung ist schon eine Weile her. Bestätige für diese Änderung, dass du es bist.',
    signInAgain: 'Deine Anmeldung ist schon eine Weile her. Melde dich für diese Änderung noch einmal an.',
    passkey: 'Passkey verwenden',
  },
  password: {
    title: 'Passwort',
    more: 'Wenn du kein Passwort hast, melde dich ab und wähle „Passwort vergessen?“.',
    current: 'Aktuelles Passwort',
    next: 'Neues Passwort',
    change: 'Passwort ändern',
    changed:
      'Passwort geändert. Andere Browser sind abgemeldet, und deine API-Tokens sind widerrufen. Passkeys, dein API-Schlüssel und E-Mail-Adressen von Kanälen gelten weiter. Du kannst sie unten widerrufen.',
  },
  otherAccess: {
    title: 'Weitere Zugänge',
    more: 'Wenn jemand anderes dein Konto benutzt haben könnte, ändere dein Passwort und widerrufe dann alle übrigen Zugänge: andere Anmeldungen, Passkeys, Schlüssel, Tokens und E-Mail-Adressen von Kanälen.',
    revoke: 'Alle weiteren Zugänge widerrufen',
    sure: 'Alle weiteren Zugänge widerrufen? Andere Geräte werden abgemeldet. Passkeys, API-Schlüssel und -Tokens sowie E-Mail-Adressen von Kanälen gelten nicht mehr, auch die deiner Bots. Nur dieser Browser, dein Passwort und die Zwei-Faktor-Authentifizierung bleiben.',
  },
  passkeys: {
    title: 'Passkeys',
    more: 'Melde dich mit Fingerabdruck, Gesicht oder Geräte-PIN an, statt mit Passwort und Code.',
    add: 'Passkey hinzufügen',
    added: 'Passkey hinzugefügt',
    stopped: 'Es wurde kein Passkey erstellt.',
    unknown: 'Passkeys sind hier nicht verfügbar. Sie brauchen eine verschlüsselte Seite (HTTPS).',
    name: 'Name',
    nameHint: 'Zum Beispiel das Gerät, auf dem er gespeichert ist.',
    go: 'Auf dem Gerät fortfahren',
    rename: 'Umbenennen',
    renameOf: (name) => `${name} umbenennen`,
    remove: 'Entfernen',
    removeOf: (name) => `${name} entfernen`,
    removeSure: (name) => `${name} entfernen? Du kannst dich damit dann nicht mehr anmelden.`,
    removed: 'Passkey entfernt',
    made: (day) => `Erstellt am ${day}`,
    signIn: 'Mit einem Passkey anmelden',
    needed: 'Melde dich mit einem deiner Passkeys an.',
  },
}

export const unsaved: UnsavedTexts = {
  notUploaded: (file) => `${file} wurde nicht hochgeladen`,
  attachAgain: 'Erneut anhängen',
  dismiss: 'Ausblenden',
  editMoved: (topic) => `Die Nachricht, die du bearbeitest, wurde nach ${topic} verschoben.`,
  goToMessage: 'Zur Nachricht',
  editGone: 'Die Nachricht, die du bearbeitet hast, ist nicht mehr da. Dein Text ist jetzt ein Entwurf.',
}
