import { timingSafeEqual } from 'node:crypto'
import type { Actor, BotKeyClaim, Claim, KeyClaim, TokenClaim } from '../../kernel/actor.ts'
import type { OrganizationState } from '../../kernel/projection.ts'
import type { Access } from '../../kernel/endpoint.ts'
import { notLoggedInError, organizationDeactivatedError, ApiError } from '../../kernel/refusal.ts'
import { isValidToken } from '../api-tokens/queries.ts'
import { authenticateToken, parseTokenClaim } from '../api-tokens/rules.ts'
import { isDeactivated } from '../organizations/queries/index.ts'
import { isValidSession } from '../sessions/queries.ts'
import { sessionActorOf } from '../sessions/rules.ts'
import { BOT_TYPE } from '../users/contract/index.ts'
import { userByLogin, userById, usersProjection, type UserRow } from '../users/queries/index.ts'
import { apiKeysProjection, DIGEST_BYTES, apiKeyDigest } from './queries.ts'

/** Used in place of an unknown key's digest, so that the check takes as long as for a known key. */
const PLACEHOLDER_DIGEST = Buffer.alloc(DIGEST_BYTES)

export function parseKeyOrTokenClaim(username: string, apiKey: string, client: string): KeyClaim | TokenClaim {
  const claim = parseTokenClaim(apiKey, client, username)
  return claim ?? { username, keyDigest: Buffer.from(apiKeyDigest(apiKey), 'hex'), client }
}

export function createBotClaim(apiKey: string, client: string): BotKeyClaim {
  return { botKeyDigest: Buffer.from(apiKeyDigest(apiKey), 'hex'), client }
}

/** Returns the actor whom the credentials identify. @throws ApiError if they are wrong or do not allow `access` */
export function authenticateClaim(organization: OrganizationState, claim: Claim, access: Access): Actor {
  if ('sessionId' in claim) return sessionActorOf(organization, claim)
  if ('tokenId' in claim) return authenticateToken(organization, claim, access)
  return 'botKeyDigest' in claim ? authenticateBot(organization, claim) : authenticateKey(organization, claim, access)
}

/** Accepts only the keys of bots. Compares with every bot's key, so that the timing reveals nothing. */
function authenticateBot(organization: OrganizationState, { botKeyDigest, client }: BotKeyClaim): Actor {
  const keys = organization.of(apiKeysProjection)
  let found: UserRow | undefined
  for (const bot of organization.of(usersProjection).bots.values()) {
    if (timingSafeEqual(keys.get(bot.id) ?? PLACEHOLDER_DIGEST, botKeyDigest) && keys.has(bot.id)) found = bot
  }
  if (found === undefined) throw new ApiError('INVALID_API_KEY', 'Invalid API key')
  if (!found.isActive) throw new ApiError('USER_DEACTIVATED', 'Account is deactivated')
  return { userId: found.id, role: found.role, client }
}

/** Unknown names and wrong keys get the same error in the same time. Only a correct key reveals a deactivation. */
function authenticateKey(organization: OrganizationState, claim: KeyClaim, access: Access): Actor {
  const user = userByLogin(organization, claim.username)
  const digest = user === undefined ? undefined : organization.of(apiKeysProjection).get(user.id)
  const matches = timingSafeEqual(digest ?? PLACEHOLDER_DIGEST, claim.keyDigest)
  if (user === undefined || digest === undefined || !matches) throw new ApiError('INVALID_API_KEY', 'Invalid API key')
  if (!user.isActive) throw new ApiError('USER_DEACTIVATED', 'Account is deactivated')
  if (user.botType === BOT_TYPE.incomingWebhook && access.forWriteOnlyBots !== true) {
    throw new ApiError('BAD_REQUEST', 'This API is not available to incoming webhook bots.')
  }
  return { userId: user.id, role: user.role, client: claim.client }
}

/** Checks the actor again: while an action waits for its turn, roles can change and sessions can end. */
export function refreshActor(organization: OrganizationState, actor: Actor): Actor {
  if (isDeactivated(organization)) throw organizationDeactivatedError()
  const user = userById(organization, actor.userId)
  if (user?.isActive !== true) throw new ApiError('USER_DEACTIVATED', 'Account is deactivated')
  if (actor.sessionId !== undefined && !isValidSession(organization, actor.sessionId)) throw notLoggedInError()
  if (actor.token !== undefined && !isValidToken(organization, actor.token.id)) {
    throw new ApiError('INVALID_API_KEY', 'Invalid API key')
  }
  return user.role === actor.role ? actor : { ...actor, role: user.role }
}
