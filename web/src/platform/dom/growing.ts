import { useEffect, useState } from 'preact/hooks'
import { whenIdle } from './idle.ts'

interface Growing {
  /** How many more are drawn each time; as many as at first where it is not said. */
  readonly step?: number
  /** What the list is of: of another one those that are in view are drawn first again. */
  readonly of?: string
}

/**
 * How many rows of a long list are drawn: at first those that are in view, and more of them each time these have been painted, so
 * that a view opens at once and what a person does meanwhile is not kept waiting.
 */
export function useGrowing(first: number, all: number, { step = first, of = '' }: Growing = {}): number {
  const [grown, setGrown] = useState({ of, count: first })
  const count = grown.of === of ? grown.count : first
  useEffect(() => {
    if (count >= all) return undefined
    return whenIdle(() => setGrown({ of, count: count + step }))
  }, [count, all, of])
  return Math.min(count, all)
}
