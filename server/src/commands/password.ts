import { randomInt } from 'node:crypto'
import { UsageError, type Terminal } from './command.ts'

/** Omits look-alike characters, because people retype passwords. */
const PASSWORD_LETTERS = 'abcdefghjkmnpqrstuvwxyz23456789'
const GROUPS_PER_PASSWORD = 4
const LETTERS_PER_GROUP = 5

/** Generates a password with 99 random bits. */
export function generatePassword(): string {
  const letter = (): string => PASSWORD_LETTERS[randomInt(PASSWORD_LETTERS.length)] ?? ''
  const group = (): string => Array.from({ length: LETTERS_PER_GROUP }, letter).join('')
  return Array.from({ length: GROUPS_PER_PASSWORD }, group).join('-')
}

/** Reads only the first line, because typed or echoed passwords end with a newline. */
export async function readPassword(terminal: Terminal): Promise<string> {
  const [password = ''] = (await terminal.readInput()).split(/\r?\n/)
  if (password === '') throw new UsageError('No password on stdin.')
  return password
}
