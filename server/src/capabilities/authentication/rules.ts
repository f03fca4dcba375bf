import { timingSafeEqual } from 'node:crypto'
import type { Actor, BotKeyClaim, Claim, KeyClaim, TokenClaim } from '../../kernel/actor.ts'
import type { OrganizationState } from '../../kernel/projection.ts'
import type { Access } from '../../kernel/endpoint.ts'
import { notLoggedIn, organizationDeactivated, Refusal } from '../../kernel/refusal.ts'
import { isToken } from '../api-tokens/queries.ts'
import { tokenActorOf, tokenClaimOf } from '../api-tokens/rules.ts'
import { isDeactivated } from '../organizations/queries/index.ts'
import { isSession } from '../sessions/queries.ts'
import { sessionActorOf } from '../sessions/rules.ts'
import { BOT_TYPE } from '../users/contract/index.ts'
import { userByLogin, userById, usersProjection, type UserRow } from '../users/queries/index.ts'
import { apiKeysProjection, DIGEST_BYTES, digestOf } from './queries.ts'

/** A digest as long as that of a key, and of no key that exists. */
const NO_DIGEST = Buffer.alloc(DIGEST_BYTES)

/** The claim that an API email makes with a key, or with a token in its place, whether or not they belong to an account. */
export function claimOf(username: string, apiKey: string, client: string): KeyClaim | TokenClaim {
  const claim = tokenClaimOf(apiKey, client, username)
  return claim ?? { username, keyDigest: Buffer.from(digestOf(apiKey), 'hex'), client }
}

/** The claim that an API key alone makes, to be that of a bot. */
export function botClaimOf(apiKey: string, client: string): BotKeyClaim {
  return { botKeyDigest: Buffer.from(digestOf(apiKey), 'hex'), client }
}

/**
 * The actor that a claim stands for, whichever kind it is.
 * @param access what is asked for, which some credentials do not open
 */
export function actorOf(organization: OrganizationState, claim: Claim, access: Access): Actor {
  if ('sessionId' in claim) return sessionActorOf(organization, claim)
  if ('tokenId' in claim) return tokenActorOf(organization, claim, access)
  return 'botKeyDigest' in claim ? botActorOf(organization, claim) : keyActorOf(organization, claim, access)
}

/**
 * The bot whose API key a claim has; the keys of people open everything and count in no address. All keys of bots are
 * compared, so that the time says nothing of them.
 */
function botActorOf(organization: OrganizationState, { botKeyDigest, client }: BotKeyClaim): Actor {
  const keys = organization.of(apiKeysProjection)
  let found: UserRow | undefined
  for (const bot of organization.of(usersProjection).bots.values()) {
    if (timingSafeEqual(keys.get(bot.id) ?? NO_DIGEST, botKeyDigest) && keys.has(bot.id)) found = bot
  }
  if (found === undefined) throw new Refusal('INVALID_API_KEY', 'Invalid API key')
  if (!found.isActive) throw new Refusal('USER_DEACTIVATED', 'Account is deactivated')
  return { userId: found.id, role: found.role, client }
}

/**
 * The actor that a claim's API email and key stand for. An unknown name and a wrong key are refused alike and in the
 * same time; only the right key learns that its user is deactivated.
 */
function keyActorOf(organization: OrganizationState, claim: KeyClaim, access: Access): Actor {
  const user = userByLogin(organization, claim.username)
  const digest = user === undefined ? undefined : organization.of(apiKeysProjection).get(user.id)
  const matches = timingSafeEqual(digest ?? NO_DIGEST, claim.keyDigest)
  if (user === undefined || digest === undefined || !matches) throw new Refusal('INVALID_API_KEY', 'Invalid API key')
  if (!user.isActive) throw new Refusal('USER_DEACTIVATED', 'Account is deactivated')
  if (user.botType === BOT_TYPE.incomingWebhook && access.forWriteOnlyBots !== true) {
    throw new Refusal('BAD_REQUEST', 'This API is not available to incoming webhook bots.')
  }
  return { userId: user.id, role: user.role, client: claim.client }
}

/** The actor with the role it has now; actions wait for their turn, and roles change and sessions end meanwhile. */
export function renewed(organization: OrganizationState, actor: Actor): Actor {
  if (isDeactivated(organization)) throw organizationDeactivated()
  const user = userById(organization, actor.userId)
  if (user?.isActive !== true) throw new Refusal('USER_DEACTIVATED', 'Account is deactivated')
  if (actor.sessionId !== undefined && !isSession(organization, actor.sessionId)) throw notLoggedIn()
  if (actor.token !== undefined && !isToken(organization, actor.token.id)) {
    throw new Refusal('INVALID_API_KEY', 'Invalid API key')
  }
  return user.role === actor.role ? actor : { ...actor, role: user.role }
}
