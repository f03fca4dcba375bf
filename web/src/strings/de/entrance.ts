import { count } from './main.ts'
import type { SignedOutTexts } from '../en/entrance.ts'

export const signedOut: SignedOutTexts = {
  join: (organization) => `${organization} beitreten`,
  invitedBy: (inviter, organization) => `${inviter} hat dich zu ${organization} eingeladen.`,
  confirmed: 'Deine E-Mail-Adresse ist bestätigt. Gib deinen Namen ein und wähle ein Passwort.',
  name: 'Dein Name',
  nameHint: 'Für andere sichtbar.',
  newPassword: 'Passwort',
  newPasswordHint: 'Mindestens 8 Zeichen. Einige zufällige Wörter ergeben ein gutes Passwort.',
  strengths: {
    weak: 'Zu leicht zu erraten.',
    fair: 'Ausreichend. Mit einem weiteren Wort ist es schwerer zu erraten.',
    good: 'Schwer zu erraten.',
    strong: 'Sehr schwer zu erraten.',
  },
  weaknesses: {
    short: 'Zu kurz. Verwende mindestens 8 Zeichen.',
    personal: 'Zu leicht zu erraten: enthält deinen Namen, deine E-Mail-Adresse oder den Namen der Organisation.',
    common: 'Zu leicht zu erraten: ein häufiges Wort oder Passwort. Verwende mehrere Wörter.',
    pattern: 'Zu leicht zu erraten: ein Muster aus Buchstaben oder Ziffern. Verwende mehrere Wörter.',
  },
  submitJoin: 'Beitreten',
  joinWith: (provider) => `Mit ${provider} beitreten`,
  signingIn: 'Anmeldung',
  channelGroups: 'Kanäle zum Beitreten',
  channelGroupsMore: 'Du kannst Kanälen jederzeit beitreten oder sie verlassen.',
  emailHint: 'Mit dieser E-Mail-Adresse meldest du dich an.',
  sendLink: 'Link senden',
  sendLinkHint: 'Wir schicken dir einen Link, mit dem es weitergeht.',
  sent: (email) => `Wir haben einen Link an ${email} geschickt. Öffne ihn, um fortzufahren.`,
  askLink: 'Link anfordern',
  askLinkHint: 'Von der Administration bekommst du einen Link, mit dem es weitergeht.',
  proving: 'Dein Browser löst eine Aufgabe, die Spam fernhält. Das kann einige Sekunden dauern …',
  proofFailed: 'Die Aufgabe, die Spam fernhält, ließ sich nicht lösen. Versuche es noch einmal.',
  proofNeedsEncryption:
    'Registrieren kannst du dich nur auf einer verschlüsselten Seite, deren Adresse mit https beginnt.',
  linkAsked: (email) =>
    `Die Administration sieht jetzt, dass du mit ${email} beitreten möchtest. Bitte sie um den Link. Er gilt einen Tag.`,
  badLink: 'Dieser Link ist nicht mehr gültig',
  badLinkMore: 'Die Einladung ist abgelaufen oder wurde benutzt oder widerrufen. Bitte um eine neue.',
  badLinkOpen:
    'Der Link ist abgelaufen oder wurde benutzt oder widerrufen. Hier können alle beitreten: Hol dir einfach einen neuen.',
  onlyInvited: 'Du brauchst eine Einladung. Bitte jemanden mit einem Konto darum.',
  haveAccount: 'Ich habe schon ein Konto',
  forgottenHint:
    'Wir schicken dir einen Link zum Zurücksetzen deines Passworts. Kommt er nicht an, kann dir die Administration einen geben.',
  passwordSent: (email) =>
    `Falls es ein Konto mit ${email} gibt, haben wir einen Link dorthin geschickt. Öffne ihn innerhalb einer Stunde.`,
  passwordLinkHint:
    'Dieser Server verschickt keine E-Mails. Einen Link zum Zurücksetzen deines Passworts bekommst du von der Administration oder vom Betreiber des Servers.',
  passwordLinkAsked: (email) =>
    `Bitte die Administration um einen Link zum Zurücksetzen. Falls es ein Konto mit ${email} gibt, kann dir auch der Betreiber des Servers einen Link geben. Links gelten eine Stunde.`,
  anotherPassword: 'Neues Passwort wählen',
  anotherPasswordMore:
    'Damit endet jeder andere Zugriff auf dein Konto: Anmeldungen, Passkeys, API-Schlüssel und -Tokens sowie die Schlüssel deiner Bots. Die Zwei-Faktor-Authentifizierung bleibt eingeschaltet.',
  savePassword: 'Speichern und anmelden',
  revokedTitle: 'Passwort geändert',
  revokedMore: 'Diese Zugänge zu deinem Konto gelten nicht mehr. Richte neu ein, was du noch brauchst.',
  revokedKey: 'Dein API-Schlüssel',
  revoked: {
    sessions: (number) => count(number, 'angemeldetes Gerät', 'angemeldete Geräte'),
    passkeys: (number) => count(number, 'Passkey', 'Passkeys'),
    api_tokens: (number) => count(number, 'API-Token', 'API-Tokens'),
    identities: (number) =>
      count(number, 'verknüpftes Konto bei einem Anmeldedienst', 'verknüpfte Konten bei Anmeldediensten'),
    channel_addresses: (number) => count(number, 'E-Mail-Adresse eines Kanals', 'E-Mail-Adressen von Kanälen'),
    push_subscriptions: (number) =>
      count(number, 'Gerät mit Push-Benachrichtigungen', 'Geräte mit Push-Benachrichtigungen'),
    push_tokens: (number) =>
      count(number, 'Telefon mit Push-Benachrichtigungen', 'Telefone mit Push-Benachrichtigungen'),
    bot_keys: (number) => count(number, 'API-Schlüssel eines Bots', 'API-Schlüssel von Bots'),
    outgoing_webhooks: (number) =>
      count(
        number,
        'Bot mit ausgehendem Webhook, pausiert, bis du seine URL prüfst',
        'Bots mit ausgehendem Webhook, pausiert, bis du ihre URLs prüfst',
      ),
    administrator_invitations: (number) =>
      count(number, 'Einladung in die Administration', 'Einladungen in die Administration'),
  },
  badPasswordLink: 'Der Link wurde benutzt oder ist nach einer Stunde abgelaufen. Du kannst einen neuen anfordern.',
  getAnother: 'Neuen Link anfordern',
  confirmEmail: 'E-Mail-Adresse bestätigen',
  confirmEmailMore: 'Mit dieser Adresse meldest du dich dann an.',
  confirm: 'Bestätigen',
  emailConfirmed: (email) => `Deine E-Mail-Adresse ist jetzt ${email}.`,
  badEmailLink:
    'Der Link wurde benutzt oder ist nach einem Tag abgelaufen. Ändere deine Adresse noch einmal in den Einstellungen, um einen neuen zu bekommen.',
  goOn: 'Weiter',
  unsubscribe: 'E-Mails abbestellen',
  unsubscribeAsk: 'Du bekommst dann keine E-Mails dieser Art mehr. Sonst ändert sich nichts.',
  unsubscribeMore: 'Du bekommst keine E-Mails dieser Art mehr. Sonst ändert sich nichts.',
  unsubscribed: 'E-Mails abbestellt',
  emailSettings: 'E-Mail-Einstellungen öffnen',
  badUnsubscribeLink: 'Der Link ist unvollständig, oder dein Konto hat inzwischen eine andere Adresse.',
  setUp: 'Organisation einrichten',
  setUpMore: 'Das dauert etwa eine Minute. Alles lässt sich später ändern.',
  organization: 'Name der Organisation',
  organizationHint: 'Zum Beispiel eure Firma, euer Verein oder euer Projekt.',
  ownName: 'Dein Name',
  channels: 'Erste Kanäle',
  channelsMore: 'Wer beitritt, kommt in diese Kanäle. Ändere oder entferne sie nach Belieben.',
  channel: (number) => `Kanal ${number}`,
  leaveOut: (number) => `Kanal ${number} entfernen`,
  addChannel: 'Kanal hinzufügen',
  suggested: [
    { name: 'allgemein', description: 'Für alle und alles' },
    { name: 'ankündigungen', description: 'Neuigkeiten für alle' },
    { name: 'kaffeeküche', description: 'Alles außer Arbeit' },
  ],
  submitSetUp: 'Organisation erstellen',
  badSetUpLink:
    'Der Link wurde benutzt oder ist nach einer Stunde abgelaufen. Bis die Organisation eingerichtet ist, gibt der Server bei jedem Start einen neuen Link aus.',
  hints: {
    inbox: 'Hier erscheinen ungelesene Nachrichten, nach Themen gruppiert.',
    next: (key) => `Mit ${key} öffnest du von überall die nächste ungelesene Unterhaltung.`,
    topic:
      'Deine Nachricht geht in dieses Thema. Ändere für ein neues Thema den Namen, der über deinem Text erscheint.',
    resolve: 'Geklärt? Markiere das Thema als erledigt.',
    close: 'Verstanden',
  },
  steps: {
    title: 'Erste Schritte',
    progress: (done, of) => `${done} von ${of} erledigt`,
    done: 'erledigt',
    dismiss: 'Ausblenden',
    dismissed: 'Erste Schritte ausgeblendet',
    titles: {
      invite: 'Andere einladen',
      icon: 'Name und Logo',
      topic: 'Erstes Thema',
      notifications: 'Benachrichtigungen',
      apps: 'Apps',
    },
    more: {
      invite: 'Wer den Link hat, kann zehn Tage lang beitreten.',
      icon: 'An einem Logo erkennen alle die Organisation wieder.',
      topic: 'Schreib, worüber ihr reden könntet. Wer beitritt, sieht es gleich.',
      notifications: 'Erfahre von Erwähnungen und Direktnachrichten, während du etwas anderes tust.',
      apps: 'Installiere Parley auf Telefon und Computer.',
    },
    actions: {
      invite: 'Einladungslink kopieren',
      icon: 'Logo hinzufügen',
      topic: 'Thema beginnen',
      notifications: 'Benachrichtigungen einschalten',
      apps: 'Anleitung zeigen',
    },
    notificationsBlocked:
      'Dein Browser blockiert Benachrichtigungen. Du kannst sie in seinen Einstellungen für diese Website erlauben.',
    qrCode: 'QR-Code für die URL dieser Organisation',
    phone: 'Auf dem Telefon: Scanne den Code, melde dich an und wähle im Browsermenü „Zum Startbildschirm“.',
    computer: 'Auf dem Computer: Wähle „Installieren“ in der Adressleiste oder im Menü des Browsers.',
    welcome: (organization) => `Willkommen bei ${organization}`,
    introductionDismissed: 'Einführung ausgeblendet',
    people: 'Wer hier ist',
    channels: 'Lesenswerte Kanäle',
    write: 'Erste Nachricht schreiben',
  },
  inviteLink: 'Einladungslink',
  reach: {
    machine: (host) =>
      `Links zu ${host} lassen sich nur auf dem Rechner öffnen, auf dem Parley läuft. Damit andere beitreten können, starte Parley mit einer Adresse, die sie erreichen (PARLEY_URL).`,
    network: (host) => `Links zu ${host} lassen sich nur in diesem Netzwerk öffnen.`,
  },
}
