export const ownEmail = {
  title: 'Email address',
  more: 'For signing in and receiving email.',
  other: 'New email address',
  change: 'Change',
  isFixed: 'Only admins can change email addresses.',
  onItsWay: (email: string) =>
    `We sent a link to ${email}. Open it within a day to confirm; until then, your address stays the same.`,
  changed: (email: string) => `Email address changed to ${email}`,
}
