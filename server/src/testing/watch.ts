import type { Body, Parameters, TestUser } from './user.ts'

/** What each of several people was told since the last look. */
export type Look<Name extends string> = () => Promise<Record<Name, Body[]>>

/**
 * Registers a queue for everybody named and returns a look at what each has been told since, without event ids, which
 * `TestQueue` checks. A test that compares the whole look says what everybody got, and that nobody got anything else.
 */
export async function watch<Name extends string>(
  people: Readonly<Record<Name, TestUser>>,
  parameters: Parameters = {},
): Promise<Look<Name>> {
  // The keys of a record are its names.
  const names = Object.keys(people) as Name[]
  const queues = await Promise.all(
    names.map(async (name) => [name, await people[name].register({ fetch_event_types: [], ...parameters })] as const),
  )
  return async () => {
    const seen = await Promise.all(queues.map(async ([name, queue]) => [name, await queue.events()] as const))
    return Object.fromEntries(seen.map(([name, events]) => [name, events.map(withoutId)])) as Record<Name, Body[]>
  }
}

function withoutId(event: Body): Body {
  const { id: _, ...rest } = event
  return rest
}
