import { stateDigest } from '@parley/server/contract'
import type { Answer, ClientState } from './types.ts'

/** A field of the client's state that differs from the server's. */
export interface Drift {
  readonly field: string
  /** Keys of the differing entries, if the answer contains digests per entry. */
  readonly keys?: readonly string[]
}

/**
 * Compares a client's state with the server's digests from `getStateDigest`. Skips fields that the state lacks.
 * @param state the result of applying exactly the events of its queue up to the answer's `position`
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
