import { objectsIn } from './json.ts'
import type { Scene } from './steps.ts'
import type { TestUser } from './user.ts'

export const CHANNELS = ['Alpha', 'beta', 'Gamma rays', 'δέλτα', 'Ω']
export const TOPICS = ['hello', 'Hello', 'Plans', '', 'καλημέρα', '🎉 party']
export const CONTENTS = [
  '**hello**',
  '@**Mia Member** psst',
  '@**all**',
  '@**topic** word 1',
  '@_**all** Word 2',
  '> @**all**',
]

export function itemAt<Item>(items: readonly Item[], which: number): Item {
  const item = items[which % items.length]
  if (item === undefined) throw new Error('nothing to choose from')
  return item
}

export async function listIds(actor: TestUser, field: string, key = 'id', eventType = field): Promise<number[]> {
  const { body } = await actor.try('POST', '/register', { fetch_event_types: [eventType], event_types: [] })
  return objectsIn(body[field] ?? []).map((one) => Number(one[key] ?? 0))
}

interface Group {
  readonly id: number
  readonly direct_subgroup_ids: readonly number[]
}

export async function fetchGroups(actor: TestUser): Promise<Group[]> {
  const { body } = await actor.try('GET', '/user_groups', { include_deactivated_groups: true })
  const all = body['user_groups'] ?? []
  return all.filter((group) => !group.is_system_group)
}

export async function createGroup(actor: TestUser, which: number): Promise<number> {
  const all = await fetchGroups(actor)
  return all[which % all.length]?.id ?? 999_999
}

export async function someId(actor: TestUser, field: string, which: number, key?: string): Promise<number> {
  const ids = await listIds(actor, field, key)
  return ids[which % ids.length] ?? 999_999
}

export async function someChannelId(actor: TestUser, which: number, isArchived?: boolean): Promise<number> {
  const { body } = await actor.try('GET', '/streams', { include_all: true, exclude_archived: false })
  const all = body['streams'] ?? []
  const fitting = all.filter((channel) => isArchived === undefined || channel.is_archived === isArchived)
  return fitting[which % fitting.length]?.stream_id ?? 999_999
}

const RECENT_MESSAGES = 15

export function someSentMessage({ sent }: Scene, which: number): number {
  const recent = sent.slice(-RECENT_MESSAGES)
  return recent[which % recent.length] ?? 999_999
}

export async function listedChannelId(actor: TestUser, which: number): Promise<number> {
  const { body } = await actor.try('GET', '/get_stream_id', { stream: itemAt(CHANNELS, which) })
  return body['stream_id'] ?? 999_999
}
