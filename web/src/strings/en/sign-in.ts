export const signIn = {
  title: (organization: string) => `Sign in to ${organization}`,
  email: 'Email address',
  password: 'Password',
  submit: 'Sign in',
  with: (provider: string) => `Sign in with ${provider}`,
  forgotten: 'Forgot your password?',
  failed: 'Incorrect email or password.',
  linkFailed: 'This link is no longer valid. Sign in with your password.',
  join: 'Create account',
  signOut: 'Sign out',
}
