import type { Strings } from '../en/index.ts'

export const entrance: Strings['entrance'] = {
  join: (organization) => `Bei ${organization} mitmachen`,
  invitedBy: (inviter, organization) => `${inviter} lädt dich zu ${organization} ein.`,
  confirmed: 'Deine Adresse ist bestätigt. Wähle deinen Namen und ein Passwort.',
  name: 'Dein Name',
  nameHint: 'So sehen ihn die anderen.',
  newPassword: 'Passwort',
  newPasswordHint: 'Mindestens 8 Zeichen. Mehrere Wörter sind schwer zu erraten.',
  submitJoin: 'Mitmachen',
  joinWith: (provider) => `Mit ${provider} mitmachen`,
  signingIn: 'Anmeldung',
  emailHint: 'Damit meldest du dich an.',
  sendLink: 'Link schicken',
  sendLinkHint: 'Wir schicken an diese Adresse einen Link, mit dem es weitergeht.',
  sent: (email) => `Eine E-Mail an ${email} ist unterwegs. Öffne den Link darin, dann geht es weiter.`,
  badLink: 'Dieser Link gilt nicht mehr',
  badLinkMore:
    'Er wurde benutzt oder zurückgenommen, oder seine Zeit ist um. Bitte den Menschen, der dich eingeladen hat, um einen neuen.',
  onlyInvited: 'Hier macht nur mit, wer eingeladen ist. Bitte jemanden, der ein Konto hat, dich einzuladen.',
  haveAccount: 'Ich habe ein Konto',
  forgotten: 'Passwort vergessen?',
  forgottenHint: 'Wir schicken an diese Adresse einen Link, mit dem du ein neues Passwort wählst.',
  passwordSent: (email) =>
    `Wenn es ein Konto mit der Adresse ${email} gibt, ist eine E-Mail dorthin unterwegs. Öffne den Link darin innerhalb einer Stunde.`,
  anotherPassword: 'Neues Passwort wählen',
  anotherPasswordMore: 'Überall sonst wirst du abgemeldet, und Programme brauchen einen neuen API-Schlüssel.',
  savePassword: 'Speichern und anmelden',
  badPasswordLink: 'Er wurde benutzt, oder seine Stunde ist um. Du kannst dir einen neuen schicken lassen.',
  sendAgain: 'Neuen Link schicken',
  confirmEmail: 'Deine Adresse bestätigen',
  confirmEmailMore: 'Von da an meldest du dich mit dieser Adresse an.',
  confirm: 'Bestätigen',
  emailConfirmed: (email) => `Deine Adresse ist von nun an ${email}.`,
  badEmailLink:
    'Er wurde benutzt, oder sein Tag ist um. Ändere deine Adresse noch einmal in den Einstellungen, dann bekommst du einen neuen.',
  goOn: 'Weiter',
}
