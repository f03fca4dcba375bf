import { ApiError } from '../../kernel/refusal.ts'
import { createFairQueue } from '../turns.ts'

/* OWASP's first choice for Argon2id. The library is loaded for the first login, because bots never need it. */
const ARGON2_PARAMETERS = { memoryCost: 19_456, timeCost: 2, parallelism: 1 } as const

/** Hash with which passwords of unknown users are compared. */
let decoyHash: Promise<string> | undefined

/** Half of Node's pool threads, which also read files and resolve names. */
const MAX_CONCURRENT_HASHES = 2
const MAX_WAITING_HASHES = 500

const hashInTurn = createFairQueue(MAX_CONCURRENT_HASHES, MAX_WAITING_HASHES, () => {
  throw new ApiError('RATE_LIMIT_HIT', 'Too many people are signing in. Try again later.', { 'retry-after': 1 })
})

/** Hashes a password. Clients (`who`, such as an address) take turns. @throws ApiError RATE_LIMIT_HIT */
export async function hashPassword(password: string, who?: string): Promise<string> {
  const { hash } = await import('@node-rs/argon2')
  return hashInTurn(async () => hash(normalizePassword(password), ARGON2_PARAMETERS), who)
}

/** Normalizes a password by the OpaqueString profile of RFC 8265. */
function normalizePassword(password: string): string {
  return password.replaceAll(/\p{Zs}/gu, ' ').normalize('NFC')
}

/** Returns the forms to compare: older versions hashed passwords as typed, and some systems decompose typed letters. */
function unicodeFormsOf(password: string): ReadonlySet<string> {
  return new Set([normalizePassword(password), password, password.normalize('NFD')])
}

const OWN_HASH_PATTERN = /^\$argon2id\$v=19\$m=19456,t=2,p=1\$[A-Za-z0-9+/]{10,64}\$[A-Za-z0-9+/]{20,100}$/

/** Whether this server created a hash: a foreign hash could take arbitrarily long to compare. */
export function isOwnHash(hash: string): boolean {
  return OWN_HASH_PATTERN.test(hash)
}

/** Accepts any Unicode form of the password. Takes the same time if `hash` is null. @throws ApiError RATE_LIMIT_HIT */
export async function isCorrectPassword(hash: string | null, password: string, who: string): Promise<boolean> {
  const { hash: hashOf, verify } = await import('@node-rs/argon2')
  // The decoy is not queued: a full queue would reject it, and caching that rejection would reveal known names.
  decoyHash ??= hashOf(crypto.randomUUID(), ARGON2_PARAMETERS)
  const compared = hash ?? (await decoyHash)
  // ASCII passwords have one form, so nearly all passwords are compared once.
  for (const form of unicodeFormsOf(password)) {
    if ((await hashInTurn(async () => verify(compared, form), who)) && hash !== null) return true
  }
  return false
}
