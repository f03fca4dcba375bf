/** Refusals that this client can show, by English sentence with `{}` as a placeholder. Others appear in English. */
export const refusals: Readonly<Record<string, string>> = {
  // Sign-in.
  'Your username or password is incorrect': 'E-Mail-Adresse oder Passwort stimmt nicht.',
  'Account is deactivated': 'Das Konto ist deaktiviert.',
  'This link is no longer valid.': 'Dieser Link ist nicht mehr gültig.',
  'This link is for another email address.': 'Dieser Link gehört zu einer anderen E-Mail-Adresse.',
  'Only people who are invited can join this organization.':
    'Dieser Organisation kannst du nur mit einer Einladung beitreten.',
  'The email address must be confirmed first.': 'Die E-Mail-Adresse muss zuerst bestätigt werden.',
  'An account cannot be created with this email address. If you already have one, sign in.':
    'Mit dieser E-Mail-Adresse lässt sich kein Konto erstellen. Wenn du schon eines hast, melde dich an.',
  'An account cannot be created with this email address.': 'Mit dieser E-Mail-Adresse lässt sich kein Konto erstellen.',
  'Enter a valid email address.': 'Gib eine gültige E-Mail-Adresse ein.',
  "Email '{}' already in use": '{} wird schon von einem anderen Konto verwendet.',
  "Email '{}' does not belong to a domain that this organization allows.":
    'Diese Organisation lässt die Domain von {} nicht zu.',
  'Disposable email addresses are not allowed in this organization.':
    'Diese Organisation lässt keine Wegwerfadressen zu.',
  'The password must have {} to {} characters.': 'Das Passwort braucht {} bis {} Zeichen.',
  'This password is too easy to guess. Choose a longer one made of several words.':
    'Dieses Passwort ist zu leicht zu erraten. Wähle ein längeres aus mehreren Wörtern.',
  'Confirm your identity.': 'Bestätige, dass du es bist.',
  'Wrong password!': 'Das Passwort ist falsch.',
  'Too many password resets. Try again later.':
    'Zu viele Passwörter werden gerade zurückgesetzt. Versuch es später noch einmal.',
  'Too many emails are waiting to be sent. Try again later.':
    'Zu viele E-Mails warten auf den Versand. Versuch es später noch einmal.',
  "Default channel group with id '{}' does not exist.":
    'Eine dieser Kanalgruppen gibt es nicht mehr. Lade die Seite neu.',
  'Organization name cannot be blank': 'Die Organisation braucht einen Namen.',
  "An organization's name has 1 to {} characters": 'Der Name einer Organisation hat 1 bis {} Zeichen.',
  'Invalid characters in organization name!': 'Der Name der Organisation enthält ungültige Zeichen.',
  'Name too short!': 'Der Name ist zu kurz.',
  'Name too long!': 'Der Name ist zu lang.',
  'Invalid characters in name!': 'Der Name enthält ungültige Zeichen.',
  'Name is already in use.': 'Dieser Name ist schon vergeben.',
  'Unique names required in this organization.': 'In dieser Organisation müssen Namen eindeutig sein.',
  // Identity providers, second factors and passkeys.
  'Your identity provider does not confirm your email address.':
    'Dein Identitätsanbieter bestätigt deine E-Mail-Adresse nicht.',
  'This account is linked to another person at your identity provider. Reset your password by email, and sign in again.':
    'Dieses Konto ist bei deinem Identitätsanbieter mit einer anderen Person verknüpft. Setze dein Passwort per E-Mail zurück und melde dich erneut an.',
  'The sign-in was canceled at the identity provider.': 'Die Anmeldung wurde beim Identitätsanbieter abgebrochen.',
  'This server has no identity provider.': 'Dieser Server hat keinen Identitätsanbieter.',
  'The identity provider did not confirm your identity. Try again.':
    'Der Identitätsanbieter konnte dich nicht bestätigen. Versuch es noch einmal.',
  'The identity provider is not responding. Try again later.':
    'Der Identitätsanbieter antwortet nicht. Versuch es später noch einmal.',
  'The sign-in expired or was started in another window. Try again.':
    'Die Anmeldung ist abgelaufen oder wurde in einem anderen Fenster begonnen. Versuch es noch einmal.',
  'The sign-in expired. Sign in again.': 'Die Anmeldung ist abgelaufen. Melde dich erneut an.',
  'This code is wrong or was already used.': 'Dieser Code ist falsch oder wurde schon verwendet.',
  'This passkey is not valid here. Try again, or use your password.':
    'Dieser Passkey gilt hier nicht. Versuch es noch einmal oder verwende dein Passwort.',
  'No passkey was created for this account. Try again.':
    'Für dieses Konto wurde kein Passkey erstellt. Versuch es noch einmal.',
  'A passkey must have a name.': 'Ein Passkey braucht einen Namen.',
  'You can have at most {} passkeys.': 'Du kannst höchstens {} Passkeys haben.',
  'Two-factor authentication is already on.': 'Die Zwei-Faktor-Authentifizierung ist schon eingeschaltet.',
  'This organization requires two-factor authentication.': 'Diese Organisation verlangt Zwei-Faktor-Authentifizierung.',
  'Turn off your own two-factor authentication with a code.':
    'Deine eigene Zwei-Faktor-Authentifizierung schaltest du mit einem Code aus.',
  'This account has no password': 'Dieses Konto hat kein Passwort.',
  'This server sends email. The person can request a link.':
    'Dieser Server verschickt E-Mails: Die Person kann selbst um einen Link bitten.',
  // Missing permissions.
  'Insufficient permission': 'Dazu fehlt dir die Berechtigung.',
  'Must be an organization administrator': 'Das können nur Administratoren.',
  'Must be an organization owner': 'Das können nur Inhaber.',
  'User not authorized to create users': 'Du kannst keine Konten erstellen.',
  'No such user': 'Diese Person gibt es nicht.',
  "User '{}' is deactivated": 'Das Konto von {} ist deaktiviert.',
  'The request was interrupted': 'Die Übertragung wurde unterbrochen. Versuch es noch einmal.',
  'The request did not arrive in time': 'Die Übertragung hat zu lange gedauert. Versuch es noch einmal.',
  'The request is too large (limit: {} bytes)': 'Das ist zu groß. Erlaubt sind höchstens {} Byte.',
  // Own account and profile.
  'Email address changes are disabled in this organization.': 'Nur Administratoren können E-Mail-Adressen ändern.',
  'Name changes are disabled in this organization.': 'Nur Administratoren können Namen ändern.',
  'Avatar changes are disabled in this organization.': 'Nur Administratoren können Profilbilder ändern.',
  'You requested too many email address changes. Try again later.':
    'Du hast deine E-Mail-Adresse zu oft ändern wollen. Versuch es später noch einmal.',
  'You are not allowed to change this field. Contact an administrator to update it.':
    'Nur Administratoren können dieses Feld ändern.',
  'Could not decode image; did you upload an image file?': 'Diese Datei lässt sich nicht als Bild lesen.',
  'An animated image can have at most {} frames and {} pixels in total.':
    'Ein animiertes Bild darf höchstens {} Einzelbilder und insgesamt {} Pixel haben.',
  '{} is too long (limit: {} characters)': '{} ist zu lang. Erlaubt sind höchstens {} Zeichen.',
  '{} is not a date': '{} ist kein Datum.',
  '{} is not a URL': '{} ist keine gültige URL.',
  '{} names at most {} users': '{}: höchstens {} Personen.',
  'You can have at most {} alert words.': 'Du kannst höchstens {} Signalwörter haben.',
  'You can mute at most {} users.': 'Du kannst höchstens {} Personen stumm schalten.',
  'You can mute, unmute, or follow at most {} topics.':
    'Du kannst höchstens {} Themen stumm schalten, laut schalten oder ihnen folgen.',
  'You can have at most {} preferences.': 'Du kannst höchstens {} Einstellungen speichern.',
  'Preferences can have at most {} characters in total.': 'Einstellungen dürfen insgesamt höchstens {} Zeichen haben.',
  'A token must have a name.': 'Ein Token braucht einen Namen.',
  'The expiration of a token must be in the future.': 'Das Ablaufdatum muss in der Zukunft liegen.',
  'You can have at most {} API tokens.': 'Du kannst höchstens {} API-Tokens haben.',
  'Title cannot be empty.': 'Gib einen Namen ein.',
  'Content cannot be empty.': 'Gib einen Text ein.',
  'Saved snippet does not exist.': 'Diesen Textbaustein gibt es nicht mehr.',
  // Messages and topics.
  'Message must not be empty': 'Eine Nachricht braucht einen Text.',
  'Invalid message(s)': 'Diese Nachricht gibt es nicht mehr, oder du darfst sie nicht sehen.',
  "Not authorized to send to channel '{}'": 'Du kannst in #{} nicht schreiben.',
  'Topics are required in this channel.': 'In diesem Kanal braucht jede Nachricht ein Thema.',
  'Only the general chat topic is allowed in this channel.': 'Dieser Kanal erlaubt nur das Thema „Allgemeines“.',
  'Invalid character in topic!': 'Das Thema enthält ungültige Zeichen.',
  'Direct messages are disabled in this organization.': 'Direktnachrichten sind in dieser Organisation ausgeschaltet.',
  'You do not have permission to initiate direct message conversations.': 'Du kannst keine Direktnachrichten beginnen.',
  'A direct message has fewer than {} recipients.': 'Eine Direktnachricht muss weniger als {} Empfänger haben.',
  'Message must have recipients': 'Die Nachricht braucht Empfänger.',
  "'{}' is no longer using this server.": '{} nutzt diesen Server nicht mehr.',
  "You are not allowed to mention user group '{}'.": 'Die Gruppe {} darfst du nicht erwähnen.',
  'You do not have permission to use channel wildcard mentions in this channel.':
    'In diesem Kanal darfst du nicht alle erwähnen.',
  'You do not have permission to use topic wildcard mentions in this topic.':
    'In diesem Thema darfst du nicht alle erwähnen.',
  "You don't have permission to edit this message": 'Du kannst diese Nachricht nicht bearbeiten.',
  'Your organization has turned off message editing':
    'In dieser Organisation lassen sich Nachrichten nicht bearbeiten.',
  'The time limit for editing this message has passed': 'Die Frist zum Bearbeiten dieser Nachricht ist abgelaufen.',
  "'prev_content_sha256' value does not match the expected value.":
    'Die Nachricht wurde inzwischen geändert. Sieh sie dir noch einmal an.',
  'Widgets cannot be edited.': 'Umfragen und Aufgabenlisten lassen sich nicht bearbeiten.',
  "You don't have permission to delete this message": 'Du kannst diese Nachricht nicht löschen.',
  'The time limit for deleting this message has passed': 'Die Frist zum Löschen dieser Nachricht ist abgelaufen.',
  "You don't have permission to delete messages in this channel.":
    'Du kannst in diesem Kanal keine Nachrichten löschen.',
  "You don't have permission to move this message": 'Du kannst diese Nachricht nicht verschieben.',
  'You only have permission to move the {}/{} most recent messages in this topic.':
    'Du kannst nur die neuesten Nachrichten dieses Themas verschieben: {} von {}.',
  "You don't have permission to resolve topics in this channel.":
    'Du kannst in diesem Kanal keine Themen als erledigt markieren.',
  'The empty topic cannot be marked as resolved.': '„Allgemeines“ lässt sich nicht als erledigt markieren.',
  'Message edit history is disabled in this organization':
    'Der Bearbeitungsverlauf ist in dieser Organisation ausgeschaltet.',
  'Read receipts are disabled in this organization.': 'Lesebestätigungen sind in dieser Organisation ausgeschaltet.',
  'These messages are too long to return together. Request fewer.': 'Diese Nachrichten sind zusammen zu lang.',
  'Scheduled delivery time must be in the future.': 'Der Zeitpunkt muss in der Zukunft liegen.',
  'Scheduled message does not exist': 'Diese Nachricht ist nicht mehr geplant.',
  'Reminder does not exist': 'Diese Erinnerung gibt es nicht mehr.',
  'An explanation is required for this report type.': 'Gib eine Begründung an.',
  'Moderation request channel must be specified to enable message reporting.':
    'In dieser Organisation können keine Nachrichten gemeldet werden.',
  'A message can have at most {} different emoji.': 'Eine Nachricht kann höchstens {} verschiedene Emojis haben.',
  'A message can have at most {} submessages.': 'Diese Nachricht hat schon {} Antworten; mehr sind nicht möglich.',
  'This custom emoji has been deactivated.': 'Dieses Emoji wurde entfernt.',
  "Emoji '{}' does not exist": 'Das Emoji {} gibt es nicht.',
  // Files.
  'The file is empty': 'Die Datei ist leer.',
  'Uploaded file is larger than the allowed limit of {} MiB': 'Die Datei ist zu groß. Erlaubt sind höchstens {} MiB.',
  "Upload would exceed your organization's upload quota.": 'Der Speicherplatz der Organisation für Dateien ist voll.',
  'File name is too long (limit: {} characters)': 'Der Dateiname ist zu lang. Erlaubt sind höchstens {} Zeichen.',
  'Invalid attachment': 'Diese Datei gibt es nicht mehr.',
  'No such file': 'Diese Datei gibt es nicht mehr.',
  // Channels and their folders.
  "Channel name can't be empty.": 'Der Kanal braucht einen Namen.',
  'Invalid character in channel name.': 'Der Kanalname enthält ungültige Zeichen.',
  'Channel name already in use.': 'Dieser Kanalname ist schon vergeben.',
  'Invalid channel ID': 'Diesen Kanal gibt es nicht, oder du hast keinen Zugriff.',
  "Channel with ID '{}' does not exist": 'Diesen Kanal gibt es nicht, oder du hast keinen Zugriff.',
  "Channel '{}' does not exist": 'Den Kanal {} gibt es nicht, oder du hast keinen Zugriff.',
  'Unable to access channel ({}).': 'Den Kanal {} gibt es nicht, oder du hast keinen Zugriff.',
  'You do not have permission to administer this channel.': 'Du kannst diesen Kanal nicht verwalten.',
  'You do not have permission to subscribe other users to channels.': 'Du kannst keine Personen zu Kanälen hinzufügen.',
  'Channel content access is required.': 'Dazu brauchst du Zugriff auf den Inhalt des Kanals.',
  'Channel is already archived.': 'Der Kanal ist schon archiviert.',
  'Channel is not archived.': 'Der Kanal ist nicht archiviert.',
  'The channel is archived.': 'Der Kanal ist archiviert.',
  'A default channel cannot be private.': 'Ein Standardkanal kann nicht privat sein.',
  'A default channel cannot be archived.': 'Ein Standardkanal lässt sich nicht archivieren.',
  'Web-public channels are not enabled.': 'Web-öffentliche Kanäle sind ausgeschaltet.',
  'To allow only the empty topic, all messages in the channel must be in it.':
    'Dazu müssen alle Nachrichten des Kanals unter „Allgemeines“ stehen.',
  'Too many subscriptions at once.': 'Das sind zu viele auf einmal.',
  'A user can create at most {} channels.': 'Eine Person kann höchstens {} Kanäle erstellen.',
  'An organization can have at most {} channel folders.': 'Eine Organisation kann höchstens {} Kanalordner haben.',
  'Invalid channel folder ID': 'Diesen Ordner gibt es nicht mehr.',
  'Remove all channels from the folder to archive it.': 'Entferne alle Kanäle aus dem Ordner, um ihn zu archivieren.',
  'Channel folder name already in use': 'Dieser Ordnername ist schon vergeben.',
  "Channel folder name can't be empty.": 'Der Ordner braucht einen Namen.',
  'Invalid character in channel folder name.': 'Der Ordnername enthält ungültige Zeichen.',
  'This server does not receive email.': 'Dieser Server empfängt keine E-Mails.',
  'You can have at most {} channel email addresses.': 'Du kannst höchstens {} E-Mail-Adressen für Kanäle haben.',
  "Default channel group name can't be empty.": 'Die Kanalgruppe braucht einen Namen.',
  'Invalid character in default channel group name.': 'Der Name der Kanalgruppe enthält ungültige Zeichen.',
  "Default channel group '{}' already exists": 'Die Kanalgruppe {} gibt es schon.',
  "Default channel group description can't be empty.": 'Die Kanalgruppe braucht eine Beschreibung.',
  'An organization can have at most {} default channel groups.':
    'Eine Organisation kann höchstens {} Kanalgruppen haben.',
  'Default channel groups cannot have more than {} channels.': 'Eine Kanalgruppe kann höchstens {} Kanäle haben.',
  // Groups.
  "User group name can't be empty!": 'Die Gruppe braucht einen Namen.',
  'Invalid characters in user group name!': 'Der Gruppenname enthält ungültige Zeichen.',
  "User group name cannot start with '{}'.": 'Ein Gruppenname kann nicht mit „{}“ beginnen.',
  "User group '{}' already exists.": 'Die Gruppe {} gibt es schon.',
  'User group is deactivated.': 'Die Gruppe ist deaktiviert.',
  'Invalid user group': 'Diese Gruppe gibt es nicht.',
  'Cannot deactivate user group in use.': 'Diese Gruppe wird noch verwendet und lässt sich nicht deaktivieren.',
  'User group {} is already a subgroup of this group.': 'Diese Untergruppe ist schon enthalten.',
  'User group {} is already a subgroup of user group {}.': 'Eine der Gruppen enthält die andere schon.',
  'User {} is already a member of this group': 'Diese Person ist schon in der Gruppe.',
  'A user can create at most {} user groups.': 'Eine Person kann höchstens {} Gruppen erstellen.',
  "'old' value does not match the expected value.": 'Das wurde inzwischen geändert. Sieh es dir noch einmal an.',
  // Invitations and people.
  'You must specify at least one email address.': 'Gib mindestens eine E-Mail-Adresse ein.',
  'You can invite at most {} people at once.': 'Du kannst höchstens {} Personen auf einmal einladen.',
  'You can have at most {} active invitations.': 'Du kannst höchstens {} aktive Einladungen haben.',
  'No such invitation': 'Diese Einladung gibt es nicht mehr.',
  'This invitation was resent recently. Try again later.':
    'Diese Einladung wurde gerade erst erneut gesendet. Versuch es später noch einmal.',
  'The organization reached its invitation limit for today. No invitations were sent.':
    'Das Einladungslimit der Organisation für heute ist erreicht. Es wurden keine Einladungen gesendet.',
  'You reached your invitation limit for today. No invitations were sent.':
    'Dein Einladungslimit für heute ist erreicht. Es wurden keine Einladungen gesendet.',
  'Direct messages cannot be moved to channels.': 'Direktnachrichten lassen sich nicht in Kanäle verschieben.',
  'The link was sent to the recipient by email.': 'Der Link wurde dem Empfänger per E-Mail gesendet.',
  'The link was sent to the owner of the address by email.': 'Der Link wurde per E-Mail an diese Adresse gesendet.',
  'No one is waiting to join with this address.': 'Mit dieser Adresse möchte niemand beitreten.',
  'The owner permission cannot be removed from the only organization owner.':
    'Die Organisation braucht mindestens einen Inhaber.',
  'Cannot deactivate the only organization owner.': 'Das Konto des einzigen Inhabers lässt sich nicht deaktivieren.',
  // Bots.
  'Bad name or username': 'Der Name des Bots ist ungültig.',
  'No such bot': 'Diesen Bot gibt es nicht.',
  'A user can own at most {} bots.': 'Eine Person kann höchstens {} Bots besitzen.',
  'A bot cannot have a higher role than its owner.': 'Ein Bot kann keine höhere Rolle haben als sein Besitzer.',
  'Invalid payload URL: {}.': 'Diese Webhook-URL ist ungültig.',
  // Other administration settings.
  'Moderation request channel must be private.': 'Der Kanal für Meldungen muss privat sein.',
  "Invalid domain '{}'": '{} ist keine gültige Domain.',
  'The domain {} is already a part of your organization.': 'Die Domain {} ist schon hinzugefügt.',
  'An organization can have at most {} domains.': 'Eine Organisation kann höchstens {} Domains haben.',
  'Only administrators can override default emoji.': 'Nur Administratoren können Standard-Emojis ersetzen.',
  'Must be an organization administrator or emoji author':
    'Das können nur Administratoren und wer das Emoji hochgeladen hat.',
  'A custom emoji with this name already exists.': 'Dieser Emoji-Name ist schon vergeben.',
  'An organization can have at most {} custom emoji.': 'Eine Organisation kann höchstens {} eigene Emojis haben.',
  'Emoji names must contain only lowercase English letters, digits, dashes and underscores, end with a letter or digit and have no more than {} characters.':
    'Emoji-Namen bestehen aus Kleinbuchstaben ohne Umlaute, Ziffern, Binde- und Unterstrichen, enden mit einem Buchstaben oder einer Ziffer und haben höchstens {} Zeichen.',
  'Bad regular expression': 'Dieses Muster ist ungültig.',
  'Invalid URL template.': 'Diese URL ist ungültig.',
  "Group '{}' in linkifier pattern is not present in URL template.": 'Die Gruppe {} des Musters fehlt in der URL.',
  "Group '{}' in URL template is not present in linkifier pattern.": 'Die Gruppe {} der URL fehlt im Muster.',
  'A linkifier with this pattern already exists.': 'Eine Linkregel mit diesem Muster gibt es schon.',
  'Linkifier not found.': 'Diese Linkregel gibt es nicht mehr.',
  'An organization can have at most {} linkifiers.': 'Eine Organisation kann höchstens {} Linkregeln haben.',
  'A playground with this name already exists for this language.': 'Für diese Sprache ist der Name schon vergeben.',
  'An organization can have at most {} playgrounds.': 'Eine Organisation kann höchstens {} Playgrounds haben.',
  'Name cannot be empty.': 'Gib einen Namen ein.',
  'Invalid name of a language.': 'Diese Sprache ist ungültig.',
  'The URL template must contain the variable "code".': 'Die URL muss {code} enthalten.',
  'The URL template can use only the variable "code".': 'Die URL darf nur {code} als Variable enthalten.',
  'Label cannot be blank.': 'Das Feld braucht einen Namen.',
  'A field with that label already exists.': 'Ein Feld mit diesem Namen gibt es schon.',
  'An organization can have at most {} custom profile fields.':
    'Eine Organisation kann höchstens {} Profilfelder haben.',
  'Field type not supported for display in profile summary.':
    'Felder dieser Art lassen sich nicht auf Profilkarten anzeigen.',
  'Only {} custom profile fields can be displayed in the profile summary.':
    'Profilkarten zeigen höchstens {} Profilfelder.',
  "'text' cannot be blank.": 'Jede Option braucht einen Text.',
  'Field must have at least one choice.': 'Das Feld braucht mindestens eine Option.',
  'Field must not have duplicate choices.': 'Jede Option darf nur einmal vorkommen.',
  'A field has at most {} choices.': 'Ein Feld kann höchstens {} Optionen haben.',
  'Malformed URL pattern.': 'Diese URL ist ungültig.',
  'Custom external account must define URL pattern': 'Gib eine URL ein.',
  'You can start at most {} exports per week.': 'Pro Woche lassen sich höchstens {} Exporte starten.',
  'An organization can have at most {} exports. Delete one first.':
    'Eine Organisation kann höchstens {} Exporte haben. Lösche zuerst einen.',
  'Export already deleted': 'Dieser Export ist schon gelöscht.',
  'Export still in progress': 'Dieser Export läuft noch.',
  'BigBlueButton is not configured.': 'BigBlueButton ist auf diesem Server nicht eingerichtet.',
  'Zoom credentials have not been configured': 'Zoom ist auf diesem Server nicht eingerichtet.',
  // Server limits and outages.
  'The server is too busy. Try again.': 'Der Server ist überlastet. Versuch es noch einmal.',
  'The server is out of space. Tell its operator.':
    'Der Server hat keinen Speicherplatz mehr. Sag dem Betreiber Bescheid.',
  'The server has no space for this file. Tell its operator.':
    'Der Server hat für diese Datei keinen Platz. Sag dem Betreiber Bescheid.',
  'The database is unreachable. Try again.': 'Die Datenbank ist nicht erreichbar. Versuch es noch einmal.',
  'Committed data cannot be read. Try again.': 'Die Daten sind gerade nicht lesbar. Versuch es noch einmal.',
  'The file store is unreachable. Try again.': 'Der Dateispeicher ist nicht erreichbar. Versuch es noch einmal.',
  'The server is stopping': 'Der Server wird gerade beendet.',
  'Internal server error (request {})': 'Interner Serverfehler (Anfrage {}).',
}
