import { count } from '../numbers.ts'

export const accounts = {
  title: 'People',
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
  deactivate: 'Deactivate account',
  deactivateSure: (name: string) =>
    `Deactivate ${name}? They are signed out everywhere and cannot sign in any more. What they wrote stays.`,
  reactivate: 'Reactivate account',
  wasDeactivated: (name: string) => `${name} is deactivated`,
  wasReactivated: (name: string) => `${name} is active again`,
}
