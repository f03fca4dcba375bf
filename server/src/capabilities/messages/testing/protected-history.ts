import { objectsIn } from '../../../testing/json.ts'
import type { TestServer } from '../../../testing/server.ts'
import type { Answer, Body, Parameters, TestQueue, TestUser } from '../../../testing/user.ts'

/*
 * An organization with a channel with protected history: the owner and Hedda are always subscribed; Ann joins, leaves,
 * and rejoins. If two such organizations differ only in hidden messages, Ann must observe no difference.
 */

export interface ProtectedHistory {
  readonly owner: TestUser
  readonly hedda: TestUser
  readonly ann: TestUser
  readonly club: number
  readonly den: number
  readonly queue: TestQueue
  readonly sent: number[]
  readonly hidden: number[]
  /** Labels message IDs in order of appearance, because the IDs also count hidden messages. */
  readonly labels: Map<number, string>
  readonly from: number
}

export async function createProtectedHistory(server: TestServer): Promise<ProtectedHistory> {
  const organization = await server.organization('Worlds', { firstPosition: 0 })
  const { owner, user } = organization
  const [hedda, ann] = [await user('Hedda'), await user('Ann')]
  await owner.subscribe(['club'], {
    principals: [owner.id, hedda.id],
    invite_only: true,
    history_public_to_subscribers: false,
  })
  await owner.subscribe(['den'], { principals: [owner.id, hedda.id, ann.id] })
  const { streams } = await owner.call('GET', '/streams')
  const idOf = (name: string): number => Number(streams.find((stream) => stream['name'] === name)?.['stream_id'])
  const [club, den] = [idOf('club'), idOf('den')]
  const permitted = { new: { direct_members: [ann.id], direct_subgroups: [] } }
  for (const id of [club, den]) {
    await owner.call('PATCH', `/streams/${id}`, {
      can_delete_any_message_group: permitted,
      can_move_messages_out_of_channel_group: permitted,
      can_move_messages_within_channel_group: permitted,
    })
  }
  await owner.send(club, 'first', 'The first message is another question')
  await owner.send(den, 'first', 'Here, too')
  const log = await server.parley.logs.of(organization.id)
  const queue = await ann.register()
  return {
    owner,
    hedda,
    ann,
    club,
    den,
    queue,
    sent: [],
    hidden: [],
    labels: new Map(),
    from: log.organization.position + 1,
  }
}

const IGNORED_FIELDS = new Set([
  'date_created',
  'timestamp',
  'edit_timestamp',
  'last_edit_timestamp',
  'last_moved_timestamp',
  'last_updated',
  'avatar_url',
  'sender_realm_str',
  'sender_email',
  'email',
])

export function toComparable(scene: ProtectedHistory, value: unknown): unknown {
  if (typeof value === 'number') return value < scene.from || value > 1_000_000_000 ? value : labelOf(scene, value)
  if (typeof value === 'string') return value.replaceAll(scene.ann.host, 'HOST')
  if (Array.isArray(value)) return value.map((one: unknown) => toComparable(scene, one))
  if (typeof value !== 'object' || value === null) return value
  return Object.fromEntries(
    Object.entries(value)
      .filter(([key]) => !IGNORED_FIELDS.has(key))
      .map(([key, one]) => [/^\d+$/.test(key) ? toComparable(scene, Number(key)) : key, toComparable(scene, one)]),
  )
}

function labelOf({ labels }: ProtectedHistory, id: number): string {
  const label = labels.get(id) ?? `message ${labels.size + 1}`
  labels.set(id, label)
  return label
}

export async function receivedEvents(scene: ProtectedHistory): Promise<unknown[]> {
  const events = await scene.queue.events()
  return events.map(({ id: _id, ...event }) => toComparable(scene, event))
}

const FETCHED_EVENT_TYPES = ['message', 'update_message_flags', 'user_topic', 'starred_messages']

export async function readEverything(scene: ProtectedHistory): Promise<unknown> {
  const { ann, club, den } = scene
  const get = async (path: string, parameters: Parameters = {}): Promise<Answer> => ann.try('GET', path, parameters)
  const found: unknown[] = []
  for (const id of [club, den]) {
    const narrow = [{ operator: 'channel', operand: id }]
    const { body } = await get('/messages', { anchor: 'oldest', num_before: 0, num_after: 999, narrow })
    const messages = objectsIn(body['messages'] ?? [])
    found.push(messages)
    for (const message of messages) {
      if (Number(message['id']) < scene.from) continue
      found.push((await get(`/messages/${Number(message['id'])}/history`)).body)
    }
    found.push((await get(`/users/me/${id}/topics`)).body)
  }
  const { unread_msgs, user_topics, starred_messages, max_message_id } = await ann.call('POST', '/register', {
    fetch_event_types: FETCHED_EVENT_TYPES,
    event_types: [],
  })
  // The server sorts policies by a time in seconds, which can differ between the two organizations.
  const choices = user_topics.toSorted((a, b) => policyKeyOf(a).localeCompare(policyKeyOf(b)))
  return toComparable(scene, [found, unread_msgs, choices, starred_messages, max_message_id])
}

function policyKeyOf({ stream_id, topic_name }: Body): string {
  return `${Number(stream_id)} ${String(topic_name)}`
}
