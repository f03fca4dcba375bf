import { readFileSync } from 'node:fs'
import { expect, it } from 'vitest'
import { loadEmojiNames } from '../../server/src/platform/markdown/emoji/names.ts'

it.each(['en', 'de'])('names exactly the emoji of the server in the language %s', async (language) => {
  const { namesByCode } = await loadEmojiNames()
  const lines = readFileSync(new URL(`../src/strings/${language}/emoji.txt`, import.meta.url), 'utf8').split('\n')
  const codes = lines.filter((line) => /^[0-9a-f-]+\+?\t/.test(line)).map((line) => line.replace(/\+?\t.*/, ''))
  expect(codes.toSorted()).toEqual([...namesByCode.keys()].toSorted())
})
