import { timingSafeEqual } from 'node:crypto'
import type { Actor, SessionClaim } from '../../kernel/actor.ts'
import type { OrganizationState } from '../../kernel/projection.ts'
import { notLoggedIn } from '../../kernel/refusal.ts'
import { userById } from '../users/queries/index.ts'
import { SESSION_SECONDS } from './contract.ts'
import { DIGEST_BYTES, secretDigest, sessionsProjection, type SessionState } from './queries.ts'

/** The id of a session, which says where to look, and its 256 random bits in base 64. */
const COOKIE = /^(\d{1,15})\.([\w-]{43})$/

/** A digest as long as that of a secret, and of no secret that exists. */
const NO_DIGEST = '\0'.repeat(DIGEST_BYTES)

/** The claim that the value of a cookie makes, whether or not there is such a session. */
export function sessionClaimOf(cookie: string, client: string): SessionClaim {
  const [, id, secret = ''] = COOKIE.exec(cookie) ?? []
  // No session has the id 0.
  return { sessionId: Number(id ?? 0), secretDigest: secretDigest(secret), client }
}

/** The session that a claim proves, whether or not it is still good. */
export function provenSession(organization: OrganizationState, claim: SessionClaim): SessionState | undefined {
  const session = organization.of(sessionsProjection).get(claim.sessionId)
  const matches = timingSafeEqual(Buffer.from(session?.digest ?? NO_DIGEST, 'latin1'), claim.secretDigest)
  return matches ? session : undefined
}

/**
 * The actor of a session. One that is unknown, has ended or was not used for too long, a wrong secret and an account
 * that has ended are refused alike, as a request without a login.
 */
export function sessionActorOf(organization: OrganizationState, claim: SessionClaim): Actor {
  const { sessionId, client } = claim
  const session = provenSession(organization, claim)
  if (session === undefined) throw notLoggedIn()
  if (session.usedAt + SESSION_SECONDS <= Date.now() / 1000) throw notLoggedIn()
  const user = userById(organization, session.userId)
  if (user?.isActive !== true || user.botType !== null) throw notLoggedIn()
  return { userId: user.id, role: user.role, client, sessionId }
}
