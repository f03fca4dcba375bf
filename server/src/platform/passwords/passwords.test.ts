import { readFile } from 'node:fs/promises'
import { hash as argon2 } from '@node-rs/argon2'
import { expect, it } from 'vitest'
import { hashPassword, isCorrectPassword } from './passwords.ts'

const PASSWORD_COUNT = 40

it('leaves threads free for reading files while passwords are compared', async () => {
  const hash = await hashPassword('seven purple elephants')
  let compared = 0
  const comparing = Array.from({ length: PASSWORD_COUNT }, async (_, index) => {
    const matches = await isCorrectPassword(
      hash,
      index === 0 ? 'seven purple elephants' : `wrong ${index}`,
      '192.0.2.1',
    )
    compared += 1
    return matches
  })
  // These reads would wait for all comparisons if the comparisons occupied all threads.
  await readFile(import.meta.filename)
  expect(compared).toBeLessThan(PASSWORD_COUNT / 4)
  expect((await Promise.all(comparing)).filter(Boolean)).toHaveLength(1)
})

const PARAMETERS = { memoryCost: 19_456, timeCost: 2, parallelism: 1 } as const
const COMPOSED_PASSWORD = 'zwölf schöne Äpfel'.normalize('NFC')

it.each([
  ['decomposed letters', COMPOSED_PASSWORD, COMPOSED_PASSWORD.normalize('NFD')],
  ['composed letters', COMPOSED_PASSWORD.normalize('NFD'), COMPOSED_PASSWORD],
  ['a no-break space', 'zwölf schöne Äpfel', 'zwölf\u00a0schöne Äpfel'],
  ['an ideographic space', '密码 一二三四', '密码\u3000一二三四'],
])('accepts a password typed with %s', async (_, chosen, typed) => {
  expect(await isCorrectPassword(await hashPassword(chosen), typed, '192.0.2.1')).toBe(true)
})

it.each([COMPOSED_PASSWORD, COMPOSED_PASSWORD.normalize('NFD')])(
  'accepts both Unicode forms of a password that was hashed as typed: %j',
  async (old) => {
    const stored = await argon2(old, PARAMETERS)
    for (const typed of [COMPOSED_PASSWORD, COMPOSED_PASSWORD.normalize('NFD')])
      expect(await isCorrectPassword(stored, typed, '192.0.2.1')).toBe(true)
  },
)

it('treats accents, case, spacing, and character width as significant in passwords', async () => {
  const stored = await hashPassword('Äpfel und Birnen')
  for (const typed of ['Apfel und Birnen', 'äpfel und Birnen', 'Äpfel  und Birnen', 'Ｂirnen und Äpfel'])
    expect(await isCorrectPassword(stored, typed, '192.0.2.1')).toBe(false)
})
