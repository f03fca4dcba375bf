/**
 * One number that `npm run bench` shows. What is judged is the ratio to a baseline of the same run, since machines are
 * noisy; or the value itself where there is nothing to compare it with.
 * @typedef {object} Figure
 * @property {string} id
 * @property {string} name what it says, in one line
 * @property {string} unit of the value and the baseline
 * @property {{ readonly atMost: number } | { readonly atLeast: number }} goal
 * @property {() => Promise<Measurement>} measure cleans up whatever it started, also when it fails
 */

/**
 * @typedef {object} Measurement
 * @property {number} value
 * @property {number} [baseline] in the same unit, from the same run
 * @property {number} [ratio] of the value to the baseline, unless it is more than their quotient
 * @property {boolean} [holds] where there is a second condition; the goal must hold as well
 * @property {readonly string[]} [failures] errors of the product that are no number: with one of them, the figure fails
 * @property {readonly string[]} [notes] what else was seen: spread, the load process's share of a core, parts
 */

/** @typedef {{ id: string, name: string, value: number, unit: string, baseline: number | null, ratio: number | null, goal: string, holds: boolean }} Result */

/**
 * @param {Figure} figure
 * @param {Measurement} measurement
 * @returns {Result}
 */
export function resultOf(figure, { value, baseline, ratio, holds = true }) {
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
export function lineOf({ id, value, unit, baseline, ratio, goal, holds }) {
  const compared = baseline === null ? '' : `, baseline ${short(baseline)} ${unit}`
  const judged = ratio === null ? '' : `, ratio ${short(ratio)}`
  return `${holds ? '✓' : '✗'} ${id}: ${short(value)} ${unit}${compared}${judged}, goal ${goal}: ${holds ? 'holds' : 'MISSED'}`
}

/** Three digits, which is more than any of these numbers can be trusted for. @param {number} value */
export function short(value) {
  return Math.abs(value) >= 1000 ? Math.round(value).toString() : Number(value.toPrecision(3)).toString()
}

/**
 * The value below which the given share of values lies.
 * @param {readonly number[]} values
 * @param {number} share 0.5 is the median
 */
export function quantile(values, share) {
  const sorted = values.toSorted((a, b) => a - b)
  return sorted[Math.min(sorted.length - 1, Math.floor(share * sorted.length))] ?? Number.NaN
}
