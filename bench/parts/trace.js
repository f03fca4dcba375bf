/*
 * What the browser's trace says of a page.
 */

/** @typedef {{ name: string, ph: string, ts: number, dur?: number, tid: number, pid: number }} TraceEvent times in microseconds */

/**
 * How often a script had the browser lay out the page, or find out its styles, while it ran: each time it asks for what is not
 * known yet, in place of once before the paint.
 * @param {import('./browser.js').Page} page
 * @param {() => Promise<void>} act
 */
export async function forcedLayouts(page, act) {
  const events = await traced(page, act)
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

/**
 * @param {import('./browser.js').Page} page
 * @param {() => Promise<void>} act
 * @returns {Promise<TraceEvent[]>}
 */
async function traced(page, act) {
  const browser = page.context().browser()
  if (browser === null) throw new Error('the page is of no browser')
  await browser.startTracing(page, { categories: ['devtools.timeline'] })
  await act()
  const trace = await browser.stopTracing()
  return JSON.parse(trace.toString()).traceEvents
}
