/*
 * Argon2id with OWASP's first choice of parameters. The module is loaded at the first login: a server that bots
 * talk to with their keys never needs it.
 */
const PARAMETERS = { memoryCost: 19_456, timeCost: 2, parallelism: 1 } as const

/** A hash of random bytes, made once, with which the password of an unknown user is compared. */
let decoy: Promise<string> | undefined

export async function hashPassword(password: string): Promise<string> {
  const { hash } = await import('@node-rs/argon2')
  return hash(password, PARAMETERS)
}

/** What hashes with these parameters look like. */
const OWN_HASH = /^\$argon2id\$v=19\$m=19456,t=2,p=1\$[A-Za-z0-9+/]{10,64}\$[A-Za-z0-9+/]{20,100}$/

/** Whether a hash is one that this server could have made: comparing with another one could take as long as its maker wants. */
export function isOwnHash(hash: string): boolean {
  return OWN_HASH.test(hash)
}

/** Whether it is the password; takes as long when there is no hash to compare with. */
export async function isPassword(hash: string | null, password: string): Promise<boolean> {
  const { verify } = await import('@node-rs/argon2')
  decoy ??= hashPassword(crypto.randomUUID())
  const matches = await verify(hash ?? (await decoy), password)
  return hash !== null && matches
}
