import { ROLE, type Role } from '../../kernel/actor.ts'

export interface Member {
  readonly fullName: string
  readonly role: Role
  readonly botOf?: string
}

export const ORGANIZATION_NAME = 'Plotbook'
export const OWNER: Member = { fullName: 'Ines Moreau', role: ROLE.owner }

export const MEMBERS: readonly Member[] = [
  { fullName: 'Freya Lund', role: ROLE.administrator },
  { fullName: 'Tomasz Nowak', role: ROLE.moderator },
  { fullName: 'Ada Okafor', role: ROLE.member },
  { fullName: 'Kenji Mori', role: ROLE.member },
  { fullName: 'Luca Bianchi', role: ROLE.member },
  { fullName: 'Priya Raman', role: ROLE.member },
  { fullName: 'Hannah Berg', role: ROLE.member },
  { fullName: 'Samuel Asante', role: ROLE.member },
  { fullName: 'Diego Ramos', role: ROLE.guest },
  { fullName: 'Deploy Bot', role: ROLE.member, botOf: 'Tomasz' },
  { fullName: 'Tickets Bot', role: ROLE.member, botOf: 'Priya' },
]

export interface DemoChannel {
  readonly name: string
  readonly description: string
  /** First names; everyone except guests by default. */
  readonly members?: readonly string[]
  readonly kind?: 'private' | 'web-public'
}

export const DEMO_CHANNELS: readonly DemoChannel[] = [
  { name: 'kitchen', description: 'Coffee, lunch and everything that is not work' },
  { name: 'product', description: 'What we build next, and why' },
  {
    name: 'design',
    description: 'Sketches, colors, **snails**',
    members: ['Ines', 'Kenji', 'Luca', 'Ada', 'Priya', 'Hannah', 'Samuel', 'Diego'],
  },
  {
    name: 'engineering',
    description: 'How it works, and why it did not',
    members: ['Ines', 'Tomasz', 'Ada', 'Luca', 'Samuel', 'Kenji', 'Hannah', 'Freya'],
  },
  {
    name: 'releases',
    description: 'What went live, from [the pipeline](https://plotbook.example/pipeline)',
    members: ['Tomasz', 'Ada', 'Luca', 'Samuel', 'Freya', 'Deploy'],
  },
  {
    name: 'support',
    description: 'Gardeners who need us',
    members: ['Priya', 'Tomasz', 'Ada', 'Luca', 'Hannah', 'Kenji', 'Tickets'],
  },
  {
    name: 'marketing',
    description: 'Newsletter, website, fairs',
    members: ['Hannah', 'Ines', 'Priya', 'Kenji', 'Luca', 'Samuel', 'Freya', 'Tomasz', 'Diego'],
  },
  {
    name: 'community',
    description: 'News and questions about Plotbook. Anyone on the web can read this channel.',
    kind: 'web-public',
  },
  {
    name: 'hiring',
    description: 'Applications. What is said here stays here.',
    members: ['Ines', 'Tomasz', 'Freya'],
    kind: 'private',
  },
]

export const firstNameOf = ({ fullName }: Pick<Member, 'fullName'>): string => fullName.split(' ')[0] ?? fullName

export const emailOf = (member: Pick<Member, 'fullName'>): string =>
  `${firstNameOf(member).toLowerCase()}${member.fullName.endsWith(' Bot') ? '-bot' : ''}@plotbook.example`
