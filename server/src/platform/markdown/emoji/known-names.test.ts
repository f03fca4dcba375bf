import { existsSync, readFileSync } from 'node:fs'
import { expect, it } from 'vitest'
import { loadEmojiNames, readKnownNames } from './names.ts'

/** Exists only in the development environment. */
const CONTRACT = new URL('../../../../../../shared/contract/emoji.json', import.meta.url)

it.runIf(existsSync(CONTRACT))('knows exactly the emoji names of the contract', async () => {
  expect(Object.fromEntries(await readKnownNames())).toEqual(JSON.parse(readFileSync(CONTRACT, 'utf8')))
})

it.each(['neutral', 'zulip'] as const)('maps each emoji name to one emoji with %s API names', async (apiNames) => {
  const { codeByName, namesByCode } = await loadEmojiNames(apiNames)
  const known = [...(await readKnownNames())].flatMap(([code, names]) => names.map((name) => [name, code] as const))
  expect([known.length, new Set(known.map(([name]) => name)).size]).toEqual([2_999, 2_999])
  for (const [name, code] of known) expect([name, codeByName.get(name)]).toEqual([name, code])
  const all = [...namesByCode].flatMap(([code, names]) => names.map((name) => [name, code] as const))
  expect(all.length).toBe(codeByName.size)
  expect(new Map(all)).toEqual(codeByName)
})

it('finds emoji by names that the contract does not list', async () => {
  const { codeByName } = await loadEmojiNames()
  const further = { party_popper: '1f389', thumbsup: '1f44d', france: '1f1eb-1f1f7', dog_face: '1f436', harp: '1fa89' }
  for (const [name, code] of Object.entries(further)) expect([name, codeByName.get(name)]).toEqual([name, code])
})
