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
  emailHint: 'Damit meldest du dich an.',
  sendLink: 'Link schicken',
  sendLinkHint: 'Wir schicken an diese Adresse einen Link, mit dem es weitergeht.',
  sent: (email) => `Eine E-Mail an ${email} ist unterwegs. Öffne den Link darin, dann geht es weiter.`,
  badLink: 'Dieser Link gilt nicht mehr',
  badLinkMore:
    'Er wurde benutzt oder zurückgenommen, oder seine Zeit ist um. Bitte den Menschen, der dich eingeladen hat, um einen neuen.',
  onlyInvited: 'Hier macht nur mit, wer eingeladen ist. Bitte jemanden, der ein Konto hat, dich einzuladen.',
  haveAccount: 'Ich habe ein Konto',
}
