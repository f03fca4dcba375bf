import { expect, it } from 'vitest'
import { runJob } from '../../testing/jobs.ts'
import { statementsDuring } from '../../testing/statements.ts'
import { useTestServer } from '../../testing/server.ts'
import type { TestUser } from '../../testing/user.ts'
import { changeSearchLanguages } from '../messages/jobs.ts'

const server = useTestServer()

async function findIds(user: TestUser, operand: string, negated = false): Promise<number[]> {
  const narrow = [{ operator: 'search', operand, negated }]
  const { messages } = await user.call('GET', '/messages', { anchor: 'newest', num_before: 100, narrow })
  return messages.map(({ id }) => id)
}

async function markedContent(user: TestUser, id: number, operand: string): Promise<unknown> {
  const narrow = [{ operator: 'search', operand }]
  const { messages } = await user.call('GET', '/messages/matches_narrow', { msg_ids: [id], narrow })
  return messages[id]?.match_content
}

const hit = (word: string): string => `<span class="highlight">${word}</span>`

it('finds parts of words, identifiers, and words without accents, and marks the whole word', async () => {
  const { owner } = await server().organization()
  await owner.subscribe(['general'])
  const texts: readonly (readonly [text: string, query: string, marked: string])[] = [
    ['the redeployment failed', 'deploy', `the ${hit('redeployment')} failed`],
    ['fixed in 8540f5c2d1e9', '8540f5', `fixed in ${hit('8540f5c2d1e9')}`],
    ['call foo_bar.baz() twice', 'foo_bar.baz()', `call ${hit('foo')}_${hit('bar')}.${hit('baz')}() twice`],
    ['rename camelCaseIdentifier', 'camelCase', `rename ${hit('camelCaseIdentifier')}`],
    ['see /etc/nginx/sites.conf', 'nginx/sites', `see /etc/${hit('nginx')}/${hit('sites')}.conf`],
    ['error[E0382]: moved', 'E0382', `error[${hit('E0382')}]: moved`],
    ['das Café ist zu', 'cafe', `das ${hit('Café')} ist zu`],
    ['Frau Müller kommt', 'Muller', `Frau ${hit('Müller')} kommt`],
    ['Ørsted fand es', 'orsted', `${hit('Ørsted')} fand es`],
    ['η ὁδός είναι', 'ΟΔΟΣ', `η ${hit('ὁδός')} είναι`],
    ['昨天升级了数据库服务器', '数据库', `昨天升级了${hit('数据库')}服务器`],
    ['明日の会議は午後です', '議', `明日の会${hit('議')}は午後です`],
    ['서버를재시작했습니다', '재시작', `서버를${hit('재시작')}했습니다`],
    ['พรุ่งนี้มีประชุมตอนบ่าย', 'ประชุม', `พรุ่งนี้มี${hit('ประชุม')}ตอนบ่าย`],
  ]
  const ids: number[] = []
  for (const [text] of texts) ids.push(await owner.send('general', 'a', text))
  for (const [index, [, query, marked]] of texts.entries()) {
    const id = ids[index] ?? 0
    expect([query, await findIds(owner, query)]).toEqual([query, [id]])
    expect(await markedContent(owner, id, query)).toBe(`<p>${marked}</p>`)
  }
})

it('finds other forms of a word, but not in quotes', async () => {
  const { owner } = await server().organization()
  await owner.subscribe(['general'])
  const [one, other] = [
    await owner.send('general', 'a', 'They were deploying it'),
    await owner.send('general', 'a', 'it deploys'),
  ]
  expect(await findIds(owner, 'deployed')).toEqual([one, other])
  expect(await findIds(owner, '"deployed"')).toEqual([])
  expect(await markedContent(owner, one, 'deployed')).toBe(`<p>They were ${hit('deploying')} it</p>`)
})

it('finds messages by parts and forms of words in the name of their topic, new or renamed', async () => {
  const { owner } = await server().organization()
  await owner.subscribe(['general'])
  const [one, other] = [
    await owner.send('general', 'Redeployments', 'hello'),
    await owner.send('general', '東京都の予定', 'hello'),
  ]
  expect(await findIds(owner, 'deploy')).toEqual([one])
  expect(await findIds(owner, 'redeployed')).toEqual([one])
  expect(await findIds(owner, '京都')).toEqual([other])
  const quiet = { send_notification_to_new_thread: false, propagate_mode: 'change_all' }
  await owner.call('PATCH', `/messages/${one}`, { topic: 'Naïve plans', ...quiet })
  expect(await findIds(owner, 'deploy')).toEqual([])
  expect(await findIds(owner, 'naive hello')).toEqual([one])
  expect(await findIds(owner, 'naive', true)).toContain(other)
  expect(await findIds(owner, 'naive', true)).not.toContain(one)
})

it('finds the same messages if more words contain a part than the index is asked for', async () => {
  const { owner } = await server().organization()
  await owner.subscribe(['general'])
  const words = Array.from({ length: 400 }, (_, index) => `n${index}ing`)
  const many = await owner.send('general', 'many', words.join(' '))
  const [one, last] = [
    await owner.send('general', 'a', 'ending.soon and ingots'),
    await owner.send('general', 'a', 'none of it'),
  ]
  expect(await findIds(owner, 'ing')).toEqual([many, one])
  expect(await findIds(owner, 'ing soon')).toEqual([one])
  expect(await findIds(owner, 'ing.soon')).toEqual([one])
  expect(await findIds(owner, 'ing', true)).toContain(last)
  expect(await findIds(owner, 'ing', true)).not.toContain(many)
  expect(await markedContent(owner, one, 'ing')).toBe(`<p>${hit('ending')}.soon and ${hit('ingots')}</p>`)
})

