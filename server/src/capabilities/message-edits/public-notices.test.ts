import { expect, it } from 'vitest'
import { useTestServer } from '../../testing/server.ts'
import { objectsIn } from '../../testing/json.ts'
import { TestSpectator, type Body, type TestUser } from '../../testing/user.ts'

const server = useTestServer({ PARLEY_WEB_PUBLIC_CHANNELS: '1' })

const BOTH_NOTICES = { send_notification_to_old_thread: true, send_notification_to_new_thread: true }

async function channelIdOf(user: TestUser, stream: string): Promise<number> {
  const { stream_id } = await user.call('GET', '/get_stream_id', { stream })
  return stream_id
}

it('keeps topics that spectators cannot read out of move notices that they can read', async () => {
  const { owner } = await server().organization()
  const mover = `@_**Olivia Owner|${owner.id}**`
  await owner.call('PATCH', '/realm', { enable_spectator_access: true })
  await owner.subscribe(['Plaza', 'Open'])
  const [plaza, open] = [await channelIdOf(owner, 'Plaza'), await channelIdOf(owner, 'Open')]
  await owner.send('Open', 'hidden', 'stays')
  const old = [await owner.send('Open', 'hidden', 'one'), await owner.send('Open', 'hidden', 'two')]
  await owner.send('Open', 'hidden', 'three')
  await owner.call('PATCH', `/streams/${open}`, { is_web_public: true })
  const spectator = new TestSpectator(owner)
  const seen = new Set<unknown>()
  const move = async (id: number, parameters: Body): Promise<unknown> => {
    await owner.call('PATCH', `/messages/${id}`, { ...BOTH_NOTICES, ...parameters })
    const { messages } = await spectator.call('GET', '/messages', {
      narrow: [['channels', 'web-public']],
      anchor: 'oldest',
      num_before: 0,
      num_after: 100,
      apply_markdown: false,
    })
    const added = objectsIn(messages).filter((one) => one['sender_id'] !== owner.id && !seen.has(one['id']))
    for (const one of added) seen.add(one['id'])
    return added.map(({ subject, content }) => [subject, content])
  }
  await move(await owner.send('Plaza', 'talk', 'for members'), { topic: 'other' })

  const [out, back] = [await owner.send('Open', 'talk', 'leaves'), await owner.send('Plaza', 'secret', 'comes')]
  expect(await move(out, { stream_id: plaza, topic: 'layoffs' })).toEqual([
    ['talk', `This topic was moved to another channel by ${mover}.`],
  ])
  expect(await move(back, { stream_id: open, topic: 'new' })).toEqual([
    ['new', `This topic was moved here by ${mover}.`],
  ])
  expect(await move(old[0] ?? 0, { topic: 'some' })).toEqual([
    ['hidden', `A message was moved from this topic to another topic by ${mover}.`],
    ['some', `A message was moved here by ${mover}.`],
  ])
  expect(await move(old[1] ?? 0, { topic: 'more', propagate_mode: 'change_later' })).toEqual([
    ['hidden', `Messages were moved from this topic to another topic by ${mover}.`],
    ['more', `Messages were moved here by ${mover}.`],
  ])
  const shown = await owner.send('Open', 'seen', 'for all')
  await owner.send('Open', 'seen', 'for all')
  expect(await move(shown, { topic: 'seen too', propagate_mode: 'change_one' })).toEqual([
    ['seen', `A message was moved from this topic to #**Open>seen too** by ${mover}.`],
    ['seen too', `A message was moved here from #**Open>seen** by ${mover}.`],
  ])
})
