import { PRINTED, STYLES } from './styles.ts'

/** Pictures that have not come after this long are left out. */
const PICTURES_MILLISECONDS = 15_000

/** Prints these elements in place of the client, and takes them away again. */
export async function printPage(title: string, parts: readonly HTMLElement[]): Promise<void> {
  const page = document.createElement('main')
  page.className = 'whole'
  page.setAttribute('aria-hidden', 'true')
  page.append(...parts)
  const sheet = new CSSStyleSheet()
  sheet.replaceSync(STYLES + PRINTED)
  document.body.append(page)
  document.adoptedStyleSheets = [...document.adoptedStyleSheets, sheet]
  // Browsers propose the title as the name of a file.
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
