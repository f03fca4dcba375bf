import type { Strings } from '../en/index.ts'

export const signIn: Strings['signIn'] = {
  title: (organization) => `Bei ${organization} anmelden`,
  email: 'E-Mail-Adresse',
  password: 'Passwort',
  submit: 'Anmelden',
  with: (provider) => `Mit ${provider} anmelden`,
  forgotten: 'Passwort vergessen?',
  failed: 'E-Mail-Adresse oder Passwort ist falsch.',
  linkFailed: 'Dieser Link ist nicht mehr gültig. Melde dich mit deinem Passwort an.',
  join: 'Konto erstellen',
  signOut: 'Abmelden',
}
