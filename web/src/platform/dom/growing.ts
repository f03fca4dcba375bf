import { useEffect, useState } from 'preact/hooks'
import { whenCalm } from './idle.ts'

/** So many more rows are drawn each time: a press waits for one such step at most. */
const STEP = 15

/**
 * How many rows of a long list are drawn: at first those that are in view, and more of them each time these have been painted, so
 * that a view opens at once and what a person does meanwhile is not kept waiting.
 * @param of what the list is of: of another one those that are in view are drawn first again
 */
export function useGrowing(first: number, all: number, of = ''): number {
  const [grown, setGrown] = useState({ of, count: first })
  const count = grown.of === of ? grown.count : first
  useEffect(() => {
    if (count >= all) return undefined
    return whenCalm(() => setGrown({ of, count: count + STEP }))
  }, [count, all, of])
  return Math.min(count, all)
}
