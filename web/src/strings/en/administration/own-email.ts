export const ownEmail = {
  title: 'E-mail address',
  more: 'You sign in with it, and e-mails go there.',
  other: 'Another e-mail address',
  change: 'Change',
  isFixed: 'Only administrators change addresses here.',
  onItsWay: (email: string) =>
    `An e-mail is on its way to ${email}. Open the link in it within a day; until then, your address stays as it is.`,
  changed: (email: string) => `Your address is ${email} now.`,
}
