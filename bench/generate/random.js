/** @typedef {() => number} Random a number from 0 (inclusive) to 1 (exclusive) */

/** @param {number} seed @returns {Random} */
export function seededRandom(seed) {
  let state = seed >>> 0
  return () => {
    state = (state + 0x9e3779b9) >>> 0
    let mixed = Math.imul(state ^ (state >>> 16), 0x85ebca6b)
    mixed = Math.imul(mixed ^ (mixed >>> 13), 0xc2b2ae35)
    return ((mixed ^ (mixed >>> 16)) >>> 0) / 0x1_0000_0000
  }
}

/** @param {Random} random @param {number} count */
export function randomBelow(random, count) {
  return Math.floor(random() * count)
}

/** Prefers low indexes. @param {Random} random @param {number} count @param {number} skew 1 for uniform */
export function skewedIndex(random, count, skew) {
  return Math.floor(count * random() ** skew)
}

/** @template T @param {Random} random @param {readonly T[]} list not empty @param {number} [skew] @returns {T} */
export function pick(random, list, skew = 1) {
  const found = list[skewedIndex(random, list.length, skew)]
  if (found === undefined) throw new Error('nothing to pick from')
  return found
}

/** A log-normal number, at least 1. @param {Random} random @param {number} typical median @param {number} spread */
export function randomAround(random, typical, spread) {
  const normal = Math.sqrt(-2 * Math.log(1 - random())) * Math.cos(2 * Math.PI * random())
  return Math.max(1, Math.round(typical * Math.exp(spread * normal)))
}

/** Draws ranks below `count` by Zipf's law. @param {Random} random @param {number} count @param {number} exponent */
export function zipf(random, count, exponent) {
  const sums = new Float64Array(count)
  let sum = 0
  for (let rank = 0; rank < count; rank += 1) {
    sum += 1 / (rank + 1) ** exponent
    sums[rank] = sum
  }
  return () => {
    const point = random() * sum
    let [low, high] = [0, count - 1]
    while (low < high) {
      const middle = (low + high) >> 1
      if ((sums[middle] ?? 0) <= point) low = middle + 1
      else high = middle
    }
    return low
  }
}

/** Distinct integers below `count`, unordered. @param {Random} random @param {number} count @param {number} wanted */
export function distinctIntegers(random, count, wanted) {
  if (wanted * 3 > count) {
    const all = Array.from({ length: count }, (_, index) => index)
    for (let index = 0; index < Math.min(wanted, count); index += 1) {
      const other = index + randomBelow(random, count - index)
      ;[all[index], all[other]] = [all[other] ?? 0, all[index] ?? 0]
    }
    return all.slice(0, wanted)
  }
  /** @type {Set<number>} */
  const found = new Set()
  while (found.size < wanted) found.add(randomBelow(random, count))
  return [...found]
}
