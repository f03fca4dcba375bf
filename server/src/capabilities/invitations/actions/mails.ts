import type { OrganizationState } from '../../../kernel/projection.ts'
import type { OutgoingMail } from '../../mail/actions/index.ts'
import { organizationOf, setting } from '../../organizations/queries/index.ts'
import { knownUser } from '../../users/rules/index.ts'
import { JOIN_PATH, type Invitation } from '../queries.ts'

const LOGIN_PATH = '/login'

interface Names {
  readonly organization: string
  readonly inviter: string
}

interface Words {
  readonly invitation: (names: Names) => {
    readonly subject: string
    readonly paragraphs: readonly string[]
    readonly label: string
    readonly closing: (until: string | undefined) => readonly string[]
  }
  readonly member: (names: Pick<Names, 'organization'>) => { readonly paragraph: string; readonly label: string }
  readonly confirmation: (names: Pick<Names, 'organization'>) => {
    readonly subject: string
    readonly known: string
    readonly paragraph: string
    readonly label: string
    readonly closing: readonly string[]
  }
}

const ENGLISH: Words = {
  invitation: ({ organization, inviter }) => ({
    subject: `${inviter} invites you to ${organization}`,
    paragraphs: [
      'Hello,',
      `${inviter} invites you to ${organization}, where people write to each other about what they do.`,
    ],
    label: `Join ${organization}`,
    closing: (until) => [
      until === undefined ? 'The link is good once.' : `The link is good once, until ${until}.`,
      `If you do not know ${inviter}, you need not do anything.`,
    ],
  }),
  member: ({ organization }) => ({
    paragraph: `You have an account at ${organization} already. Sign in with this address.`,
    label: 'Sign in',
  }),
  confirmation: ({ organization }) => ({
    subject: `Join ${organization}`,
    known: `You have an account at ${organization}`,
    paragraph: `Somebody, probably you, wants to join ${organization} with this address.`,
    label: 'Confirm the address and go on',
    closing: ['The link is good once, for a day.', 'If it was not you, you need not do anything.'],
  }),
}

const GERMAN: Words = {
  invitation: ({ organization, inviter }) => ({
    subject: `${inviter} lädt dich zu ${organization} ein`,
    paragraphs: [
      'Hallo,',
      `${inviter} lädt dich zu ${organization} ein. Dort schreiben sich Menschen über das, was sie tun.`,
    ],
    label: `Bei ${organization} mitmachen`,
    closing: (until) => [
      until === undefined ? 'Der Link gilt einmal.' : `Der Link gilt einmal und bis zum ${until}.`,
      `Wenn du ${inviter} nicht kennst, musst du nichts tun.`,
    ],
  }),
  member: ({ organization }) => ({
    paragraph: `Du hast bei ${organization} schon ein Konto. Melde dich mit dieser Adresse an.`,
    label: 'Anmelden',
  }),
  confirmation: ({ organization }) => ({
    subject: `Bei ${organization} mitmachen`,
    known: `Du hast ein Konto bei ${organization}`,
    paragraph: `Jemand, vermutlich du, will mit dieser Adresse bei ${organization} mitmachen.`,
    label: 'Adresse bestätigen und weiter',
    closing: ['Der Link gilt einmal und einen Tag lang.', 'Wenn du das nicht warst, musst du nichts tun.'],
  }),
}

/** Falls back to the organization's language. */
function wordsOf(
  organization: OrganizationState,
  language = setting(organization, 'default_language'),
): { readonly language: string; readonly words: Words } {
  return /^de\b/.test(language) ? { language, words: GERMAN } : { language: 'en', words: ENGLISH }
}

/** Tells only the owner of the address, in the email itself, that an account exists. */
export function invitationMail(
  organization: OrganizationState,
  invitation: Invitation & { readonly email: string },
  hasAccount: boolean,
): OutgoingMail {
  const { language, words } = wordsOf(organization)
  const names = {
    organization: organizationOf(organization).name,
    inviter: knownUser(organization, invitation.invitedBy).fullName,
  }
  const { subject, paragraphs, label, closing } = words.invitation(names)
  const until =
    invitation.expiresAt === null
      ? undefined
      : new Intl.DateTimeFormat(language, { dateStyle: 'long', timeZone: 'UTC' }).format(invitation.expiresAt * 1000)
  if (hasAccount) {
    const { paragraph, label: signIn } = words.member(names)
    return {
      to: invitation.email,
      language,
      subject,
      paragraphs: [...paragraphs, paragraph],
      button: { label: signIn, path: LOGIN_PATH },
    }
  }
  const button = { label, path: JOIN_PATH, seed: invitation.seed }
  return { to: invitation.email, language, subject, paragraphs, button, closing: closing(until) }
}

interface Confirming {
  readonly email: string
  readonly seed: Buffer | undefined
  readonly language: string | undefined
}

export function confirmationMail(
  organization: OrganizationState,
  { email, seed, language: spoken }: Confirming,
): OutgoingMail {
  const { language, words } = wordsOf(organization, spoken)
  const names = { organization: organizationOf(organization).name }
  const { subject, known, paragraph, label, closing } = words.confirmation(names)
  const member = words.member(names)
  return seed === undefined
    ? {
        to: email,
        language,
        subject: known,
        paragraphs: [paragraph, member.paragraph],
        button: { label: member.label, path: LOGIN_PATH },
        closing: closing.slice(1),
      }
    : { to: email, language, subject, paragraphs: [paragraph], button: { label, path: JOIN_PATH, seed }, closing }
}
