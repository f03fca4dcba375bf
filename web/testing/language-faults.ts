import type { Page } from 'playwright-core'

/** Names that the organization of these tests uses, and names of languages and programs: no language translates them. */
const GIVEN = [
  'Hill & Valley',
  'Fred Friend',
  'Olivia Owner',
  'garden',
  'kitchen',
  'beans',
  'peas',
  'Plants',
  'Plain',
  'Pictures of beans',
  'Mind the frost',
  'garden-lover@example.com',
  'Parley',
  'Jitsi Meet',
  'Zulip',
  'Slack',
  'Vim',
  'English',
  'Deutsch',
  // Of the browser, which has words for days in no such language.
  'Today',
  'Yesterday',
  // Units, keys and what stands on them.
  'px',
  'Ctrl',
  'Shift',
  'Alt',
]

/** A moment as the browser says it, such as “Thu, Nov 26, 2026, 12:39 PM”: it has words for days in no such language. */
const MOMENT = /\b[A-Z][a-z]{2}, [A-Z][a-z]{2} \d{1,2}, \d{4}, \d{1,2}:\d{2}\s[AP]M/g

/** A day as the browser says it, such as “Oct 28, 2026”. */
const DAY = /\b[A-Z][a-z]{2} \d{1,2}, \d{4}\b/g

/** A time zone as all systems call it, such as “America/Port of Spain”. */
const ZONE = /^[A-Z]\w+(?:\/[\w-]+(?: [\w-]+)*)+$/

/** Texts of a page, seen or heard, that did not come from the texts of a language. */
export async function untranslated(page: Page): Promise<string[]> {
  const texts = await page.evaluate(() => {
    const isOwn = (element: Element): boolean =>
      element.closest('.content, bdi, time, kbd, code, script, style, noscript') !== null
    const found: string[] = []
    const walker = document.createTreeWalker(document.body, NodeFilter.SHOW_TEXT)
    for (let node = walker.nextNode(); node !== null; node = walker.nextNode()) {
      if (node.parentElement !== null && !isOwn(node.parentElement)) found.push(node.textContent ?? '')
    }
    for (const name of ['aria-label', 'title', 'placeholder', 'alt']) {
      for (const element of document.querySelectorAll(`[${name}]`)) {
        if (!isOwn(element)) found.push(element.getAttribute(name) ?? '')
      }
    }
    return found
  })
  return [...new Set(texts)].filter((text) => {
    if (ZONE.test(text)) return false
    const rest = GIVEN.reduce(
      (left, given) => left.replaceAll(given, ''),
      text
        .replaceAll(/⟦[^⟧]*⟧/g, '')
        .replaceAll(MOMENT, '')
        .replaceAll(DAY, ''),
    )
    return /[A-Za-z]{3}/.test(rest)
  })
}

/** Elements that cut off their text without an ellipsis. */
export async function clipped(page: Page): Promise<string[]> {
  return page.evaluate(() =>
    [...document.querySelectorAll<HTMLElement>('#app *')].flatMap((element) => {
      const { overflowX, textOverflow } = getComputedStyle(element)
      const isHiding = overflowX === 'hidden' || overflowX === 'clip'
      const isSeen = element.checkVisibility() && element.clientWidth > 1 && element.textContent !== ''
      const isCut = isHiding && textOverflow !== 'ellipsis' && element.scrollWidth > element.clientWidth + 1
      return isSeen && isCut ? [element.outerHTML.slice(0, 200)] : []
    }),
  )
}
