import type { pins } from '../../server/src/contract.ts'
import type { Parameters } from '../../server/src/testing/user.ts'
import type { Message } from './model.ts'

export function feedParameters(narrow: readonly unknown[]): Parameters {
  return { anchor: 'oldest', num_before: 0, num_after: 5_000, narrow, allow_empty_topic_name: true }
}

/** Lists are missing in error responses. */
export function idsAtKey<Key extends string>(
  list: readonly Readonly<Record<Key, unknown>>[] | undefined,
  key: Key,
): number[] {
  return (list ?? []).map((one) => Number(one[key]))
}

export function idsIn(list: readonly { readonly id: number }[]): number[] {
  return list.map(({ id }) => id)
}

/** Compares listed pins with those of the messages that the person can read. */
export function pinDifferences(listed: readonly pins.Pin[], messages: readonly Message[]): string[] {
  const got = listed.map(({ message_id, scope, topic }) => `${message_id} to ${scope} ${topic}`)
  const expected = messages.flatMap(({ id, pin, place }) =>
    pin === undefined ? [] : [`${id} to ${pin} ${place?.topic}`],
  )
  return [
    ...got.filter((one) => !expected.includes(one)).map((one) => `sees pinned ${one}`),
    ...expected.filter((one) => !got.includes(one)).map((one) => `misses pinned ${one}`),
  ]
}
