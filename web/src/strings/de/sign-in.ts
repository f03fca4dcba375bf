import type { Strings } from '../en/index.ts'

export const signIn: Strings['signIn'] = {
  title: (organization) => `Bei ${organization} anmelden`,
  email: 'E-Mail-Adresse',
  password: 'Passwort',
  submit: 'Anmelden',
  with: (provider) => `Mit ${provider} anmelden`,
  forgotten: 'Passwort vergessen?',
  failed: 'Die Adresse oder das Passwort stimmt nicht.',
  linkFailed: 'Dieser Link gilt nicht mehr. Melde dich mit deinem Passwort an.',
  join: 'Ein Konto anlegen',
  signOut: 'Abmelden',
}
