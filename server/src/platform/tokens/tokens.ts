import { createHmac, hash, randomBytes, randomUUID, timingSafeEqual } from 'node:crypto'
import { link, readFile, rm, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { makeFolder } from '../folders.ts'

const SECRET_BYTES = 32

export interface NewToken {
  readonly token: string
  readonly seed: Buffer
  /** SHA-256 by which a token is found when it is used. */
  readonly digest: Buffer
}

/** Link tokens, derived from a seed in the database and a key in a file. Neither reveals a token alone. */
export interface Tokens {
  make(): Promise<NewToken>
  of(seed: Buffer): Promise<string>
}

/** `folder` contains the key, created with the first token. */
export function openTokens(folder: string): Tokens {
  let reading: Promise<Buffer> | undefined
  const tokenOf = async (seed: Buffer): Promise<string> => {
    reading ??= readKey(folder)
    try {
      return createHmac('sha256', await reading)
        .update(seed)
        .digest('base64url')
    } catch (error) {
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

/** Processes that create the key at the same time all get the same key. */
async function readKey(folder: string): Promise<Buffer> {
  const path = join(folder, 'token-key')
  const known = await readFile(path).catch(ignoreMissingFile)
  if (known !== undefined) return requireValidKey(known, path)
  await makeFolder(folder)
  const written = `${path}.${randomUUID()}`
  await writeFile(written, randomBytes(SECRET_BYTES), { mode: 0o600, flush: true })
  // Uses `link`, which, unlike `rename`, never replaces an existing file.
  await link(written, path).catch((error: unknown) => {
    if (!hasErrorCode(error, 'EEXIST')) throw error
  })
  await rm(written)
  return requireValidKey(await readFile(path), path)
}

function requireValidKey(key: Buffer, path: string): Buffer {
  if (key.length !== SECRET_BYTES) throw new Error(`${path} does not contain a key of ${SECRET_BYTES} bytes`)
  return key
}

function ignoreMissingFile(error: unknown): undefined {
  if (!hasErrorCode(error, 'ENOENT')) throw error
}

function hasErrorCode(error: unknown, code: string): boolean {
  return error instanceof Error && 'code' in error && error.code === code
}

/** Compares in constant time, so that the response time reveals only the length of the expected text. */
export function isSameSecret(given: string, expected: string | Buffer): boolean {
  const one = Buffer.from(given)
  const other = typeof expected === 'string' ? Buffer.from(expected) : expected
  return one.length === other.length && timingSafeEqual(one, other)
}
