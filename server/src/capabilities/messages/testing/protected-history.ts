import type { TestServer } from '../../../testing/server.ts'
import type { Answer, Body, Parameters, TestQueue, TestUser } from '../../../testing/user.ts'

/*
 * An organization with a channel whose history is protected, where the owner and Hedda have always been and which Ann
 * enters, leaves and enters again. Made twice by the same steps, what Ann learns must not differ where only hidden
 * messages do.
 */

export interface ProtectedHistory {
  readonly owner: TestUser
  readonly hedda: TestUser
  readonly ann: TestUser
  /** The channel, and one that all three read. */
  readonly club: number
  readonly den: number
  readonly queue: TestQueue
  /** What Ann could read when it was sent, in the order in which it was. */
  readonly sent: number[]
  readonly hidden: number[]
  /** Ids of messages by their order in what Ann learned: ids count hidden messages, too. */
  readonly labels: Map<number, string>
  /** Ids from here on are those of messages. */
  readonly from: number
}

export async function makeProtectedHistory(server: TestServer): Promise<ProtectedHistory> {
  const organization = await server.organization('Worlds')
  const { owner, user } = organization
  const [hedda, ann] = [await user('Hedda'), await user('Ann')]
  await owner.subscribe(['club'], {
    principals: [owner.id, hedda.id],
    invite_only: true,
    history_public_to_subscribers: false,
  })
  await owner.subscribe(['den'], { principals: [owner.id, hedda.id, ann.id] })
  const { streams } = await owner.call('GET', '/streams')
  const idOf = (name: string): number =>
    Number((streams as Body[]).find((stream) => stream['name'] === name)?.['stream_id'])
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

/** What no two organizations and no two moments have in common. */
const FLEETING = new Set([
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

/** Something that Ann learned, as it must be in both organizations. */
export function comparable(scene: ProtectedHistory, value: unknown): unknown {
  if (typeof value === 'number') return value < scene.from || value > 1_000_000_000 ? value : labelOf(scene, value)
  if (typeof value === 'string') return value.replaceAll(scene.ann.host, 'HOST')
  if (Array.isArray(value)) return value.map((one: unknown) => comparable(scene, one))
  if (typeof value !== 'object' || value === null) return value
  return Object.fromEntries(
    Object.entries(value)
      .filter(([key]) => !FLEETING.has(key))
      .map(([key, one]) => [/^\d+$/.test(key) ? comparable(scene, Number(key)) : key, comparable(scene, one)]),
  )
}

function labelOf({ labels }: ProtectedHistory, id: number): string {
  const label = labels.get(id) ?? `message ${labels.size + 1}`
  labels.set(id, label)
  return label
}

/** What Ann was told since the last look. */
export async function toldIn(scene: ProtectedHistory): Promise<unknown[]> {
  const events = await scene.queue.events()
  return events.map(({ id: _id, ...event }) => comparable(scene, event))
}

const CHOSEN = ['message', 'update_message_flags', 'user_topic', 'starred_messages']

/** All that Ann can read of the channels. */
export async function readIn(scene: ProtectedHistory): Promise<unknown> {
  const { ann, club, den } = scene
  const get = async (path: string, parameters: Parameters = {}): Promise<Answer> => ann.try('GET', path, parameters)
  const found: unknown[] = []
  for (const id of [club, den]) {
    const narrow = [{ operator: 'channel', operand: id }]
    const { body } = await get('/messages', { anchor: 'oldest', num_before: 0, num_after: 999, narrow })
    const messages = (body['messages'] ?? []) as Body[]
    found.push(messages)
    for (const message of messages) {
      if (Number(message['id']) < scene.from) continue
      found.push((await get(`/messages/${Number(message['id'])}/history`)).body)
    }
    found.push((await get(`/users/me/${id}/topics`)).body)
  }
  const { unread_msgs, user_topics, starred_messages, max_message_id } = await ann.call('POST', '/register', {
    fetch_event_types: CHOSEN,
    event_types: [],
  })
  // Choices come by the second they were made in, and a second ends in one organization before it does in the other.
  const choices = (user_topics as Body[]).toSorted((a, b) => keyOf(a).localeCompare(keyOf(b)))
  return comparable(scene, [found, unread_msgs, choices, starred_messages, max_message_id])
}

function keyOf({ stream_id, topic_name }: Body): string {
  return `${Number(stream_id)} ${String(topic_name)}`
}
