import { TestSpectator } from '../../server/src/testing/user.ts'
import { feedParameters, idsAtKey, idsIn } from './lists.ts'
import { topicKey } from './model.ts'
import { canSpectatorsRead, isPublished } from './rules.ts'
import { ABSENT_ID, type Scene } from './scene.ts'

const REFUSED_STATUS = 401

/** Compares the data that reads return to people without an account with the rules. */
export async function compareSpectatorReads({ model, organization }: Scene): Promise<string[]> {
  const spectator = new TestSpectator(organization.owner)
  const wrong: string[] = []
  const same = (got: readonly unknown[], expected: readonly unknown[], where: string): void => {
    if (got.join() !== expected.join()) wrong.push(`spectators get ${got.join()}, not ${expected.join()} in ${where}`)
  }
  const published = [...model.channels.values()].filter(isPublished)
  const readable = [...model.messages.values()].filter((message) => canSpectatorsRead(model, message))
  const registered = await spectator.try('POST', '/register', { fetch_event_types: ['stream'] })
  same(idsAtKey(registered.body.streams, 'stream_id'), idsIn(published), '/register')
  const { body } = await spectator.try('GET', '/messages', feedParameters([['channels', 'web-public']]))
  same(idsAtKey(body.messages, 'id'), idsIn(readable), '/messages')
  const absent = JSON.stringify(await statusAndBody(spectator, ABSENT_ID))
  for (const message of [...model.messages.values()].slice(-10)) {
    const { status, body: answer } = await statusAndBody(spectator, message.id)
    const isRefused = JSON.stringify({ status, body: answer }) === absent
    if (isRefused === readable.includes(message)) wrong.push(`spectators get ${status} for message ${message.id}`)
  }
  for (const channel of model.channels.values()) {
    const path = `/users/me/${channel.id}/topics` as const
    const { status, body: listed } = await spectator.try('GET', path, { allow_empty_topic_name: true })
    if ((status === REFUSED_STATUS) === isPublished(channel)) wrong.push(`spectators get ${status} from ${path}`)
    if (status === REFUSED_STATUS) continue
    const inChannel = readable.filter(({ place }) => place?.channelId === channel.id)
    const newest = new Map(
      inChannel.flatMap(({ id, place }) => (place === undefined ? [] : [[topicKey(place), id] as const])),
    )
    same(
      idsAtKey(listed.topics, 'max_id'),
      [...newest.values()].toSorted((a, b) => b - a),
      path,
    )
  }
  return wrong
}

async function statusAndBody(spectator: TestSpectator, id: number): Promise<{ status: number; body: unknown }> {
  const { status, body } = await spectator.try('GET', `/messages/${id}`)
  return { status, body }
}
