import { Refusal } from '../../kernel/refusal.ts'
import { takingTurns } from '../turns.ts'

/*
 * Argon2id with OWASP's first choice of parameters. The module is loaded at the first login: a server that bots
 * talk to with their keys never needs it.
 */
const PARAMETERS = { memoryCost: 19_456, timeCost: 2, parallelism: 1 } as const

/** A hash of random bytes, made once, with which the password of an unknown user is compared. */
let decoy: Promise<string> | undefined

/** Half of the threads that read files and resolve names, too, unless UV_THREADPOOL_SIZE says otherwise. */
const MAX_AT_ONCE = 2
const MAX_WAITING = 500

const inTurn = takingTurns(MAX_AT_ONCE, MAX_WAITING, () => {
  throw new Refusal('RATE_LIMIT_HIT', 'Too many people are signing in right now.', { 'retry-after': 1 })
})

/**
 * Hashes a password.
 * @param who whose turn it is, such as the address that asks
 * @throws Refusal RATE_LIMIT_HIT if too many wait
 */
export async function hashPassword(password: string, who?: string): Promise<string> {
  const { hash } = await import('@node-rs/argon2')
  return inTurn(async () => hash(normalized(password), PARAMETERS), who)
}

/** The same characters whatever keyboard typed them: RFC 8265, OpaqueString. */
function normalized(password: string): string {
  return password.replaceAll(/\p{Zs}/gu, ' ').normalize('NFC')
}

/** The forms in which a password can have been hashed. Older versions hashed it as it was typed, decomposed on some systems. */
function formsOf(password: string): ReadonlySet<string> {
  return new Set([normalized(password), password, password.normalize('NFD')])
}

/** What hashes with these parameters look like. */
const OWN_HASH = /^\$argon2id\$v=19\$m=19456,t=2,p=1\$[A-Za-z0-9+/]{10,64}\$[A-Za-z0-9+/]{20,100}$/

/** Whether a hash is one that this server could have made: comparing with another one could take as long as its maker wants. */
export function isOwnHash(hash: string): boolean {
  return OWN_HASH.test(hash)
}

/**
 * Whether it is the password, in any Unicode form. Takes as long when there is no hash to compare with.
 * @param who whose turn it is, such as the address that asks
 * @throws Refusal RATE_LIMIT_HIT if too many wait
 */
export async function isPassword(hash: string | null, password: string, who: string): Promise<boolean> {
  const { hash: hashOf, verify } = await import('@node-rs/argon2')
  // Out of turn: a refusal would be kept, and then tell every unknown name from a known one.
  decoy ??= hashOf(crypto.randomUUID(), PARAMETERS)
  const compared = hash ?? (await decoy)
  // ASCII has one form, so nearly every password is compared once.
  for (const form of formsOf(password)) {
    if ((await inTurn(async () => verify(compared, form), who)) && hash !== null) return true
  }
  return false
}
