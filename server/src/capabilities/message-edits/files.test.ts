import { expect, it } from 'vitest'
import { anyNumber } from '../../testing/expected.ts'
import { upload } from '../../testing/files.ts'
import { useTestServer } from '../../testing/server.ts'

const server = useTestServer()

it("reports the sender's files that no message links to after an edit", async () => {
  const { owner, user } = await server().organization()
  const ann = await user('Ann')
  await owner.subscribe(['news'], { principals: [owner.id, ann.id] })
  const [own, other] = [await upload(ann, 'own.txt', 'x'), await upload(ann, 'other.txt', 'y')]
  const id = await ann.send('news', 'hello', `[own](${own}) [other](${other})`)
  await ann.send('news', 'hello', `[other](${other})`)
  const queue = await ann.register({ event_types: ['attachment'] })
  const { detached_uploads } = await ann.call('PATCH', `/messages/${id}`, { content: 'nothing' })
  expect(detached_uploads).toEqual([
    {
      id: anyNumber,
      name: 'own.txt',
      path_id: own.replace('/user_uploads/', ''),
      size: 1,
      create_time: anyNumber,
      messages: [],
    },
  ])
  expect(await queue.events()).toMatchObject([
    { op: 'update', attachment: { name: 'own.txt', messages: [] } },
    { op: 'update', attachment: { name: 'other.txt', messages: [{}] } },
  ])
  // Ann cannot delete another user's file, although only her message still links it.
  const foreign = await upload(owner, 'foreign.txt', 'z')
  const shown = await owner.send('news', 'hello', `[foreign](${foreign})`)
  const quoting = await ann.send('news', 'hello', `[foreign](${foreign})`)
  await owner.call('DELETE', `/messages/${shown}`)
  expect((await ann.call('PATCH', `/messages/${quoting}`, { content: 'nothing' }))['detached_uploads']).toEqual([])
  const again = await ann.call('PATCH', `/messages/${id}`, { content: `[own](${own})` })
  expect(again['detached_uploads']).toEqual([])
  await owner.call('DELETE', `/messages/${id}`)
  expect((await queue.events()).at(-1)).toMatchObject({ attachment: { name: 'own.txt', messages: [] } })
})

it("notifies a file's owner when a message linking it moves to a hidden channel", async () => {
  const { owner, user } = await server().organization()
  const ann = await user('Ann')
  await owner.subscribe(['open'], { principals: [owner.id, ann.id] })
  await owner.subscribe(['secret'], { invite_only: true })
  const { stream_id } = await owner.call('GET', '/get_stream_id', { stream: 'secret' })
  const id = await ann.send('open', 'hello', `[file](${await upload(ann, 'a.txt', 'x')})`)
  const queue = await ann.register({ event_types: ['attachment'] })
  await owner.call('PATCH', `/messages/${id}`, { stream_id })
  expect(await queue.events()).toMatchObject([{ attachment: { name: 'a.txt', messages: [] } }])
  const { attachments } = await ann.call('GET', '/attachments')
  expect(attachments[0]).toMatchObject({ messages: [] })
})
