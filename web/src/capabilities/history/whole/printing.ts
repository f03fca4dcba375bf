/** Time limit for loading pictures. Slower pictures are not printed. */
const PICTURES_TIMEOUT_MILLISECONDS = 15_000

export async function printPage(title: string, parts: readonly HTMLElement[]): Promise<void> {
  const page = document.createElement('main')
  page.className = 'whole'
  page.setAttribute('aria-hidden', 'true')
  page.append(...parts)
  const sheet = new CSSStyleSheet()
  sheet.replaceSync(CONVERSATION_STYLES + PRINT_STYLES)
  document.body.append(page)
  document.adoptedStyleSheets = [...document.adoptedStyleSheets, sheet]
  // Changes the title, because browsers suggest it as the file name.
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
  await loadPictures(page)
  window.print()
}

async function loadPictures(page: HTMLElement): Promise<void> {
  const all = [...page.querySelectorAll('img')].map(async (image) =>
    image.decode().catch(() => image.replaceWith(image.alt)),
  )
  const timeout = new Promise((resolve) => {
    setTimeout(resolve, PICTURES_TIMEOUT_MILLISECONDS)
  })
  await Promise.race([Promise.all(all), timeout])
}

/* Styles that are embedded in exported files, and added to the page only for printing. */
export const CONVERSATION_STYLES = `
.whole { color-scheme: light; max-inline-size: 46rem; margin: 0 auto; padding: 1.5rem 1rem; background: #fff; color: #1c2430;
  font: 16px/1.45 system-ui, sans-serif; overflow-wrap: break-word; }
.whole h1 { margin: 0 0 .25rem; font-size: 1.5rem; line-height: 1.25; }
.whole h2 { margin: 1.75rem 0 .75rem; padding-block-end: .25rem; border-block-end: 1px solid #d8dee6; font-size: 1rem; break-after: avoid; }
.whole p { margin: 0 0 .5rem; }
.whole a { color: #1d4fa3; }
.whole-note, .whole-message time { color: #56606e; font-size: .875rem; font-weight: normal; }
.whole-message { margin-block: 0 1rem; break-inside: auto; }
.whole-message > header { display: flex; flex-wrap: wrap; align-items: baseline; gap: 0 .5rem; break-after: avoid; }
.whole-message > header h3 { margin: 0; font-size: 1rem; }
.whole-content > :last-child { margin-block-end: 0; }
.whole-content :is(ul, ol) { margin: 0 0 .5rem; padding-inline-start: 1.5rem; list-style: revert; }
.whole-content blockquote { margin: 0 0 .5rem; padding-inline-start: .75rem; border-inline-start: 3px solid #c3ccd8; color: #3d4755; }
.whole-content pre { margin: 0 0 .5rem; padding: .5rem .75rem; border: 1px solid #d8dee6; border-radius: 5px; background: #f4f6f9;
  white-space: pre-wrap; }
.whole-content :is(code, pre) { font-family: ui-monospace, 'SF Mono', 'Cascadia Code', 'Noto Sans Mono', 'Liberation Mono', monospace;
  font-size: .9em; }
.whole-content table { margin: 0 0 .5rem; border-collapse: collapse; }
.whole-content :is(th, td) { padding: .2rem .5rem; border: 1px solid #c3ccd8; text-align: start; }
.whole-content img { display: block; max-inline-size: min(26rem, 100%); block-size: auto; max-block-size: 20rem; margin-block: .25rem;
  break-inside: avoid; }
.whole-content img.emoji { display: inline; inline-size: 1.25em; block-size: 1.25em; margin: 0; vertical-align: -.25em; }
.whole-content :is(h1, h2, h3, h4, h5, h6) { margin: .5rem 0; padding: 0; border: 0; font-size: 1.0625rem; }
.whole-content details { margin: 0 0 .5rem; padding: .25rem .75rem; border: 1px solid #c3ccd8; border-radius: 5px; }
.whole-content summary { font-weight: 600; }
.whole-reactions { display: flex; flex-wrap: wrap; gap: .1rem .75rem; margin: .25rem 0 0; padding: 0; list-style: none; font-size: .875rem;
  color: #3d4755; }
@media print { .whole { max-inline-size: none; padding: 0; font-size: 11pt; } .whole a { color: inherit; } }
`

const PRINT_STYLES = `
@media screen { body > .whole { display: none; } }
@media print {
  :root, body { display: block; block-size: auto; min-block-size: 0; overflow: visible; background: #fff; }
  body > :not(.whole) { display: none !important; }
}
`
