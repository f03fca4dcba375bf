import { expect, it } from 'vitest'
import { openDocument, pdfDocument, presentation, spreadsheet, wordDocument } from '../../testing/documents.ts'
import { awaitFileTexts, upload } from '../../testing/files.ts'
import { useTestServer } from '../../testing/server.ts'
import type { TestUser } from '../../testing/user.ts'

const server = useTestServer()

/** Sends a message that links to a new file, and returns its ID. */
async function share(
  user: TestUser,
  name: string,
  content: string | Uint8Array,
  channel = 'general',
  text = 'see',
): Promise<number> {
  return user.send(channel, 'files', `${text} [attached](${await upload(user, name, content)})`)
}

async function find(
  user: TestUser,
  operand: string,
  negated = false,
): Promise<{ ids: number[]; files: string[]; corrections: unknown }> {
  const narrow = [{ operator: 'search', operand, negated }]
  const answer = await user.call('GET', '/messages', { anchor: 'newest', num_before: 100, num_after: 0, narrow })
  return {
    ids: answer.messages.map(({ id }) => id),
    files: answer.messages.flatMap(({ match_files: files = [] }) =>
      files.map(({ name, match_content: text }) => `${name}: ${text}`),
    ),
    corrections: answer.search_corrections,
  }
}

const hit = (word: string): string => `<span class="highlight">${word}</span>`

it('finds messages by words in the documents that they link to, and shows where they are', async () => {
  const { owner } = await server().organization()
  await owner.subscribe(['general'])
  const rest = 'in a <long> & report'
  const escaped = 'in a &lt;long&gt; &amp; report'
  const files: readonly (readonly [name: string, content: string | Uint8Array, query: string, excerpt: string])[] = [
    ['a.pdf', pdfDocument('Budgetary limits'), 'budget', `Title ${hit('Budgetary')} limits`],
    ['a.docx', wordDocument('Marginal costs'), 'costs', `Title Marginal ${hit('costs')}`],
    ['a.xlsx', spreadsheet('Müller'), 'muller', `4711 inline Title ${hit('Müller')}`],
    ['a.pptx', presentation('Forecasting'), 'forecasts', `Title ${hit('Forecasting')}`],
    ['a.odt', openDocument('東京都の予定'), '京都', `Title 東${hit('京都')}の予定 end`],
    ['a.md', `# Redeployment ${rest}`, 'deploy', `${hit('Redeployment')} ${escaped}`],
    ['a.ts', `export const fooBar = baz_quux()`, 'baz_quux()', `export const fooBar = ${hit('baz')}_${hit('quux')}`],
    ['a.csv', 'day,visitors\n1,0815', '0815', `day,visitors 1,${hit('0815')}`],
    ['a.json', '{ "error": "E0382" }', 'e0382', `error&quot;: &quot;${hit('E0382')}…`],
    ['lies.png.txt', pdfDocument('Underwater'), '"underwater"', `Title ${hit('Underwater')}`],
  ]
  const ids: number[] = []
  for (const [name, content] of files) ids.push(await share(owner, name, content))
  await awaitFileTexts(server().parley)
  for (const [index, [name, , query, excerpt]] of files.entries()) {
    const { ids: found, files: shown } = await find(owner, query)
    expect([query, found]).toEqual([query, [ids[index]]])
    expect(shown).toEqual([expect.stringContaining(`${name}: `)])
    expect(shown[0]).toContain(excerpt)
  }
})

it('finds each word in the message or any of its files, excludes words, and keeps phrases together', async () => {
  const { owner } = await server().organization()
  await owner.subscribe(['general'])
  const filler = 'padding '.repeat(3_000)
  const one = await share(owner, 'a.txt', `alpha beta ${filler} gamma delta`, 'general', 'zeta')
  const other = await share(owner, 'b.txt', 'alpha delta', 'general', 'eta')
  await awaitFileTexts(server().parley)
  expect((await find(owner, 'alpha gamma')).ids).toEqual([one])
  expect((await find(owner, 'alpha zeta files')).ids).toEqual([one])
  expect((await find(owner, 'delta')).ids).toEqual([one, other])
  expect((await find(owner, '"gamma delta"')).ids).toEqual([one])
  expect((await find(owner, '"alpha delta"')).ids).toEqual([other])
  expect((await find(owner, 'gamma')).files).toEqual([
    `a.txt: …padding padding padding padding padding padding padding ${hit('gamma')} delta`,
  ])
  const { ids: without } = await find(owner, 'gamma', true)
  expect(without).toContain(other)
  expect(without).not.toContain(one)
})

it('finds the same files if more words contain a part than the index is asked for', async () => {
  const { owner } = await server().organization()
  await owner.subscribe(['general'])
  await owner.send('general', 'many', Array.from({ length: 400 }, (_, index) => `n${index}xyz`).join(' '))
  const id = await share(owner, 'a.txt', 'begin abxyz.soon end')
  await awaitFileTexts(server().parley)
  for (const query of ['xyz begin', 'xyz.soon', 'xyz soon'])
    expect([query, (await find(owner, query)).ids]).toEqual([query, [id]])
  expect((await find(owner, 'xyz.soon')).files).toEqual([`a.txt: begin ${hit('abxyz')}.${hit('soon')} end`])
})

it('corrects typos to words of files that one can read', async () => {
  const { owner, user } = await server().organization()
  const ann = await user('Ann')
  await owner.subscribe(['general'], { principals: [owner.id, ann.id] })
  await owner.subscribe(['secret'], { invite_only: true })
  const id = await share(owner, 'a.txt', 'quarterly figures')
  await share(owner, 'b.txt', 'quarterlt figurines', 'secret')
  await awaitFileTexts(server().parley)
  const corrections = [{ word: 'quarterlx', corrected_to: ['quarterly'] }]
  expect(await find(ann, 'quarterlx')).toMatchObject({ ids: [id], corrections })
})

it('follows the links of messages: who may read them, edits, deletions, and further messages', async () => {
  const { owner, user } = await server().organization()
  const ann = await user('Ann')
  await owner.subscribe(['general'], { principals: [owner.id, ann.id] })
  await owner.subscribe(['secret'], { invite_only: true })
  const address = await upload(owner, 'a.txt', 'confidential')
  const secret = await owner.send('secret', 'files', `[a](${address})`)
  await awaitFileTexts(server().parley)
  expect((await find(owner, 'confidential')).ids).toEqual([secret])
  expect(await find(ann, 'confidential')).toEqual({ ids: [], files: [], corrections: undefined })
  expect((await find(ann, 'confidential', true)).ids).toEqual((await find(ann, 'absent', true)).ids)
  const open = await owner.send('general', 'files', `[a](${address})`)
  expect(await find(ann, 'confidential')).toMatchObject({ ids: [open], files: [`a.txt: ${hit('confidential')}`] })
  await owner.call('PATCH', `/messages/${open}`, { content: 'nothing' })
  expect((await find(ann, 'confidential')).ids).toEqual([])
  await owner.call('PATCH', `/messages/${open}`, { content: `[b](${address})` })
  expect((await find(ann, 'confidential')).ids).toEqual([open])
  await owner.call('DELETE', `/messages/${open}`)
  expect((await find(ann, 'confidential')).ids).toEqual([])
  const { attachments } = await owner.call('GET', '/attachments')
  for (const { id } of attachments) await owner.call('DELETE', `/attachments/${id}`)
  expect((await find(owner, 'confidential')).ids).toEqual([])
})