async function findCorrected(user: TestUser, operand: string, topic?: string): Promise<unknown> {
  const place = topic === undefined ? [] : [{ operator: 'topic', operand: topic }]
  const narrow = [{ operator: 'search', operand }, ...place]
  const window = { anchor: 'newest', num_before: 100, num_after: 0 }
  const { messages, search_corrections: corrections } = await user.call('GET', '/messages', { ...window, narrow })
  return { ids: messages.map(({ id }) => id), corrections }
}

it.each(['sevrer', 'servr', 'serverr', 'derver', 'seerver', 'SÉRVXR'])(
  'searches for a word one typo away if nothing has the word %s, and says so',
  async (typo) => {
    const { owner, user } = await server().organization()
    const ann = await user('Ann')
    await owner.subscribe(['general'], { principals: [owner.id, ann.id] })
    await owner.subscribe(['secret'], { invite_only: true })
    const id = await owner.send('general', 'a', 'the server is slow today')
    await owner.send('secret', 'a', 'sever derver serrver servr')
    const word = typo.toLowerCase().replace('é', 'e')
    const corrections = [{ word, corrected_to: ['server'] }]
    expect(await findCorrected(ann, typo)).toEqual({ ids: [id], corrections })
    expect(await findCorrected(ann, `slow ${typo}`)).toEqual({ ids: [id], corrections })
    expect(await findCorrected(ann, `${typo} absent`)).toEqual({ ids: [], corrections: undefined })
    expect(await findCorrected(ann, `"${typo}"`)).toEqual({ ids: [], corrections: undefined })
  },
)

it('corrects no short word, no word that something has, and not two typos', async () => {
  const { owner } = await server().organization()
  await owner.subscribe(['general'])
  const [one, other] = [await owner.send('general', 'a', 'server'), await owner.send('general', 'b', 'sevrer code')]
  expect(await findCorrected(owner, 'sevrer')).toEqual({ ids: [other], corrections: undefined })
  for (const operand of ['cdoe', 'serxxr', 'sevrer server'])
    expect(await findCorrected(owner, operand)).toEqual({ ids: [], corrections: undefined })
  expect(await findCorrected(owner, 'sevrer', 'a')).toEqual({ ids: [], corrections: undefined })
  expect(await findCorrected(owner, 'serbe')).toEqual({ ids: [], corrections: undefined })
  expect(await findCorrected(owner, 'servre')).toEqual({
    ids: [one],
    corrections: [{ word: 'servre', corrected_to: ['server'] }],
  })
})

it('runs the same statements for a search whether or not hidden messages have its words or similar ones', async () => {
  const { owner, user } = await server().organization()
  const ann = await user('Ann')
  await owner.subscribe(['general'], { principals: [owner.id, ann.id] })
  await owner.subscribe(['secret'], { invite_only: true })
  await owner.send('general', 'a', 'all is slow today')
  const statements = async (): Promise<string[][]> => {
    const all: string[][] = []
    for (const operand of ['sevrer', 'slow sevrer', 'sevrer absent', 'server'])
      all.push(await statementsDuring(server().database, () => findCorrected(ann, operand)))
    return all
  }
  const without = await statements()
  await owner.send('secret', 'the server', 'server sever')
  expect(await statements()).toEqual(without)
})

/** No second word contains the first, nor is it one typo away. */
const FORMS: readonly (readonly [language: string, query: string, text: string])[] = [
  ['de', 'Rechnungen', 'Rechnung'],
  ['en', 'deployed', 'deploying'],
  ['es', 'hablando', 'hablar'],
  ['fr', 'nationales', 'national'],
  ['it', 'parlavano', 'parlare'],
  ['nl', 'boeken', 'boek'],
  ['pt', 'falando', 'falar'],
  ['ru', 'книгами', 'книга'],
  ['sv', 'flickorna', 'flicka'],
]

it('finds the forms of words in the languages that administrators choose', async () => {
  const { owner, user } = await server().organization()
  const ann = await user('Ann')
  await owner.subscribe(['general'], { principals: [owner.id, ann.id] })
  const ids: number[] = []
  for (const [, , text] of FORMS) ids.push(await owner.send('general', 'a', text))
  const window = { anchor: 'newest', num_before: 100 }
  const findAll = async (): Promise<unknown[]> => {
    const found: unknown[] = []
    for (const [, operand] of FORMS) {
      const answer = await ann.call('GET', '/messages', { ...window, narrow: [{ operator: 'search', operand }] })
      found.push(answer.search_incomplete ?? answer.messages.map(({ id }) => id))
    }
    return found
  }
  const formsIn = (codes: readonly string[]): number[][] =>
    FORMS.map(([code], index) => (codes.includes(code) ? [ids[index] ?? 0] : []))
  expect(await findAll()).toEqual(formsIn(['en']))
  for (const codes of [FORMS.map(([code]) => code), ['ru']]) {
    await owner.call('PATCH', '/realm', { search_languages: codes.join(',') })
    expect(await ann.call('GET', '/search_settings')).toMatchObject({ languages: codes })
    expect(await findAll()).toEqual(FORMS.map(() => true))
    await runJob(server().parley, changeSearchLanguages)
    expect(await findAll()).toEqual(formsIn(codes))
  }
  const late = await owner.send('general', 'b', 'словами')
  expect(await findIds(ann, 'слово')).toEqual([late])
  for (const search_languages of ['xx', 'en,en', 'en,de', 'en,']) {
    expect((await owner.try('PATCH', '/realm', { search_languages })).body['code']).toBe('REQUEST_VARIABLE_INVALID')
  }
  expect((await ann.try('PATCH', '/realm', { search_languages: 'en' })).status).toBe(400)
})
