import { useEffect, useState } from 'preact/hooks'
import { whenIdle } from './idle.ts'

/**
 * How many rows of a long list are drawn: at first those that are in view, and more of them each time these have been painted, so
 * that a view opens at once and what a person does meanwhile is not kept waiting.
 */
export function useGrowing(first: number, all: number): number {
  const [count, setCount] = useState(first)
  useEffect(() => {
    if (count >= all) return undefined
    return whenIdle(() => setCount(count + first))
  }, [count, all])
  return Math.min(count, all)
}
