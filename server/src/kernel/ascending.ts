/* Sorted lists of unique numbers, such as clients' lists of IDs. Changes near the end are the fastest. */

function lowerBound(list: readonly number[], value: number): number {
  // Checks the end first, because a new ID usually exceeds all IDs in the list.
  if (list.length === 0 || (list.at(-1) ?? value) < value) return list.length
  let [low, high] = [0, list.length]
  while (low < high) {
    const middle = (low + high) >>> 1
    if ((list[middle] ?? value) < value) low = middle + 1
    else high = middle
  }
  return low
}

export function includesValue(list: readonly number[], value: number): boolean {
  return list[lowerBound(list, value)] === value
}

/** Adds ascending values and returns the number of values that were not in the list. */
export function addSorted(list: number[], values: readonly number[]): number {
  const [least] = values
  if (least === undefined) return 0
  const before = list.length
  const behind = list.splice(lowerBound(list, least))
  let next = 0
  for (const value of values) {
    for (let known = behind[next]; known !== undefined && known <= value; known = behind[next]) {
      list.push(known)
      next += 1
    }
    if (list.at(-1) !== value) list.push(value)
  }
  for (; next < behind.length; next += 1) list.push(behind[next] ?? 0)
  return list.length - before
}

/** Removes ascending values and returns those that were in the list. */
export function removeSorted(list: number[], values: readonly number[]): number[] {
  const [least, most] = [values[0], values.at(-1)]
  if (least === undefined || most === undefined) return []
  const removed: number[] = []
  const begin = lowerBound(list, least)
  let [read, kept] = [begin, begin]
  for (let value = list[read]; value !== undefined && value <= most; value = list[read]) {
    if (includesValue(values, value)) removed.push(value)
    else list[kept++] = value
    read += 1
  }
  list.splice(kept, read - kept)
  return removed
}
