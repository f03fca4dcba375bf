import type { EventFields } from './contract-types.ts'
import type { Parameters, TestUser } from './user.ts'

export type Look<Name extends string> = () => Promise<Record<Name, EventFields[]>>

/**
 * Lists new events of several people, without IDs, which `TestQueue` checks. A test that compares the whole result
 * asserts that there are no other events.
 */
export async function watch<Name extends string>(
  people: Readonly<Record<Name, TestUser>>,
  parameters: Parameters = {},
): Promise<Look<Name>> {
  // Safe: the keys of the record are its names.
  const names = Object.keys(people) as Name[]
  const queues = await Promise.all(
    names.map(async (name) => [name, await people[name].register({ fetch_event_types: [], ...parameters })] as const),
  )
  return async () => {
    const seen = await Promise.all(queues.map(async ([name, queue]) => [name, await queue.events()] as const))
    return Object.fromEntries(seen.map(([name, events]) => [name, events.map(withoutId)])) as Record<
      Name,
      EventFields[]
    >
  }
}

function withoutId(event: EventFields): EventFields {
  const { id: _, ...rest } = event
  return rest
}
