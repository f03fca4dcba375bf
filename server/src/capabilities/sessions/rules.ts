import { timingSafeEqual } from 'node:crypto'
import type { Actor, SessionClaim } from '../../kernel/actor.ts'
import type { OrganizationState } from '../../kernel/projection.ts'
import { notLoggedInError } from '../../kernel/refusal.ts'
import { userById } from '../users/queries/index.ts'
import { SESSION_SECONDS } from './contract.ts'
import { DIGEST_BYTES, secretDigest, sessionsProjection, type SessionState } from './queries.ts'

/** Session ID and 256 random bits in base64url. */
const COOKIE_PATTERN = /^(\d{1,15})\.([\w-]{43})$/

const PLACEHOLDER_DIGEST = '\0'.repeat(DIGEST_BYTES)

export function parseSessionClaim(cookie: string, client: string): SessionClaim {
  const [, id, secret = ''] = COOKIE_PATTERN.exec(cookie) ?? []
  return { sessionId: Number(id ?? 0), secretDigest: secretDigest(secret), client }
}

/** Returns the session, even an expired one, if the claim's secret matches. Compares in constant time. */
export function verifySessionClaim(organization: OrganizationState, claim: SessionClaim): SessionState | undefined {
  const session = organization.of(sessionsProjection).get(claim.sessionId)
  const matches = timingSafeEqual(Buffer.from(session?.digest ?? PLACEHOLDER_DIGEST, 'latin1'), claim.secretDigest)
  return matches ? session : undefined
}

/** Invalid sessions and deactivated accounts get the same error as missing credentials. */
export function sessionActorOf(organization: OrganizationState, claim: SessionClaim): Actor {
  const { sessionId, client } = claim
  const session = verifySessionClaim(organization, claim)
  if (session === undefined) throw notLoggedInError()
  if (session.usedAt + SESSION_SECONDS <= Date.now() / 1000) throw notLoggedInError()
  const user = userById(organization, session.userId)
  if (user?.isActive !== true || user.botType !== null) throw notLoggedInError()
  return { userId: user.id, role: user.role, client, sessionId }
}
