export const devices = {
  title: 'Devices',
  where: 'Signed-in devices',
  this: 'This device',
  signOut: 'Sign out',
  others: 'Sign out everywhere else',
  othersSure: 'Sign out of all other devices? They have to sign in again.',
  none: 'You aren’t signed in anywhere else.',
  ended: 'Signed out',
  used: (day: string) => `Last used on ${day}`,
  signOutOf: (device: string) => `Sign out: ${device}`,
}
