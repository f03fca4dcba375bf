import type pg from 'pg'
import type { TestOrganization, TestServer } from '../../server/src/testing/server.ts'
import { changeSettings } from '../../server/src/capabilities/organizations/testing/settings.ts'
import type { Answer, Parameters, TestUser } from '../../server/src/testing/user.ts'
import {
  addMessage,
  emptyOrganization,
  nextNumberIn,
  expectEvent,
  subscribe,
  type Channel,
  type Message,
  type Organization,
  type Person,
} from './model.ts'
import { GUEST_ROLE, isSubscribed, canReadMessage, subscribersOf } from './rules.ts'
import type { Watcher } from './watcher.ts'

/** An organization with its model and a client for each user. */
export interface Scene {
  readonly model: Organization
  readonly organization: TestOrganization
  readonly watchers: Map<number, Watcher>
  /** Incorrect responses to steps. */
  readonly wrong: string[]
  readonly systemGroups: ReadonlyMap<string, number>
  /** Messages with higher IDs in the database, which the server sent automatically. */
  readonly writtenSince: (messageId: number) => Promise<WrittenMessage[]>
  /** Stores a report with the message's ID, because reporting also posts the message in the moderators' channel. */
  readonly storeReport: (messageId: number) => Promise<void>
  readonly channelNamed: (name: string) => Promise<number | undefined>
}

interface WrittenMessage {
  readonly id: number
  readonly sender_id: number
  readonly channel_id: number | null
  readonly topic: string
  readonly content: string
  readonly member_ids: number[] | null
}

const MESSAGES_AFTER_SQL = `select m.id::float8, m.sender_id::float8, m.channel_id::float8, coalesce(m.topic_spelling, t.name) as topic, m.content, c.member_ids::float8[]
  from messages m join topics t on t.organization_id = m.organization_id and t.id = m.topic_id
  left join conversations c on c.organization_id = m.organization_id and c.topic_id = m.topic_id
  where m.organization_id = $1 and m.id > $2 order by m.id`

const STORE_REPORT_SQL = `insert into message_reports
    (organization_id, id, message_id, channel_id, topic, sender_id, content, date_sent, state, reported_at, changed_at)
  select m.organization_id, m.id, m.id, m.channel_id, t.name, m.sender_id, m.content, m.date_sent, 'new', 1, 1
  from messages m join topics t on t.organization_id = m.organization_id and t.id = m.topic_id
  where m.organization_id = $1 and m.id = $2`

/** Maximum role number of each system group, as in api.md. */
const MAX_ROLE_BY_GROUP: Readonly<Record<string, number>> = {
  'role:nobody': 0,
  'role:owners': 100,
  'role:administrators': 200,
  'role:moderators': 300,
  'role:fullmembers': 400,
  'role:members': 400,
  'role:everyone': 600,
  'role:internet': 600,
}

export async function createScene(server: TestServer, database: pg.Pool): Promise<Scene> {
  const organization = await server.organization()
  await changeSettings(server.parley, organization.id, { enable_spectator_access: true, enable_read_receipts: true })
  const model = emptyOrganization()
  const { user_groups: groups } = await organization.owner.call('GET', '/user_groups')
  const systemGroups = new Map<string, number>()
  for (const { id, name } of groups) {
    model.groups.set(id, {
      id,
      roleAtMost: MAX_ROLE_BY_GROUP[name],
      members: new Set(),
      subgroups: new Set(),
      isDeactivated: false,
    })
    systemGroups.set(name, id)
  }
  const scene: Scene = {
    model,
    organization,
    watchers: new Map(),
    wrong: [],
    systemGroups,
    async writtenSince(messageId) {
      return (await database.query<WrittenMessage>(MESSAGES_AFTER_SQL, [organization.id, messageId])).rows
    },
    async storeReport(messageId) {
      await database.query(STORE_REPORT_SQL, [organization.id, messageId])
    },
    async channelNamed(name) {
      const text = 'select id::float8 from channels where organization_id = $1 and name = $2'
      const { rows } = await database.query<{ id: number }>(text, [organization.id, name])
      return rows[0]?.id
    },
  }
  addPerson(scene, organization.owner, { role: 100 })
  for (const role of [200, 300, 400, 400, 600, 600] as const) await addNewcomer(scene, role)
  const [, , , member] = [...model.people.values()]
  await addNewcomer(scene, 400, member?.id)
  return scene
}

