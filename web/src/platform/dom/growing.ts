import { useEffect, useState } from 'preact/hooks'
import { whenCalm } from './idle.ts'

/** Rows rendered per step. A larger number would delay key presses more. */
const STEP = 15

/** Adds rows out of view in steps after each paint, to keep input responsive. @param of identifies the list */
export function useGrowing(first: number, all: number, of = ''): number {
  const [grown, setGrown] = useState({ of, count: first })
  const count = grown.of === of ? grown.count : first
  useEffect(() => {
    if (count >= all) return undefined
    return whenCalm(() => setGrown({ of, count: count + STEP }))
  }, [count, all, of])
  return Math.min(count, all)
}
