export const devices = {
  title: 'Devices',
  where: 'Where you are signed in',
  this: 'This device',
  signOut: 'Sign out',
  others: 'Sign out everywhere else',
  othersSure: 'All other devices have to sign in again.',
  none: 'You are signed in nowhere else.',
  ended: 'Signed out',
  used: (day: string) => `Last used: ${day}`,
  signOutOf: (device: string) => `Sign out: ${device}`,
}
