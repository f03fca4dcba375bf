import { stateDigest } from '@parley/server/contract'
import type { Answer, ClientState } from './types.ts'

/** A field of a folded state that is not what the server has. */
export interface Drift {
  readonly field: string
  /** The keys of the entries that differ, where the answer has the digests of entries. */
  readonly keys?: readonly string[]
}

/**
 * Where a state that was folded differs from what the server has, by the answer of `getStateDigest`. Fields that the state
 * does not have are left out.
 * @param state folded from all events of its queue up to the answer's `position`, and from none behind it
 */
export function driftOf(
  state: ClientState,
  { digests, entries }: Pick<Answer<typeof stateDigest.getStateDigest>, 'digests' | 'entries'>,
): Drift[] {
  const fields = Object.keys(digests).filter((field) => state[field] !== undefined)
  return fields.flatMap((field): Drift[] => {
    const { digest, entries: here } = stateDigest.digestField(state, field)
    if (digest === digests[field]) return []
    const there = Object.hasOwn(entries, field) ? entries[field] : undefined
    if (there === undefined || here === undefined) return [{ field }]
    const keys = new Set([...Object.keys(here), ...Object.keys(there)])
    return [{ field, keys: [...keys].filter((key) => here[key] !== there[key]) }]
  })
}
