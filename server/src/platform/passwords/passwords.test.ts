import { readFile } from 'node:fs/promises'
import { expect, it } from 'vitest'
import { hashPassword, isPassword } from './passwords.ts'

const PASSWORDS = 40

it('leaves threads for reading files, however many passwords are compared', async () => {
  const hash = await hashPassword('seven purple elephants')
  let compared = 0
  const comparing = Array.from({ length: PASSWORDS }, async (_, index) => {
    const matches = await isPassword(hash, index === 0 ? 'seven purple elephants' : `wrong ${index}`, '192.0.2.1')
    compared += 1
    return matches
  })
  // Behind all of them, where they have all threads.
  await readFile(import.meta.filename)
  expect(compared).toBeLessThan(PASSWORDS / 4)
  expect((await Promise.all(comparing)).filter(Boolean)).toHaveLength(1)
})
