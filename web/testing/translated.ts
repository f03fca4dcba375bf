import type { Page } from 'playwright-core'
import { accessibilityFaults } from './browser.ts'
import { isTooWide, waitUntilLoaded } from './views.ts'

/** Untranslated texts: names from the test organization, and names of languages, programs, and fonts. */
const UNTRANSLATED_NAMES = [
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
  'Inter',
  'English',
  'Deutsch',
  // Browsers name languages, and cannot translate the names into pseudolanguages either.
  'German',
  'French',
  'Spanish',
  'Portuguese',
  'Italian',
  'Dutch',
  'Russian',
  'Swedish',
  // Browsers cannot translate day names into pseudolanguages.
  'Today',
  'Yesterday',
  'px',
  'Ctrl',
  'Shift',
  'Alt',
]

/** A moment such as “Thu, Nov 26, 2026, 12:39 PM”; browsers format pseudolanguages in English. */
const DATE_AND_TIME_PATTERN = /\b[A-Z][a-z]{2}, [A-Z][a-z]{2} \d{1,2}, \d{4}, \d{1,2}:\d{2}\s[AP]M/g

/** A day such as “Oct 28, 2026”. */
const DAY_PATTERN = /\b[A-Z][a-z]{2} \d{1,2}, \d{4}\b/g

/** A time zone such as “America/Port of Spain”. */
const TIME_ZONE_PATTERN = /^[A-Z]\w+(?:\/[\w-]+(?: [\w-]+)*)+$/

/** Finds texts, visible or for screen readers, that do not come from the strings of the language. */
export async function findUntranslated(page: Page): Promise<string[]> {
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
    if (TIME_ZONE_PATTERN.test(text)) return false
    const rest = UNTRANSLATED_NAMES.reduce(
      (left, given) => left.replaceAll(given, ''),
      text
        .replaceAll(/⟦[^⟧]*⟧/g, '')
        .replaceAll(DATE_AND_TIME_PATTERN, '')
        .replaceAll(DAY_PATTERN, ''),
    )
    return /[A-Za-z]{3}/.test(rest)
  })
}

/** Finds elements that clip their text without an ellipsis. */
export async function findClipped(page: Page): Promise<string[]> {
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

const WIDTHS = [1440, 320] as const

/** Finds clipped and untranslated texts of a view in a pseudolanguage at each width, and accessibility faults. */
export async function textFaults(page: Page, language: string): Promise<unknown[]> {
  const faults: unknown[] = []
  for (const width of WIDTHS) {
    await page.setViewportSize({ width, height: 900 })
    await waitUntilLoaded(page)
    if (await isTooWide(page)) faults.push([width, 'is too wide'])
    const others = language === 'en-XA' ? await findUntranslated(page) : []
    for (const fault of [...(await findClipped(page)), ...others]) faults.push([width, fault])
  }
  return [...faults, ...(await accessibilityFaults(page))]
}
