import type { Page } from 'playwright-core'

/** Enough Tab presses to reach every part of a view. */
const MAX_TAB_PRESSES = 70

/** Returns the focused element and its fault, if any; undefined if the focus has left the page. */
export async function focusFault(
  page: Page,
): Promise<{ readonly name: string; readonly fault: string | undefined } | undefined> {
  return page.evaluate(() => {
    const { activeElement: element } = document
    if (!(element instanceof HTMLElement) || element === document.body) return undefined
    const name = element.outerHTML.slice(0, 160)
    const looks = (): string => {
      // An ancestor can show the focus: the composer's frame is two elements above its field.
      const around: (HTMLElement | null | undefined)[] = [element]
      for (let above = 0; above < 3; above += 1) around.push(around.at(-1)?.parentElement)
      return around
        .map((one) => {
          if (one === null || one === undefined) return ''
          const { outline, boxShadow, borderColor, backgroundColor } = getComputedStyle(one)
          return [outline, boxShadow, borderColor, backgroundColor].join()
        })
        .join()
    }
    const { left, top, right, bottom } = element.getBoundingClientRect()
    const [fromX, toX] = [Math.max(left, 0), Math.min(right, innerWidth)]
    const [fromY, toY] = [Math.max(top, 0), Math.min(bottom, innerHeight)]
    if (toX - fromX < 1 || toY - fromY < 1) return { name, fault: 'is out of view' }
    const points = [0.5, 0.05, 0.95].flatMap((x) => [0.5, 0.05, 0.95].map((y) => [x, y] as const))
    const isCovered = points.every(([x, y]) => {
      const above = document.elementFromPoint(fromX + (toX - fromX) * x, fromY + (toY - fromY) * y)
      return above === null || !(element.contains(above) || above.contains(element))
    })
    if (isCovered) return { name, fault: 'is covered' }
    const focused = looks()
    const isShown = element.matches(':focus-visible')
    element.blur()
    const other = looks()
    element.focus({ preventScroll: true })
    return { name, fault: isShown && focused !== other ? undefined : 'does not show the focus' }
  })
}

/** Presses Tab through a page from its start, and returns the faults of all focused elements. */
export async function focusFaultsByTab(page: Page): Promise<unknown[]> {
  const faults: unknown[] = []
  await page.evaluate(() => {
    document.body.tabIndex = -1
    document.body.focus()
    document.body.removeAttribute('tabindex')
  })
  for (let step = 0; step < MAX_TAB_PRESSES; step += 1) {
    await page.keyboard.press('Tab')
    const found = await focusFault(page)
    if (found === undefined) break
    if (found.fault !== undefined) faults.push([found.fault, found.name])
  }
  return faults
}
