/**
 * Event of a trace, with times in microseconds.
 * @typedef {{ name: string, ph: string, ts: number, dur?: number, tid: number, pid: number }} TraceEvent
 */

/** Counts layouts that scripts force. @param {import('./browser.js').Page} page @param {() => Promise<void>} act */
export async function forcedLayouts(page, act) {
  const events = await recordTrace(page, act)
  const calls = events.filter(({ name }) => name === 'FunctionCall')
  const layouts = events.filter(({ name }) => name === 'Layout' || name === 'UpdateLayoutTree')
  return layouts.filter((layout) => calls.some((call) => isWithin(layout, call))).length
}

/** @param {TraceEvent} inner @param {TraceEvent} outer */
function isWithin(inner, outer) {
  return (
    inner.tid === outer.tid &&
    inner.pid === outer.pid &&
    inner.ts >= outer.ts &&
    inner.ts <= outer.ts + (outer.dur ?? 0)
  )
}

/** @param {import('./browser.js').Page} page @param {() => Promise<void>} act @returns {Promise<TraceEvent[]>} */
async function recordTrace(page, act) {
  const browser = page.context().browser()
  if (browser === null) throw new Error('the page is of no browser')
  await browser.startTracing(page, { categories: ['devtools.timeline'] })
  await act()
  const trace = await browser.stopTracing()
  return JSON.parse(trace.toString()).traceEvents
}
