import { caseKey } from '../../../kernel/case-key.ts'
import { addressKey, RateLimitError } from '../../../platform/limits/rate.ts'
import type { OpenCall } from '../../../platform/request.ts'
import type { UserRow } from '../../users/queries/index.ts'
import { apiKeyDigest } from '../queries.ts'

const KNOWN_NETWORK_SECONDS = 30 * 86_400

interface LoginAttempt {
  readonly organizationId: number
  /** The entered address, even if no account has it. */
  readonly name: string
  readonly user: Pick<UserRow, 'id'> | undefined
}

interface LoginAttemptLimit {
  readonly kind: 'login' | 'password'
  /** Limit across all networks, as a multiple of the limit per network. */
  readonly networks: number
  readonly message: string
}

type AttemptContext = Pick<OpenCall, 'failedLogins' | 'address'>

/** Limits attempts strictly per network but loosely in total, so no one can lock owners out. @throws RateLimitError */
export async function countAttempt(
  { failedLogins, address }: AttemptContext,
  attempt: LoginAttempt,
  { kind, networks, message }: LoginAttemptLimit,
): Promise<void> {
  if (failedLogins === undefined) return
  const { organizationId, name } = attempt
  const here = await failedLogins.use(organizationId, networkAttemptsKey(address, attempt, kind))
  if (!here.allowed) throw new RateLimitError(here, message)
  // Counts the attempt even if the network is known, so that the timing does not reveal whether the name exists.
  const anywhere = await failedLogins.use(
    organizationId,
    apiKeyDigest(`${kind}:${organizationId}:${caseKey(name)}`),
    networks,
  )
  const isKnown = await failedLogins.isKept(organizationId, knownNetworkKey(address, attempt))
  if (!anywhere.allowed && !isKnown) throw new RateLimitError(anywhere, message)
}

export async function recordCorrectPassword(
  { failedLogins, address }: AttemptContext,
  attempt: LoginAttempt,
): Promise<void> {
  const { organizationId } = attempt
  await failedLogins?.forget(organizationId, networkAttemptsKey(address, attempt, 'login'))
  await failedLogins?.keep(organizationId, knownNetworkKey(address, attempt), KNOWN_NETWORK_SECONDS)
}

function networkAttemptsKey(
  address: string,
  { organizationId, name }: LoginAttempt,
  kind: LoginAttemptLimit['kind'],
): string {
  return apiKeyDigest(`${kind}:${organizationId}:${addressKey(address)}:${caseKey(name)}`)
}

/** Uses ID 0 for an unknown name, because no user has that ID. */
function knownNetworkKey(address: string, { organizationId, user }: LoginAttempt): string {
  return apiKeyDigest(`known network:${organizationId}:${user?.id ?? 0}:${addressKey(address)}`)
}
