export const signIn = {
  title: (organization: string) => `Sign in to ${organization}`,
  email: 'E-mail address',
  password: 'Password',
  submit: 'Sign in',
  with: (provider: string) => `Sign in with ${provider}`,
  forgotten: 'Forgotten your password?',
  failed: 'The address or the password is not right.',
  linkFailed: 'This link is no longer good. Sign in with your password.',
  join: 'Make an account',
  signOut: 'Sign out',
}
