import { keysOf, recordWith } from '../kernel/keys.ts'
import type { EventFields } from './contract-types.ts'
import type { Parameters, TestUser } from './user.ts'

export type EventReader<Name extends string> = () => Promise<Record<Name, EventFields[]>>

/**
 * Lists new events of several people, without IDs, which `TestQueue` checks. A test that compares the whole result
 * asserts that there are no other events.
 */
export async function watch<Name extends string>(
  people: Readonly<Record<Name, TestUser>>,
  parameters: Parameters = {},
): Promise<EventReader<Name>> {
  const names = keysOf(people)
  const queues = await Promise.all(
    names.map(async (name) => people[name].register({ fetch_event_types: [], ...parameters })),
  )
  return async () => {
    const seen = await Promise.all(queues.map(async (queue) => (await queue.events()).map(withoutId)))
    return recordWith(names, (name) => seen[names.indexOf(name)] ?? [])
  }
}

function withoutId(event: EventFields): EventFields {
  const { id: _, ...rest } = event
  return rest
}
