import { useEffect, useState } from 'preact/hooks'

/**
 * How many rows of a long list are drawn: at first those that are in view, and more of them each time these have been painted, so
 * that a view opens at once and what a person does meanwhile is not kept waiting.
 */
export function useGrowing(first: number, all: number): number {
  const [count, setCount] = useState(first)
  useEffect(() => {
    if (count >= all) return undefined
    // Effects run after the paint.
    const timer = setTimeout(() => setCount(count + first))
    return () => clearTimeout(timer)
  }, [count, all])
  return Math.min(count, all)
}
