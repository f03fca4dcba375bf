import { afterPaint } from '../../platform/dom/painted.ts'

/** Minimum height of a sidebar row. */
const LEAST_PIXELS = 24

/** Number of rows that still fit into the window in this paint. */
let left: number | undefined

/** The number of a section's items that fit into the window in the next paint, below earlier sections. */
export function takeRoom<Thing>(things: readonly Thing[], rowsOf: (thing: Thing) => number): number {
  if (left === undefined) {
    left = Math.ceil(window.innerHeight / LEAST_PIXELS)
    afterPaint(() => {
      left = undefined
    })
  }
  let room = left
  const last = things.findIndex((thing) => {
    const hasRoom = room > 0
    if (hasRoom) room -= rowsOf(thing)
    return !hasRoom
  })
  left = room
  return last === -1 ? things.length : last
}
