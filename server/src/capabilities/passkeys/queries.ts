import type { Output } from '../../kernel/endpoint.ts'
import type { Db, Reader } from '../../kernel/transaction.ts'
import type { DueJob } from '../../platform/jobs/pieces.ts'
import { secretDigest } from '../sessions/queries.ts'
import type * as contract from './contract.ts'

export interface Passkey {
  readonly id: number
  readonly userId: number
  readonly credentialId: Buffer
  readonly publicKey: Buffer
  readonly counter: number
  readonly transports: readonly string[]
}

const PASSKEY_COLUMNS = `
  id, user_id as "userId", credential_id as "credentialId", public_key as "publicKey", counter, transports`

const PASSKEYS_OF_USER = `select ${PASSKEY_COLUMNS} from passkeys where organization_id = $1 and user_id = $2`

export async function passkeysOf(db: Db, organizationId: number, userId: number): Promise<Passkey[]> {
  return db.rows<Passkey>('passkeys_of', PASSKEYS_OF_USER, [organizationId, userId])
}

const PASSKEY_BY_CREDENTIAL = `select ${PASSKEY_COLUMNS} from passkeys where organization_id = $1 and credential_id = $2`

export async function passkeyByCredential(
  db: Db,
  organizationId: number,
  credentialId: Buffer,
): Promise<Passkey | undefined> {
  const [row] = await db.rows<Passkey>('passkey_of_credential', PASSKEY_BY_CREDENTIAL, [organizationId, credentialId])
  return row
}

const OWN_PASSKEYS = `
  select id, name, created_at, used_at as last_used_at from passkeys
  where organization_id = $1 and user_id = $2 order by id desc`

type PasskeyView = Output<typeof contract.getPasskeys>['passkeys'][number]

export async function getPasskeys({ db, organizationId, actor }: Reader): Promise<Output<typeof contract.getPasskeys>> {
  return { passkeys: await db.rows<PasskeyView>('own_passkeys', OWN_PASSKEYS, [organizationId, actor.userId]) }
}

const UNEXPIRED_CHALLENGE = `
  select 1 from passkey_challenges
  where organization_id = $1 and digest = $2 and user_id is null and expires_at > $3`

export async function isChallengeOpen(db: Db, organizationId: number, challenge: string): Promise<boolean> {
  const now = Math.floor(Date.now() / 1000)
  return (
    (await db.rows('passkey_challenge', UNEXPIRED_CHALLENGE, [organizationId, secretDigest(challenge), now])).length > 0
  )
}

const EXPIRED_CHALLENGES = `
  select distinct organization_id as "organizationId", 0 as id from passkey_challenges where expires_at <= $1 limit 100`

export async function organizationsWithExpiredChallenges(db: Db, now: number): Promise<DueJob[]> {
  return db.rows<DueJob>('passkey_challenges_over', EXPIRED_CHALLENGES, [now])
}
