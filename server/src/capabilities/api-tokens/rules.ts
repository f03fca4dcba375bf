import { timingSafeEqual } from 'node:crypto'
import type { Actor, TokenClaim } from '../../kernel/actor.ts'
import type { Access } from '../../kernel/endpoint.ts'
import type { OrganizationState } from '../../kernel/projection.ts'
import { Refusal } from '../../kernel/refusal.ts'
import { DIGEST_BYTES, secretDigest } from '../sessions/queries.ts'
import { userById, userByLogin } from '../users/queries/index.ts'
import { goodToken, noteTokenUse, type TokenState } from './queries.ts'

/** The id of a token, which says where to look, and its 256 random bits in base 64. No API key has this form. */
const TOKEN = /^parley_(\d{1,15})_([\w-]{43})$/

/** A digest as long as that of a secret, and of no secret that exists. */
const NO_DIGEST = '0'.repeat(2 * DIGEST_BYTES)

/** A token as programs get it. */
export function tokenText(id: number, secret: string): string {
  return `parley_${id}_${secret}`
}

/** The claim that a token makes, whether or not there is such a one; undefined for what has not the form of one. */
export function tokenClaimOf(text: string, client: string, username?: string): TokenClaim | undefined {
  const [, id, secret] = TOKEN.exec(text) ?? []
  if (id === undefined || secret === undefined) return undefined
  return { tokenId: Number(id), secretDigest: secretDigest(secret), client, username }
}

/**
 * The actor of a token. One that is unknown, revoked or over, a wrong secret and a name that is not its owner's are refused
 * alike, as a wrong API key is.
 * @param access what is asked for, which has to be open to the token
 */
export function tokenActorOf(organization: OrganizationState, claim: TokenClaim, access: Access): Actor {
  const { tokenId: id, secretDigest: digest, client, username } = claim
  const token = goodToken(organization, id)
  const matches = timingSafeEqual(Buffer.from(token?.digest ?? NO_DIGEST, 'hex'), digest)
  const isNamed = username === undefined || userByLogin(organization, username)?.id === token?.userId
  const user = token === undefined ? undefined : userById(organization, token.userId)
  if (token === undefined || user === undefined || !matches || !isNamed) {
    throw new Refusal('INVALID_API_KEY', 'Invalid API key')
  }
  if (!user.isActive) throw new Refusal('USER_DEACTIVATED', 'Account is deactivated')
  requireOpen(token, access)
  noteTokenUse(organization, id)
  const channelIds = token.channelIds === null ? null : new Set(token.channelIds)
  return { userId: user.id, role: user.role, client, token: { id, endsAt: token.expiresAt, channelIds } }
}

/** Whatever does not say that it is open to such tokens is closed to them. */
function requireOpen({ isReadOnly, channelIds }: TokenState, { forTokens, forChannelTokens }: Access): void {
  if (forTokens === undefined) throw outOfScope()
  if (isReadOnly && forTokens !== 'reading') throw outOfScope()
  if (channelIds !== null && forChannelTokens !== true) throw outOfScope()
}

/** Whether the credentials of an actor open a place: a token of some channels opens these alone. Direct messages have no channel. */
export function isInScope({ token }: Pick<Actor, 'token'>, channelId: number | null | undefined): boolean {
  const channelIds = token?.channelIds ?? null
  return channelIds === null || (typeof channelId === 'number' && channelIds.has(channelId))
}

/** @throws Refusal for a place outside the scope, in the same words whether or not there is such a place */
export function requireInScope(actor: Pick<Actor, 'token'>, channelId: number | null | undefined): void {
  if (!isInScope(actor, channelId)) throw outOfScope()
}

export function outOfScope(): Refusal {
  return new Refusal('INSUFFICIENT_SCOPE', 'This API token does not open that.')
}

/** The events that a queue may have which is registered with a token: of what tokens can read, too. */
const EVENT_TYPES: ReadonlySet<string> = new Set([
  'message',
  'update_message',
  'delete_message',
  'submessage',
  'reaction',
  'update_message_flags',
  'typing',
  'presence',
  'user_status',
  'subscription',
  'stream',
  'user_topic',
  'attachment',
  'realm_emoji',
  'realm_user',
  'user_group',
])

/** @param eventTypes null for all, among which there are some that tell secrets, such as the API keys of bots */
export function requireHearable({ token }: Pick<Actor, 'token'>, eventTypes: readonly string[] | null): void {
  if (token === undefined) return
  if (eventTypes === null || eventTypes.some((type) => !EVENT_TYPES.has(type))) throw outOfScope()
}
