/**
 * A number that `npm run bench` reports. The goal applies to the ratio of the value to a baseline from the same run,
 * because machines are noisy, or to the value itself if there is no baseline.
 * @typedef {object} Figure @property {string} id @property {string} name @property {string} unit
 * @property {{ readonly atMost: number } | { readonly atLeast: number }} goal
 * @property {() => Promise<Measurement>} measure cleans up everything it started, even when it fails
 */

/**
 * @typedef {object} Measurement @property {number} value
 * @property {number} [baseline] in the same unit, from the same run
 * @property {number} [ratio] of the value to the baseline; defaults to their quotient
 * @property {boolean} [holds] whether an additional condition is met; defaults to true
 * @property {readonly string[]} [failures] product errors, any of which fails the figure
 * @property {readonly string[]} [notes] further results, such as the spread and the load process's CPU share
 */

/**
 * @typedef {{ id: string, name: string, value: number, unit: string, baseline: number | null, ratio: number | null,
 * goal: string, holds: boolean }} Result
 */

/** @param {Figure} figure @param {Measurement} measurement @returns {Result} */
export function createResult(figure, { value, baseline, ratio, holds = true }) {
  const { id, name, unit, goal } = figure
  const quotient = ratio ?? (baseline === undefined ? undefined : value / baseline)
  const judged = quotient ?? value
  const [met, words] =
    'atMost' in goal
      ? [judged <= goal.atMost, `at most ${String(goal.atMost)}`]
      : [judged >= goal.atLeast, `at least ${String(goal.atLeast)}`]
  return {
    id,
    name,
    value,
    unit,
    baseline: baseline ?? null,
    ratio: quotient ?? null,
    goal: words,
    holds: met && holds,
  }
}

/** @param {Result} result */
export function formatResult({ id, value, unit, baseline, ratio, goal, holds }) {
  const compared = baseline === null ? '' : `, baseline ${formatNumber(baseline)} ${unit}`
  const judged = ratio === null ? '' : `, ratio ${formatNumber(ratio)}`
  return `${holds ? '✓' : '✗'} ${id}: ${formatNumber(value)} ${unit}${compared}${judged}, goal ${goal}: ${holds ? 'holds' : 'MISSED'}`
}

/** Rounds to three significant digits, or to an integer from 1,000 on. @param {number} value */
export function formatNumber(value) {
  return Math.abs(value) >= 1000 ? Math.round(value).toString() : Number(value.toPrecision(3)).toString()
}

/** @param {readonly number[]} values @param {number} share 0.5 for the median */
export function quantile(values, share) {
  const sorted = values.toSorted((a, b) => a - b)
  return sorted[Math.min(sorted.length - 1, Math.floor(share * sorted.length))] ?? Number.NaN
}

/** @param {readonly number[]} values */
export function median(values) {
  return quantile(values, 0.5)
}
