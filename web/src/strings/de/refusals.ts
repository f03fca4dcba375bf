/**
 * What the server says when it refuses something, by its own English sentences, as far as people can meet them in this client. Each `{}`
 * stands for what the sentence is about. What is not here is shown as the server says it.
 */
export const refusals: Readonly<Record<string, string>> = {
  // Coming in.
  'Your username or password is incorrect': 'E-Mail-Adresse oder Passwort stimmt nicht.',
  'Account is deactivated': 'Das Konto ist deaktiviert.',
  'This link is not good any more': 'Dieser Link gilt nicht mehr.',
  'This link is for another address.': 'Dieser Link ist für eine andere Adresse.',
  'Only people who are invited can join this organization.':
    'Bei dieser Organisation macht nur mit, wer eingeladen ist.',
  'The address has to be confirmed first.': 'Die Adresse muss zuerst bestätigt werden.',
  'No account can be made with this address. If you have one already, sign in.':
    'Mit dieser Adresse lässt sich kein Konto anlegen. Wenn du schon eines hast, melde dich an.',
  'No account can be made with this address.': 'Mit dieser Adresse lässt sich kein Konto anlegen.',
  'Enter a valid email address.': 'Gib eine gültige E-Mail-Adresse an.',
  "Email '{}' already in use": 'Die Adresse {} hat schon ein Konto.',
  "Email '{}' does not belong to a domain that this organization allows.":
    'Die Adresse {} gehört zu keiner Domain, die diese Organisation zulässt.',
  'Disposable email addresses are not allowed in this organization.':
    'Wegwerfadressen lässt diese Organisation nicht zu.',
  'The password must have {} to {} characters.': 'Das Passwort braucht {} bis {} Zeichen.',
  'This password is guessed too easily. Choose a longer one, of several words.':
    'Dieses Passwort ist zu leicht zu erraten. Nimm ein längeres aus mehreren Wörtern.',
  'Confirm that it is you.': 'Bestätige, dass du es bist.',
  'Wrong password!': 'Das Passwort stimmt nicht.',
  'Too many people have forgotten their passwords. Try again later.':
    'Zu viele haben ihr Passwort vergessen. Versuch es später noch einmal.',
  'Too many e-mails wait for being sent. Try again later.':
    'Zu viele E-Mails warten darauf, verschickt zu werden. Versuch es später noch einmal.',
  "Default channel group with id '{}' does not exist.":
    'Eine dieser Gruppen von Kanälen gibt es nicht mehr. Lade die Seite neu.',
  'Organization name cannot be blank': 'Die Organisation braucht einen Namen.',
  "An organization's name has 1 to {} characters": 'Der Name einer Organisation hat 1 bis {} Zeichen.',
  'Invalid characters in organization name!': 'Der Name der Organisation enthält Zeichen, die nicht gehen.',
  'Name too short!': 'Der Name ist zu kurz.',
  'Name too long!': 'Der Name ist zu lang.',
  'Invalid characters in name!': 'Der Name enthält Zeichen, die nicht gehen.',
  'Name is already in use.': 'So heißt schon jemand.',
  'Unique names required in this organization.':
    'In dieser Organisation trägt jeder einen anderen Namen, und diesen hat schon jemand.',
  // Identity providers, second factors and passkeys.
  'Your provider does not say that your e-mail address is yours.':
    'Dein Anbieter bestätigt nicht, dass deine E-Mail-Adresse dir gehört.',
  'This account belongs to somebody else at your provider. Choose another password by e-mail, and sign in again.':
    'Dieses Konto gehört bei deinem Anbieter jemand anderem. Wähle per E-Mail ein neues Passwort, und melde dich noch einmal an.',
  'Signing in was stopped at the provider.': 'Die Anmeldung wurde beim Anbieter abgebrochen.',
  'This server has no identity provider to sign in by.':
    'Dieser Server hat keinen Anbieter, bei dem man sich anmeldet.',
  'The provider does not confirm that it is you. Try again.':
    'Der Anbieter bestätigt nicht, dass du es bist. Versuch es noch einmal.',
  'The provider does not answer. Try again later.': 'Der Anbieter antwortet nicht. Versuch es später noch einmal.',
  'Signing in took too long, or was begun in another window. Try again.':
    'Die Anmeldung hat zu lange gedauert oder in einem anderen Fenster begonnen. Versuch es noch einmal.',
  'Signing in took too long. Sign in again.': 'Die Anmeldung hat zu lange gedauert. Melde dich noch einmal an.',
  'This code is wrong, or was used already.': 'Dieser Code stimmt nicht oder wurde schon benutzt.',
  'This passkey does not sign in here. Try again, or use your password.':
    'Dieser Passkey meldet hier nicht an. Versuch es noch einmal, oder nimm dein Passwort.',
  'The device has made no passkey for this account. Try again.':
    'Das Gerät hat für dieses Konto keinen Passkey angelegt. Versuch es noch einmal.',
  'A passkey needs a name.': 'Ein Passkey braucht einen Namen.',
  'You can have {} passkeys.': 'Du kannst {} Passkeys haben.',
  'You have a second factor already.': 'Du hast schon einen zweiten Faktor.',
  'This organization requires a second factor of you.': 'Diese Organisation verlangt einen zweiten Faktor von dir.',
  'Remove your own second factor with a code.': 'Deinen eigenen zweiten Faktor entfernst du mit einem Code.',
  'This account has no password': 'Dieses Konto hat kein Passwort.',
  'This server sends e-mails: the person can ask for a link':
    'Dieser Server verschickt E-Mails: Die Person kann selbst um einen Link bitten.',
  // What one may not, wherever that is.
  'Insufficient permission': 'Das darfst du nicht.',
  'Must be an organization administrator': 'Das dürfen nur Administratoren.',
  'Must be an organization owner': 'Das dürfen nur Inhaber.',
  'User not authorized to create users': 'Du darfst keine Konten anlegen.',
  'No such user': 'Diese Person gibt es nicht.',
  "User '{}' is deactivated": 'Das Konto von {} ist deaktiviert.',
  'The request broke off': 'Die Übertragung ist abgebrochen. Versuch es noch einmal.',
  'The request did not arrive in time': 'Die Übertragung hat zu lange gedauert. Versuch es noch einmal.',
  'The request is too large (limit: {} bytes)': 'Das ist zu groß: Mehr als {} Byte gehen nicht.',
  // One's own account and profile.
  'Email address changes are disabled in this organization.': 'E-Mail-Adressen ändern hier nur Administratoren.',
  'Name changes are disabled in this organization.': 'Namen ändern hier nur Administratoren.',
  'Avatar changes are disabled in this organization.': 'Bilder ändern hier nur Administratoren.',
  'You have asked for too many addresses. Try again later.':
    'Du hast zu viele Adressen bestätigen wollen. Versuch es später noch einmal.',
  'You are not allowed to change this field. Contact an administrator to update it.':
    'Dieses Feld füllen Administratoren aus.',
  'Could not decode image; did you upload an image file?':
    'Dieses Bild lässt sich nicht lesen. Ist es wirklich ein Bild?',
  'A moving picture may have {} frames of {} pixels in all.':
    'Ein bewegtes Bild darf {} Einzelbilder mit zusammen {} Bildpunkten haben.',
  '{} is too long (limit: {} characters)': '{} ist zu lang: Es gehen {} Zeichen.',
  '{} is not a date': '{} ist kein Datum.',
  '{} is not a URL': '{} ist keine Adresse im Netz.',
  '{} names at most {} users': '{}: Es gehen höchstens {} Personen.',
  'No more than {} alert words can be kept.': 'Mehr als {} Suchwörter gehen nicht.',
  'No more than {} users can be muted.': 'Mehr als {} Personen kannst du nicht stumm schalten.',
  'No more than {} topics can be muted, unmuted or followed.':
    'Mehr als {} Themen kannst du nicht stumm oder laut schalten oder ihnen folgen.',
  'No more than {} preferences can be kept.': 'Mehr als {} Vorlieben gehen nicht.',
  'No more than {} characters of preferences can be kept.': 'Mehr als {} Zeichen an Vorlieben gehen nicht.',
  'A token needs a name.': 'Ein Token braucht einen Namen.',
  'The end of a token has to be in the future.': 'Das Ende muss in der Zukunft liegen.',
  'You can have {} API tokens.': 'Du kannst {} API-Tokens haben.',
  'Title cannot be empty.': 'Es fehlt ein Name.',
  'Content cannot be empty.': 'Es fehlt ein Text.',
  'Saved snippet does not exist.': 'Diesen Textbaustein gibt es nicht mehr.',
  // Messages and topics.
  'Message must not be empty': 'Eine Nachricht braucht einen Text.',
  'Invalid message(s)': 'Diese Nachricht gibt es nicht mehr, oder du darfst sie nicht sehen.',
  "Not authorized to send to channel '{}'": 'In #{} darfst du nicht schreiben.',
  'Topics are required in this channel.': 'In diesem Kanal braucht jede Nachricht ein Thema.',
  'Only the general chat topic is allowed in this channel.': 'In diesem Kanal gibt es nur ein Thema: Allgemeines.',
  'Invalid character in topic!': 'Das Thema enthält Zeichen, die nicht gehen.',
  'Direct messages are disabled in this organization.': 'Direktnachrichten sind in dieser Organisation abgeschaltet.',
  'You do not have permission to initiate direct message conversations.': 'Du darfst keine Direktnachrichten anfangen.',
  'A direct message has fewer than {} recipients.': 'Eine Direktnachricht hat weniger als {} Empfänger.',
  'Message must have recipients': 'Die Nachricht braucht Empfänger.',
  "'{}' is no longer using this server.": '{} ist nicht mehr auf diesem Server.',
  "You are not allowed to mention user group '{}'.": 'Die Gruppe {} darfst du nicht erwähnen.',
  'You do not have permission to use channel wildcard mentions in this channel.':
    'In diesem Kanal darfst du nicht alle erwähnen.',
  'You do not have permission to use topic wildcard mentions in this topic.':
    'In diesem Thema darfst du nicht alle erwähnen.',
  "You don't have permission to edit this message": 'Diese Nachricht darfst du nicht ändern.',
  'Your organization has turned off message editing': 'In dieser Organisation lassen sich Nachrichten nicht ändern.',
  'The time limit for editing this message has passed':
    'Diese Nachricht lässt sich nicht mehr ändern: Die Frist ist um.',
  "'prev_content_sha256' value does not match the expected value.":
    'Die Nachricht wurde inzwischen geändert. Sieh sie dir noch einmal an.',
  'Widgets cannot be edited.': 'Umfragen und Aufgabenlisten lassen sich nicht ändern.',
  "You don't have permission to delete this message": 'Diese Nachricht darfst du nicht löschen.',
  'The time limit for deleting this message has passed':
    'Diese Nachricht lässt sich nicht mehr löschen: Die Frist ist um.',
  "You don't have permission to delete messages in this channel.":
    'In diesem Kanal darfst du keine Nachrichten löschen.',
  "You don't have permission to move this message": 'Diese Nachricht darfst du nicht verschieben.',
  'You only have permission to move the {}/{} most recent messages in this topic.':
    'Von diesem Thema darfst du nur die neuesten Nachrichten verschieben: {} von {}.',
  "You don't have permission to resolve topics in this channel.": 'In diesem Kanal darfst du keine Themen erledigen.',
  'The empty topic cannot be marked as resolved.': '„Allgemeines“ lässt sich nicht erledigen.',
  'Message edit history is disabled in this organization': 'Frühere Fassungen zeigt diese Organisation nicht.',
  'Read receipts are disabled in this organization.': 'Wer was gelesen hat, zeigt diese Organisation nicht.',
  'These messages are too long to look at together: ask for fewer.': 'Diese Nachrichten sind zusammen zu lang.',
  'Scheduled delivery time must be in the future.': 'Der Zeitpunkt muss in der Zukunft liegen.',
  'Scheduled message does not exist': 'Diese Nachricht ist nicht mehr geplant.',
  'Reminder does not exist': 'Diese Erinnerung gibt es nicht mehr.',
  'An explanation is required for this report type.': 'Schreib dazu, worum es geht.',
  'Moderation request channel must be specified to enable message reporting.':
    'In dieser Organisation gehen Meldungen an niemanden.',
  'A message can have no more than {} different emoji.':
    'Mehr als {} verschiedene Emoji gehen an einer Nachricht nicht.',
  'A message can have no more than {} submessages.': 'An dieser Nachricht sind schon {} Antworten, mehr gehen nicht.',
  'This custom emoji has been deactivated.': 'Dieses Emoji wurde entfernt.',
  "Emoji '{}' does not exist": 'Ein Emoji namens {} gibt es nicht.',
  // Files.
  'The file is empty': 'Die Datei ist leer.',
  'Uploaded file is larger than the allowed limit of {} MiB': 'Die Datei ist zu groß: Mehr als {} MiB gehen nicht.',
  "Upload would exceed your organization's upload quota.": 'Die Organisation hat keinen Platz für weitere Dateien.',
  'File name is too long (limit: {} characters)': 'Der Name der Datei ist zu lang: Es gehen {} Zeichen.',
  'Invalid attachment': 'Diese Datei gibt es nicht mehr.',
  'There is no such file': 'Diese Datei gibt es nicht mehr.',
  // Channels and their folders.
  "Channel name can't be empty.": 'Der Kanal braucht einen Namen.',
  'Invalid character in channel name.': 'Der Name des Kanals enthält Zeichen, die nicht gehen.',
  'Channel name already in use.': 'Einen Kanal dieses Namens gibt es schon.',
  'Invalid channel ID': 'Diesen Kanal gibt es nicht, oder du darfst ihn nicht sehen.',
  "Channel with ID '{}' does not exist": 'Diesen Kanal gibt es nicht, oder du darfst ihn nicht sehen.',
  "Channel '{}' does not exist": 'Einen Kanal namens {} gibt es nicht, oder du darfst ihn nicht sehen.',
  'Unable to access channel ({}).': 'Den Kanal {} gibt es nicht, oder du darfst ihn nicht sehen.',
  'You do not have permission to administer this channel.': 'Diesen Kanal darfst du nicht verwalten.',
  'You do not have permission to subscribe other users to channels.': 'Du darfst andere nicht in Kanäle aufnehmen.',
  'Channel content access is required.': 'Das geht nur mit Zugang zu dem, was im Kanal steht.',
  'Channel is already archived.': 'Der Kanal ist schon archiviert.',
  'Channel is not archived.': 'Der Kanal ist nicht archiviert.',
  'The channel is archived.': 'Der Kanal ist archiviert.',
  'A default channel cannot be private.': 'Ein Standardkanal kann nicht privat sein.',
  'A default channel cannot be archived.': 'Ein Standardkanal lässt sich nicht archivieren.',
  'Web-public channels are not enabled.': 'Öffentlich im Netz lesbare Kanäle sind abgeschaltet.',
  'To allow only the empty topic, all messages of the channel must be in it.':
    'Das geht erst, wenn alle Nachrichten des Kanals unter „Allgemeines“ stehen.',
  'Too many subscriptions at once.': 'Das sind zu viele auf einmal.',
  'A user can make no more than {} channels.': 'Mehr als {} Kanäle kann eine Person nicht anlegen.',
  'No more than {} channel folders can be made.': 'Mehr als {} Ordner gehen nicht.',
  'Invalid channel folder ID': 'Diesen Ordner gibt es nicht mehr.',
  'Take all channels out of the folder to archive it.': 'Nimm erst alle Kanäle aus dem Ordner, um ihn zu archivieren.',
  'Channel folder name already in use': 'Einen Ordner dieses Namens gibt es schon.',
  "Channel folder name can't be empty.": 'Der Ordner braucht einen Namen.',
  'Invalid character in channel folder name.': 'Der Name des Ordners enthält Zeichen, die nicht gehen.',
  'This server takes no e-mail.': 'Dieser Server nimmt keine E-Mails an.',
  'You cannot have more than {} addresses of channels.': 'Mehr als {} Adressen von Kanälen kannst du nicht haben.',
  "Default channel group name can't be empty.": 'Die Gruppe von Kanälen braucht einen Namen.',
  'Invalid character in default channel group name.':
    'Der Name der Gruppe von Kanälen enthält Zeichen, die nicht gehen.',
  "Default channel group '{}' already exists": 'Eine Gruppe von Kanälen namens {} gibt es schon.',
  "Default channel group description can't be empty.": 'Die Gruppe von Kanälen braucht eine Beschreibung.',
  'No more than {} default channel groups can be made.': 'Mehr als {} Gruppen von Kanälen gehen nicht.',
  'Default channel groups cannot have more than {} channels.': 'Mehr als {} Kanäle gehen nicht in eine Gruppe.',
  // Groups.
  "User group name can't be empty!": 'Die Gruppe braucht einen Namen.',
  'Invalid characters in user group name!': 'Der Name der Gruppe enthält Zeichen, die nicht gehen.',
  "User group name cannot start with '{}'.": 'Der Name einer Gruppe kann nicht mit „{}“ beginnen.',
  "User group '{}' already exists.": 'Eine Gruppe namens {} gibt es schon.',
  'User group is deactivated.': 'Die Gruppe ist deaktiviert.',
  'Invalid user group': 'Diese Gruppe gibt es nicht.',
  'Cannot deactivate user group in use.': 'Diese Gruppe wird noch gebraucht und lässt sich nicht deaktivieren.',
  'User group {} is already a subgroup of this group.': 'Diese Gruppe ist schon darin.',
  'User group {} is already a subgroup of user group {}.':
    'Das ginge im Kreis: Eine der Gruppen enthält die andere schon.',
  'User {} is already a member of this group': 'Diese Person ist schon in der Gruppe.',
  'A user can make no more than {} user groups.': 'Mehr als {} Gruppen kann eine Person nicht anlegen.',
  "'old' value does not match the expected value.": 'Das wurde inzwischen geändert. Sieh es dir noch einmal an.',
  // Invitations and people.
  'You must specify at least one email address.': 'Gib mindestens eine E-Mail-Adresse an.',
  'No more than {} people can be invited at once.': 'Mehr als {} Personen lassen sich nicht auf einmal einladen.',
  'No more than {} invitations can be good at a time.': 'Mehr als {} Einladungen können nicht zugleich gelten.',
  'No such invitation': 'Diese Einladung gibt es nicht mehr.',
  'This invitation was sent again a short while ago. Try again later.':
    'Diese Einladung wurde gerade erst noch einmal verschickt. Versuch es später noch einmal.',
  'As many invitations as may be were sent today. Nobody was invited now.':
    'Heute wurden so viele Einladungen verschickt, wie gehen. Jetzt wurde niemand eingeladen.',
  'You have sent as many invitations today as you may. Nobody was invited now.':
    'Du hast heute so viele Einladungen verschickt, wie du darfst. Jetzt wurde niemand eingeladen.',
  'Direct messages cannot be moved to channels.': 'Direktnachrichten lassen sich nicht in Kanäle verschieben.',
  'The link was sent by e-mail, to its receiver alone.': 'Der Link ging per E-Mail an den Empfänger, und nur an ihn.',
  'The link was sent by e-mail, to the owner of the address alone.':
    'Der Link ging per E-Mail an die Person, der die Adresse gehört, und nur an sie.',
  'Nobody wants to join with this address.': 'Mit dieser Adresse will niemand mitmachen.',
  'The owner permission cannot be removed from the only organization owner.':
    'Wer als Einziger Inhaber ist, muss es bleiben.',
  'Cannot deactivate the only organization owner.': 'Das Konto des einzigen Inhabers lässt sich nicht deaktivieren.',
  // Bots.
  'Bad name or username': 'Der Bot braucht einen Namen, der geht.',
  'No such bot': 'Diesen Bot gibt es nicht.',
  'A person can own no more than {} bots.': 'Mehr als {} Bots kann eine Person nicht haben.',
  'A bot cannot have a higher role than its owner.':
    'Ein Bot kann keine höhere Rolle haben als die Person, der er gehört.',
  'The payload URL cannot be used: {}.': 'An diese Adresse lässt sich nichts schicken.',
  // What else administrators set.
  'Moderation request channel must be private.': 'Der Kanal für Meldungen muss privat sein.',
  "Invalid domain '{}'": '{} ist keine Domain.',
  'The domain {} is already a part of your organization.': 'Die Domain {} steht schon da.',
  'No more than {} domains can be added.': 'Mehr als {} Domains gehen nicht.',
  'Only administrators can override default emoji.': 'Emoji, die es schon gibt, ersetzen nur Administratoren.',
  'Must be an organization administrator or emoji author':
    'Das dürfen nur Administratoren und wer das Emoji hochgeladen hat.',
  'A custom emoji with this name already exists.': 'Ein Emoji dieses Namens gibt es schon.',
  'An organization can have no more than {} emoji of its own.': 'Mehr als {} eigene Emoji gehen nicht.',
  'Emoji names must contain only lowercase English letters, digits, dashes and underscores, end with a letter or digit and have no more than {} characters.':
    'Namen von Emoji bestehen aus kleinen Buchstaben ohne Umlaute, Ziffern, Binde- und Unterstrichen, enden mit einem Buchstaben oder einer Ziffer und haben höchstens {} Zeichen.',
  'Bad regular expression': 'Dieses Muster stimmt nicht.',
  'Invalid URL template.': 'Diese Adresse stimmt nicht.',
  "Group '{}' in linkifier pattern is not present in URL template.": 'Der Teil {} des Musters fehlt in der Adresse.',
  "Group '{}' in URL template is not present in linkifier pattern.": 'Der Teil {} der Adresse fehlt im Muster.',
  'A linkifier with this pattern exists.': 'Dieses Muster gibt es schon.',
  'Linkifier not found.': 'Dieses Muster gibt es nicht mehr.',
  'No more than {} linkifiers can be kept.': 'Mehr als {} Muster gehen nicht.',
  'A playground with this name exists for this language.': 'Für diese Sprache gibt es den Namen schon.',
  'No more than {} playgrounds can be offered.': 'Mehr als {} davon gehen nicht.',
  'Name cannot be empty.': 'Es fehlt ein Name.',
  'Invalid name of a language.': 'Diese Sprache geht nicht.',
  'The URL template lacks the variable "code".': 'In der Adresse fehlt {code}.',
  'The URL template can have no variable but "code".': 'In der Adresse kann nur {code} stehen.',
  'Label cannot be blank.': 'Das Feld braucht einen Namen.',
  'A field with that label already exists.': 'Ein Feld dieses Namens gibt es schon.',
  'No more than {} custom profile fields can be made.': 'Mehr als {} Profilfelder gehen nicht.',
  'Field type not supported for display in profile summary.': 'Felder dieser Art stehen nicht in der Karte.',
  'Only {} custom profile fields can be displayed in the profile summary.':
    'In der Karte stehen höchstens {} Profilfelder.',
  "'text' cannot be blank.": 'Jede Auswahl braucht einen Text.',
  'Field must have at least one choice.': 'Das Feld braucht mindestens eine Auswahl.',
  'Field must not have duplicate choices.': 'Jede Auswahl kann es nur einmal geben.',
  'A field has at most {} choices.': 'Mehr als {} Auswahlen gehen nicht.',
  'Malformed URL pattern.': 'Diese Adresse stimmt nicht.',
  'Custom external account must define URL pattern': 'Es fehlt die Adresse.',
  'No more than {} exports can be begun within a week.': 'Mehr als {} Exporte in einer Woche gehen nicht.',
  'No more than {} exports can be kept: delete one first.': 'Mehr als {} Exporte gehen nicht: Lösche erst einen.',
  'Export already deleted': 'Dieser Export ist schon gelöscht.',
  'Export still in progress': 'Dieser Export läuft noch.',
  'BigBlueButton is not configured.': 'BigBlueButton ist auf diesem Server nicht eingerichtet.',
  'Zoom credentials have not been configured': 'Zoom ist auf diesem Server nicht eingerichtet.',
  // What the server cannot do at the moment.
  'The server is too busy. Try again.': 'Der Server hat zu viel zu tun. Versuch es noch einmal.',
  'The server has no room for more. Tell its administrator.':
    'Der Server hat keinen Platz mehr. Sag dem Betrieb des Servers Bescheid.',
  'The server has no room for this file. Tell its administrator.':
    'Der Server hat für diese Datei keinen Platz. Sag dem Betrieb des Servers Bescheid.',
  'The database cannot be reached. Try again.': 'Die Datenbank ist nicht erreichbar. Versuch es noch einmal.',
  'What the database had committed cannot be read. Try again.':
    'Was in der Datenbank steht, ist nicht lesbar. Versuch es noch einmal.',
  'Files cannot be reached. Try again.': 'Die Dateien sind nicht erreichbar. Versuch es noch einmal.',
  'The server is stopping': 'Der Server wird gerade beendet.',
  'Internal server error (request {})': 'Der Server hat einen Fehler gemacht (Anfrage {}).',
}
