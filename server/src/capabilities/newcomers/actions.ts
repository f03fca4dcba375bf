import type { Input, Output } from '../../kernel/endpoint.ts'
import { ApiError } from '../../kernel/refusal.ts'
import type { OrganizationState } from '../../kernel/projection.ts'
import type { ActorTx, Tx } from '../../kernel/transaction.ts'
import { escapeMarkdown } from '../../platform/markdown/escape.ts'
import type { PreparationCall } from '../../platform/request.ts'
import type { ServerFacts } from '../../platform/server-facts.ts'
import { removeNewcomer } from '../users/actions/accounts.ts'
import { destinationWithAllowedTopic } from '../channels/actions/noticed.ts'
import { channelById, subscribersOf, type Channel } from '../channels/queries/index.ts'
import { postFromBot, silentMentionOf, prepareNotice, postMessages, type Post } from '../messages/actions/post.ts'
import { prepareContent, type PreparedContent } from '../messages/actions/prepare.ts'
import { organizationOf, settingOf } from '../organizations/queries/index.ts'
import { userById, type NewAccountSettings, type UserRow } from '../users/queries/index.ts'
import { isAdministrator, knownUser } from '../users/rules/index.ts'
import { canSeeUser } from '../users/rules/visibility.ts'
import type * as contract from './contract.ts'

/** Welcome messages are rendered like direct messages, because only their recipients read them. */
export const WELCOME_DESTINATION = { channelId: null, topic: '' } as const

const SIGNUPS_TOPIC = 'signups'

type WelcomeWording = (names: { readonly organization: string; readonly person: string }) => string

const ENGLISH_WELCOME: WelcomeWording = ({ organization, person }) => `Welcome to **${organization}**, ${person}.

- Every message in a channel belongs to a topic. Reply in a topic, or start a new one.
- Your inbox lists what you haven’t read yet.
- To reach one person, send a direct message.`

const GERMAN_WELCOME: WelcomeWording = ({ organization, person }) => `Willkommen bei **${organization}**, ${person}.

- Jede Nachricht in einem Kanal gehört zu einem Thema. Antworte in einem Thema oder beginne ein neues.
- Im Eingang steht, was du noch nicht gelesen hast.
- Mit einer Direktnachricht erreichst du eine einzelne Person.`

interface JoiningPerson {
  readonly fullName: string
  readonly chosen?: NewAccountSettings | undefined
}

/** Returns the Markdown sent by organizations that have no welcome message of their own. */
export function standardWelcome(organization: OrganizationState, { fullName, chosen }: JoiningPerson): string {
  const isGerman = /^de\b/.test(chosen?.default_language ?? settingOf(organization, 'default_language'))
  const names = {
    organization: escapeMarkdown(organizationOf(organization).name),
    person: escapeMarkdown(fullName.trim()),
  }
  return isGerman ? GERMAN_WELCOME(names) : ENGLISH_WELCOME(names)
}

export async function renderWelcome(
  { log, actor, reads, server }: PreparationCall,
  { welcome_message_custom_text: text }: Input<typeof contract.testWelcomeMessage>,
): Promise<PreparedContent> {
  if (!isAdministrator(actor)) throw notAdministratorError()
  return prepareContent({ organization: log.organization, db: reads, server }, actor, WELCOME_DESTINATION, text)
}

export async function testWelcomeMessage(
  tx: ActorTx,
  _input: Input<typeof contract.testWelcomeMessage>,
  prepared: PreparedContent,
): Promise<Output<typeof contract.testWelcomeMessage>> {
  if (!isAdministrator(tx.actor)) throw notAdministratorError()
  const [message_id] = await postMessages(tx, [postFromBot(tx.organization, { userId: tx.actor.userId }, prepared)])
  if (message_id === undefined) throw new Error('a message was posted and has no id')
  return { message_id }
}

function notAdministratorError(): ApiError {
  return new ApiError('BAD_REQUEST', 'Must be an organization administrator')
}

/** Welcomes a user once, because the same transaction deletes the newcomer's record. */
export async function greetNewcomer(
  tx: Tx,
  server: ServerFacts,
  userId: number,
  welcome: PreparedContent | undefined,
): Promise<void> {
  const taken = await removeNewcomer(tx, userId)
  if (taken === undefined) return
  const newcomer = knownUser(tx.organization, userId)
  if (!newcomer.isActive) return
  const posts: Post[] = []
  const board = channelById(tx.organization, settingOf(tx.organization, 'signup_announcements_stream_id'))
  if (board !== undefined && !board.isArchived && canAnnounceIn(tx, board, newcomer)) {
    const text = `${silentMentionOf(tx.organization, userId)} joined this organization.`
    posts.push(await prepareNotice(tx, server, destinationWithAllowedTopic(tx, board, SIGNUPS_TOPIC), text))
  }
  const referrer = userById(tx.organization, taken.referrerId ?? 0)
  if (
    referrer?.isActive === true &&
    canSeeUser(tx.organization, { userId: referrer.id, role: referrer.role }, newcomer)
  ) {
    const text = `${silentMentionOf(tx.organization, userId)} accepted your invitation and joined this organization.`
    posts.push(await prepareNotice(tx, server, { userId: referrer.id }, text))
  }
  if (welcome !== undefined) posts.push(postFromBot(tx.organization, { userId }, welcome))
  await postMessages(tx, posts)
}

/**
 * Whether all readers can see the newcomer: limited guests see only people with whom they share a channel, and
 * spectators see nobody.
 */
function canAnnounceIn(tx: Tx, channel: Channel, newcomer: UserRow): boolean {
  if (channel.isWebPublic) return false
  return [...subscribersOf(tx.organization, channel.id)].every((userId) =>
    canSeeUser(tx.organization, { userId, role: knownUser(tx.organization, userId).role }, newcomer),
  )
}
