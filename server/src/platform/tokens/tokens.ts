import { createHmac, hash, randomBytes, randomUUID } from 'node:crypto'
import { link, readFile, rm, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { makeFolder } from '../folders.ts'

/** Of the key, and of each seed. */
const SECRET_BYTES = 32

/** A new token, and what is stored of it. */
export interface NewToken {
  readonly token: string
  /** What the token is made of, together with the server's key: alone it says nothing of the token. */
  readonly seed: Buffer
  /** The SHA-256 of the token, by which it is found when somebody brings it. */
  readonly digest: Buffer
}

/**
 * Tokens of links that are sent or shown more than once. A token is made of its seed, which the database holds, and of a
 * key, which lies in a file: neither says anything without the other, and yet the server can put the same link into an
 * e-mail that it tries again.
 */
export interface Tokens {
  make(): Promise<NewToken>
  /** The token of a seed. */
  of(seed: Buffer): Promise<string>
}

/** @param folder where the key lies, which is made with the first token and read once */
export function openTokens(folder: string): Tokens {
  let reading: Promise<Buffer> | undefined
  const tokenOf = async (seed: Buffer): Promise<string> => {
    reading ??= readKey(folder)
    try {
      return createHmac('sha256', await reading)
        .update(seed)
        .digest('base64url')
    } catch (error) {
      // The next one looks again.
      reading = undefined
      throw error
    }
  }
  return {
    of: tokenOf,
    async make() {
      const seed = randomBytes(SECRET_BYTES)
      const token = await tokenOf(seed)
      return { token, seed, digest: tokenDigest(token) }
    },
  }
}

export function tokenDigest(token: string): Buffer {
  return hash('sha256', token, 'buffer')
}

/** Reads the key, or makes it: of several processes that do so at once, all get the same one. */
async function readKey(folder: string): Promise<Buffer> {
  const path = join(folder, 'token-key')
  const known = await readFile(path).catch(orMissing)
  if (known !== undefined) return checkedKey(known, path)
  await makeFolder(folder)
  const written = `${path}.${randomUUID()}`
  await writeFile(written, randomBytes(SECRET_BYTES), { mode: 0o600, flush: true })
  // Unlike renaming it, this puts it in the place of no other.
  await link(written, path).catch((error: unknown) => {
    if (!isCode(error, 'EEXIST')) throw error
  })
  await rm(written)
  return checkedKey(await readFile(path), path)
}

function checkedKey(key: Buffer, path: string): Buffer {
  if (key.length !== SECRET_BYTES) throw new Error(`${path} does not hold a key of ${SECRET_BYTES} bytes`)
  return key
}

function orMissing(error: unknown): undefined {
  if (!isCode(error, 'ENOENT')) throw error
}

function isCode(error: unknown, code: string): boolean {
  return error instanceof Error && 'code' in error && error.code === code
}
