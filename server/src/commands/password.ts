import { randomInt } from 'node:crypto'
import { UsageError, type Terminal } from './command.ts'

/** Omits look-alike characters, because people retype passwords. */
const PASSWORD_LETTERS = 'abcdefghjkmnpqrstuvwxyz23456789'
const PASSWORD_GROUPS = 4
const LETTERS_IN_GROUP = 5

/** Generates a password with 99 random bits. */
export function choosePassword(): string {
  const letter = (): string => PASSWORD_LETTERS[randomInt(PASSWORD_LETTERS.length)] ?? ''
  const group = (): string => Array.from({ length: LETTERS_IN_GROUP }, letter).join('')
  return Array.from({ length: PASSWORD_GROUPS }, group).join('-')
}

/** Reads only the first line, because typed or echoed passwords end with a newline. */
export async function givenPassword(terminal: Terminal): Promise<string> {
  const [password = ''] = (await terminal.readInput()).split(/\r?\n/)
  if (password === '') throw new UsageError('No password on stdin.')
  return password
}
