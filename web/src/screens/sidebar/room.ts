import { afterPaint } from '../../platform/dom/painted.ts'

/** No row of the sidebar is lower. */
const LEAST_PIXELS = 24

/** Rows for which the window has room, below those that are drawn with the same paint already. */
let left: number | undefined

/** How many things of a section have room in the window with the next paint, below the sections before it. */
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
