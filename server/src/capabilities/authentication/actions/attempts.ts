import { caseKey } from '../../../kernel/case-key.ts'
import { addressKey, RateLimitHit } from '../../../platform/limits/rate.ts'
import type { OpenCall } from '../../../platform/request.ts'
import type { UserRow } from '../../users/queries/index.ts'
import { digestOf } from '../queries.ts'

/** A network from which a person gave the right password is known for this long. */
const KNOWN_NETWORK_SECONDS = 30 * 86_400

interface Attempt {
  readonly organizationId: number
  /** The address that somebody typed, whether or not there is such an account. */
  readonly name: string
  /** The account with that address. */
  readonly user: Pick<UserRow, 'id'> | undefined
}

interface AttemptTerms {
  /** Kind of attempt, which is counted by itself. */
  readonly kind: 'login' | 'password'
  /** How many times as many attempts one name allows from all networks together as from one. */
  readonly networks: number
  readonly message: string
}

type Counting = Pick<OpenCall, 'failedLogins' | 'address'>

/**
 * Counts an attempt by name, strictly from one network and loosely from all together, so that a stranger cannot keep the
 * owner of an account out. Networks from which the owner lately gave the right password are exempt from the loose count.
 * @throws RateLimitHit
 */
export async function countAttempt(
  { failedLogins, address }: Counting,
  attempt: Attempt,
  { kind, networks, message }: AttemptTerms,
): Promise<void> {
  if (failedLogins === undefined) return
  const { organizationId, name } = attempt
  const here = await failedLogins.use(organizationId, keyHere(address, attempt, kind))
  if (!here.allowed) throw new RateLimitHit(here, message)
  // Always counted and looked up, so that the time says nothing of the name.
  const anywhere = await failedLogins.use(
    organizationId,
    digestOf(`${kind}:${organizationId}:${caseKey(name)}`),
    networks,
  )
  const isKnown = await failedLogins.isKept(organizationId, knownNetwork(address, attempt))
  if (!anywhere.allowed && !isKnown) throw new RateLimitHit(anywhere, message)
}

/** Forgets the attempts to sign in from a network from which the right password came, and knows the network from then on. */
export async function noteRightPassword({ failedLogins, address }: Counting, attempt: Attempt): Promise<void> {
  const { organizationId } = attempt
  await failedLogins?.forget(organizationId, keyHere(address, attempt, 'login'))
  await failedLogins?.keep(organizationId, knownNetwork(address, attempt), KNOWN_NETWORK_SECONDS)
}

/** As long for every name, so that names cost no memory. */
function keyHere(address: string, { organizationId, name }: Attempt, kind: AttemptTerms['kind']): string {
  return digestOf(`${kind}:${organizationId}:${addressKey(address)}:${caseKey(name)}`)
}

/** No user has the id 0, from which no password is right. */
function knownNetwork(address: string, { organizationId, user }: Attempt): string {
  return digestOf(`known network:${organizationId}:${user?.id ?? 0}:${addressKey(address)}`)
}
