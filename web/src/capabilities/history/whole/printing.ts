import { PRINTED, STYLES } from './styles.ts'

/** Pictures that load more slowly are omitted. */
const PICTURES_MILLISECONDS = 15_000

/** Prints elements in place of the client, then removes them. */
export async function printPage(title: string, parts: readonly HTMLElement[]): Promise<void> {
  const page = document.createElement('main')
  page.className = 'whole'
  page.setAttribute('aria-hidden', 'true')
  page.append(...parts)
  const sheet = new CSSStyleSheet()
  sheet.replaceSync(STYLES + PRINTED)
  document.body.append(page)
  document.adoptedStyleSheets = [...document.adoptedStyleSheets, sheet]
  // Browsers suggest the title as the file name.
  const { title: before } = document
  document.title = title
  window.addEventListener(
    'afterprint',
    () => {
      page.remove()
      document.adoptedStyleSheets = document.adoptedStyleSheets.filter((one) => one !== sheet)
      if (document.title === title) document.title = before
    },
    { once: true },
  )
  await picturesIn(page)
  window.print()
}

async function picturesIn(page: HTMLElement): Promise<void> {
  const all = [...page.querySelectorAll('img')].map(async (image) =>
    image.decode().catch(() => image.replaceWith(image.alt)),
  )
  const timeout = new Promise((resolve) => {
    setTimeout(resolve, PICTURES_MILLISECONDS)
  })
  await Promise.race([Promise.all(all), timeout])
}
