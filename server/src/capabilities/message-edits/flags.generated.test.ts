import fc from 'fast-check'
import { expect, it } from 'vitest'
import { useTestServer } from '../../testing/server.ts'
import { effort } from '../../testing/effort.ts'
import type { TestUser } from '../../testing/user.ts'
import { readersAmong, readersOf } from '../flags/queries/unread.ts'

const server = useTestServer()

const PERSON_COUNT = 9

const EDIT_STEPS = [
  'nothing',
  'read',
  'read all',
  'read topic',
  'star',
  'read and star',
  'leave',
  'come back',
  'come late',
] as const
type EditStep = (typeof EDIT_STEPS)[number]

async function performStep(step: EditStep, person: TestUser, channel: string, message: number): Promise<void> {
  const flag = (name: string) => person.call('POST', '/messages/flags', { messages: [message], op: 'add', flag: name })
  const leave = () => person.call('DELETE', '/users/me/subscriptions', { subscriptions: [channel] })
  if (step === 'read' || step === 'read and star') await flag('read')
  if (step === 'star' || step === 'read and star') await flag('starred')
  if (step === 'read all') await person.call('POST', '/mark_all_as_read')
  if (step === 'read topic') {
    const { stream_id } = await person.call('GET', '/get_stream_id', { stream: channel })
    await person.call('POST', '/mark_topic_as_read', { stream_id: stream_id, topic_name: 'hello' })
  }
  if (step === 'leave' || step === 'come back') await leave()
  if (step === 'come back' || step === 'come late') await person.subscribe([channel])
}

const databaseReads = () => server().parley.database.reads

async function messageLocation(id: number): Promise<{ readonly id: number; readonly topicId: number }> {
  const [row] = await databaseReads().rows<{ topicId: number }>(
    '',
    'select topic_id as "topicId" from messages where id = $1',
    [id],
  )
  return { id, topicId: row?.topicId ?? 0 }
}

async function flagsOf(person: TestUser, message: number): Promise<string[]> {
  const { message: found } = await person.call('GET', `/messages/${message}`)
  return found.flags.toSorted()
}

it('sends each reader their own flags with an edit, even if several readers have the same flags', async () => {
  const { id, owner, user } = await server().organization()
  const people: TestUser[] = []
  for (let index = 0; index < PERSON_COUNT; index += 1) people.push(await user(`Person ${index}`))
  const mostly = fc.constantFrom<EditStep>('nothing', 'nothing', 'nothing', 'read', 'star')
  const anything = fc.constantFrom(...EDIT_STEPS)
  const deeds = fc.oneof(
    fc.array(mostly, { minLength: PERSON_COUNT, maxLength: PERSON_COUNT }),
    fc.array(anything, { minLength: PERSON_COUNT, maxLength: PERSON_COUNT }),
  )
  let number = 0
  await fc.assert(
    fc.asyncProperty(deeds, fc.nat(PERSON_COUNT - 1), async (done, mentioned) => {
      number += 1
      const channel = `channel ${number}`
      const early = people.filter((_, index) => done[index] !== 'come late')
      await owner.subscribe([channel], {
        principals: [owner, ...early].map((one) => one.id),
      })
      const message = await owner.send(channel, 'hello', 'before')
      for (const [index, person] of people.entries())
        await performStep(done[index] ?? 'nothing', person, channel, message)
      const queues = await Promise.all(people.map((person) => person.register({ event_types: ['update_message'] })))
      await owner.call('PATCH', `/messages/${message}`, { content: `after @**|${people[mentioned]?.id}**` })
      for (const [index, person] of people.entries()) {
        const told = await queues[index]?.events()
        const has = await flagsOf(person, message)
        expect(told?.map((event) => event['flags']?.toSorted())).toEqual(done[index] === 'leave' ? [] : [has])
      }
      const place = await messageLocation(message)
      const all = [owner, ...people].map((one) => one.id)
      expect(await readersOf(databaseReads(), id, place)).toEqual(await readersAmong(databaseReads(), id, place, all))
    }),
    { numRuns: effort(8) },
  )
})
