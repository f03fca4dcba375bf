import { count } from '../numbers.ts'

export const accounts = {
  title: 'People',
  newPeople: 'Settings of new people',
  newPeopleMore:
    'What you choose counts at once, for accounts that are made from now on; those that are there stay as they are. New people read the language of the organization.',
  all: 'All people',
  find: 'Find by name or address',
  role: 'Role',
  everyRole: 'Every role',
  state: 'Accounts',
  active: 'Active',
  deactivated: 'Deactivated',
  number: (people: number) => count(people, 'person', 'people'),
  create: 'New account',
  email: 'E-mail address',
  name: 'Name',
  password: 'Password',
  passwordMore: 'Tell it to the person, who can change it.',
  joined: 'Joined',
  onlyOwners: 'Only owners change owners.',
  noAddress: 'Address hidden',
  fields: 'Profile',
  passwordLink: 'Copy a link for another password',
  passwordLinkMore:
    'For people who have forgotten theirs, where this server sends no e-mails. The link is good once, for an hour; whoever has it gets into the account.',
  passwordLinkCopied: 'The link is copied',
  passwordLinkSent: 'This server sends e-mails: the person gets the link by “Forgotten your password?”.',
  secondFactor: 'Second factor',
  noSecondFactor: 'This account has none.',
  secondFactorSince: (day: string) => `Set up: ${day}`,
  removeSecondFactor: 'Remove the second factor',
  secondFactorSure: (name: string) =>
    `Remove the second factor of ${name}? Whoever knows the password can sign in then. Do it only if you are sure that the person asks you.`,
  secondFactorWasRemoved: (name: string) => `The second factor of ${name} is removed`,
  deactivate: 'Deactivate account',
  deactivateSure: (name: string) =>
    `Deactivate ${name}? They are signed out everywhere and cannot sign in any more. What they wrote stays.`,
  reactivate: 'Reactivate account',
  wasDeactivated: (name: string) => `${name} is deactivated`,
  wasReactivated: (name: string) => `${name} is active again`,
}
