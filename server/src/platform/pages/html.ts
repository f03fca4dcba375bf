import { escapeHtml } from '../markdown/escape.ts'

export interface Html {
  readonly markup: string
}

type TemplateValue = Html | string | number | readonly Html[]

/**
 * Builds markup from a template, escaping strings and joining lists of markup.
 * ```ts
 * html`<h1>${'<Parley>'}</h1>`.markup // '<h1>&lt;Parley&gt;</h1>'
 * ```
 */
export function html(parts: TemplateStringsArray, ...values: readonly TemplateValue[]): Html {
  // Makes no lists of parts, because a page has hundreds of templates.
  let [markup = ''] = parts
  for (const [index, value] of values.entries()) markup += toMarkup(value) + (parts[index + 1] ?? '')
  return { markup }
}

function toMarkup(value: TemplateValue): string {
  if (typeof value === 'string') return escapeHtml(value)
  if (typeof value === 'number') return String(value)
  return 'markup' in value ? value.markup : value.map(({ markup }) => markup).join('')
}

export const EMPTY_HTML = html``

export function proseHtml(text: string): Html {
  return html`${text.split('`').map((piece, index) => (index % 2 === 1 ? html`<code>${piece}</code>` : html`${piece}`))}`
}

/** Builds a table that scrolls horizontally in narrow windows. `label` is its accessible name. */
export function scrollableTable(label: string, heads: readonly string[], rows: readonly Html[]): Html {
  return html`<div class="scroll" tabindex="0" role="group" aria-label="${label}">
    <table>
      <thead>
        <tr>
          ${heads.map((head) => html`<th scope="col">${head}</th>`)}
        </tr>
      </thead>
      <tbody>
        ${rows}
      </tbody>
    </table>
  </div>`
}

/** Headers of pages, which allow no scripts. */
export const PAGE_HEADERS = {
  'content-type': 'text/html; charset=utf-8',
  'content-security-policy':
    "default-src 'none'; style-src 'self'; img-src 'self'; media-src 'self'; form-action 'self'; base-uri 'none'; frame-ancestors 'none'",
}

export interface PageHead {
  /** BCP 47 language tag. */
  readonly language: string
  readonly elements: Html
}

const RIGHT_TO_LEFT_LANGUAGES = ['ar', 'arc', 'ckb', 'dv', 'fa', 'he', 'ku', 'ps', 'ug', 'ur', 'yi']

function directionOf(language: string): 'ltr' | 'rtl' {
  return RIGHT_TO_LEFT_LANGUAGES.includes(language.split('-')[0] ?? '') ? 'rtl' : 'ltr'
}

export function htmlPage(
  title: string,
  content: Html,
  { language, elements }: PageHead = { language: 'en', elements: EMPTY_HTML },
): string {
  return html`<!doctype html>
    <html lang="${language}" dir="${directionOf(language)}">
      <head>
        <meta charset="utf-8" />
        <title>${title}</title>
        <meta name="viewport" content="width=device-width, initial-scale=1" />
        <meta name="color-scheme" content="light dark" />
        <link rel="icon" href="/static/icon.svg" type="image/svg+xml" />
        <link rel="stylesheet" href="/static/pages.css" />
        ${elements}
      </head>
      <body>
        ${content}
      </body>
    </html> `.markup
}
