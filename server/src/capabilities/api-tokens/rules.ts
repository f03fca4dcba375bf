import { timingSafeEqual } from 'node:crypto'
import type { Actor, TokenClaim, TokenScope } from '../../kernel/actor.ts'
import type { Access } from '../../kernel/endpoint.ts'
import type { OrganizationState } from '../../kernel/projection.ts'
import { ApiError } from '../../kernel/refusal.ts'
import { DIGEST_BYTES, secretDigest } from '../sessions/queries.ts'
import { userById, userByLogin } from '../users/queries/index.ts'
import { findValidToken, recordTokenUse, type TokenState } from './queries.ts'

/** The token's ID, for the lookup, and 256 random bits in base64url. No API key has this form. */
const TOKEN_PATTERN = /^parley_(\d{1,15})_([\w-]{43})$/

/** Used in place of an unknown token's digest, so that the check takes as long as for a known token. */
const PLACEHOLDER_DIGEST = '0'.repeat(2 * DIGEST_BYTES)

export function formatToken(id: number, secret: string): string {
  return `parley_${id}_${secret}`
}

export function parseTokenClaim(text: string, client: string, username?: string): TokenClaim | undefined {
  const [, id, secret] = TOKEN_PATTERN.exec(text) ?? []
  if (id === undefined || secret === undefined) return undefined
  return { tokenId: Number(id), secretDigest: secretDigest(secret), client, username }
}

/** Requires a token that allows `access`. Every invalid token gets the same error as a wrong API key. */
export function authenticateToken(organization: OrganizationState, claim: TokenClaim, access: Access): Actor {
  const { tokenId: id, secretDigest: digest, client, username } = claim
  const token = findValidToken(organization, id)
  const matches = timingSafeEqual(Buffer.from(token?.digest ?? PLACEHOLDER_DIGEST, 'hex'), digest)
  const isNamed = username === undefined || userByLogin(organization, username)?.id === token?.userId
  const user = token === undefined ? undefined : userById(organization, token.userId)
  if (token === undefined || user === undefined || !matches || !isNamed) {
    throw new ApiError('INVALID_API_KEY', 'Invalid API key')
  }
  if (!user.isActive) throw new ApiError('USER_DEACTIVATED', 'Account is deactivated')
  requireTokenAccess(token, access)
  recordTokenUse(organization, id)
  const channelIds = token.channelIds === null ? null : new Set(token.channelIds)
  return { userId: user.id, role: user.role, client, token: { id, endsAt: token.expiresAt, channelIds } }
}

/** Endpoints that do not declare token access reject tokens. */
function requireTokenAccess({ isReadOnly, channelIds }: TokenState, { forTokens, forChannelTokens }: Access): void {
  if (forTokens === undefined) throw channelOutOfScopeError()
  if (isReadOnly && forTokens !== 'reading') throw channelOutOfScopeError()
  if (channelIds !== null && forChannelTokens !== true) throw channelOutOfScopeError()
}

export function isChannelInTokenScope(
  { token }: { readonly token?: Pick<TokenScope, 'channelIds'> },
  channelId: number | null | undefined,
): boolean {
  const channelIds = token?.channelIds ?? null
  return channelIds === null || (typeof channelId === 'number' && channelIds.has(channelId))
}

/** @throws ApiError if the channel is not one of the token's, whether or not the channel exists */
export function requireChannelInTokenScope(actor: Pick<Actor, 'token'>, channelId: number | null | undefined): void {
  if (!isChannelInTokenScope(actor, channelId)) throw channelOutOfScopeError()
}

export function channelOutOfScopeError(): ApiError {
  return new ApiError('INSUFFICIENT_SCOPE', 'This API token does not allow this request.')
}

/** Event types open to tokens: their events contain only data that tokens can also request. */
const TOKEN_EVENT_TYPES: ReadonlySet<string> = new Set([
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
  'channel_pins',
  'bot_commands',
  'user_group',
])

/** Null `eventTypes` requests all event types, some of which contain secrets such as bots' API keys. */
export function requireReadableEvents({ token }: Pick<Actor, 'token'>, eventTypes: readonly string[] | null): void {
  if (token === undefined) return
  if (eventTypes === null || eventTypes.some((type) => !TOKEN_EVENT_TYPES.has(type))) throw channelOutOfScopeError()
}