function addPerson(scene: Scene, user: TestUser, known: { role: number; ownerId?: number | undefined }): Person {
  const { role, ownerId } = known
  const isBot = ownerId !== undefined
  const seen = { topics: new Set<string>(), channels: new Set<number>(), messages: new Set<number>() }
  const person: Person = { id: user.id, user, isBot, ownerId, role, isActive: true, seen }
  scene.model.people.set(user.id, person)
  return person
}

/** Adds a user while other users are watching. */
export async function addNewcomer(scene: Scene, role: 200 | 300 | 400 | 600, ownerId?: number): Promise<void> {
  const number = nextNumberIn(scene.model)
  const bot = ownerId === undefined ? {} : { bot: { ownerId } }
  const user = await scene.organization.user(`name${number}q`, { role, ...bot })
  scene.model.personOfName.set(number, user.id)
  const person = addPerson(scene, user, { role, ownerId })
  if (role === GUEST_ROLE || person.isBot) return
  for (const channel of scene.model.channels.values()) if (channel.isDefault) subscribe(scene.model, channel, [user.id])
}

export function describePerson(person: Person): string {
  return `person ${person.id} (role ${person.role}${person.isBot ? ', bot' : ''})`
}

/** Adds messages that the server sent during a step to the model. */
export async function recordNotices(scene: Scene): Promise<void> {
  const { model } = scene
  const newest = Math.max(0, ...model.messages.keys())
  for (const written of await scene.writtenSince(newest)) {
    const channel = model.channels.get(written.channel_id ?? -1)
    const memberIds = channel === undefined ? (written.member_ids ?? []) : []
    const people = [...model.people.values()]
    addMessage(
      model,
      {
        id: written.id,
        senderId: written.sender_id,
        place: channel === undefined ? undefined : { channelId: channel.id, topic: written.topic },
        memberIds,
        content: written.content,
        isNotice: true,
      },
      people.filter((person) =>
        channel === undefined ? memberIds.includes(person.id) : isSubscribed(channel, person),
      ),
    )
    if (channel === undefined) model.conversations.add(memberIds.join())
  }
}

/** Users who receive events about a message, including the actor. */
export function receiversOf(model: Organization, message: Message, actor?: Person): Person[] {
  if (message.place === undefined) {
    return [...model.people.values()].filter((person) => message.memberIds.includes(person.id))
  }
  const channel = model.channels.get(message.place.channelId)
  const there = channel === undefined ? [] : subscribersOf(model, channel)
  return [...new Set([...there, ...(actor === undefined ? [] : [actor])])].filter((person) =>
    canReadMessage(model, person, message),
  )
}

export function expectEventForEach(model: Organization, people: readonly Person[], what: string): void {
  for (const person of people) expectEvent(model, person, what)
}

export const ABSENT_ID = 987_654

export function bodyWithoutId({ status, body }: Answer, id: number): string {
  return `${status} ${JSON.stringify(body).replace(new RegExp(`\\b${id}\\b`, 'g'), String(ABSENT_ID))}`
}

/** Checks that responses about a hidden and a nonexistent object are equal. */
export async function expectSameAnswerAsForAbsentId(
  scene: Scene,
  person: Person,
  id: number,
  ask: readonly [method: string, path: (id: number) => string, parameters?: (id: number) => Parameters],
): Promise<void> {
  const [method, path, parameters = () => ({})] = ask
  const hidden = bodyWithoutId(await person.user.try(method, path(id), parameters(id)), id)
  const absent = bodyWithoutId(await person.user.try(method, path(ABSENT_ID), parameters(ABSENT_ID)), ABSENT_ID)
  if (hidden === absent) return
  scene.wrong.push(`${describePerson(person)} learns of ${id} from ${method} ${path(id)}: ${hidden}, not ${absent}`)
}

export function channelOf(model: Organization, message: Message): Channel | undefined {
  return message.place === undefined ? undefined : model.channels.get(message.place.channelId)
}
