/* Sorted disjoint ranges, in which clients store large sets. A change takes time for each range that it moves. */

export type Range = [first: number, last: number]

/** Returns the index of the first range that does not end before a number. */
function firstEndingAtOrAfter(ranges: readonly Range[], value: number): number {
  let [low, high] = [0, ranges.length]
  while (low < high) {
    const middle = (low + high) >>> 1
    if ((ranges[middle]?.[1] ?? value) < value) low = middle + 1
    else high = middle
  }
  return low
}

export function covers(ranges: readonly Range[], value: number): boolean {
  const [first] = ranges[firstEndingAtOrAfter(ranges, value)] ?? [Infinity]
  return first <= value
}

/** Adds ascending values and returns the number of values that were in no range. */
export function addToRanges(ranges: Range[], values: readonly number[]): number {
  const [least] = values
  if (least === undefined) return 0
  // Includes a range that ends right before the first number, because it may grow.
  const behind = ranges.splice(firstEndingAtOrAfter(ranges, least - 1))
  let [next, added] = [0, 0]
  for (const value of values) {
    for (let range = behind[next]; range !== undefined && range[0] <= value; range = behind[++next]) ranges.push(range)
    const newest = ranges.at(-1)
    if (newest !== undefined && value <= newest[1]) continue
    if (newest?.[1] === value - 1) newest[1] = value
    else ranges.push([value, value])
    added += 1
  }
  for (const range of behind.slice(next)) ranges.push(range)
  return added
}

/** Removes ascending values and returns those that were in a range. */
export function removeFromRanges(ranges: Range[], values: readonly number[]): number[] {
  const [least] = values
  if (least === undefined) return []
  const behind = ranges.splice(firstEndingAtOrAfter(ranges, least))
  const found: number[] = []
  let next = 0
  for (const [begin, last] of behind) {
    let first = begin
    for (let value = values[next]; value !== undefined && value <= last; value = values[++next]) {
      if (value < first) continue
      if (first < value) ranges.push([first, value - 1])
      found.push(value)
      first = value + 1
    }
    if (first <= last) ranges.push([first, last])
  }
  return found
}
