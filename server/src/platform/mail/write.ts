import { html, type Html } from '../pages/html.ts'
import type { MailContent } from './message-content.ts'

export interface MailText {
  readonly language: string
  readonly subject: string
  readonly paragraphs: readonly string[]
  readonly content: MailContent | undefined
  readonly button: MailLink | undefined
  readonly closing: readonly string[]
  readonly links: readonly MailLink[]
}

interface MailLink {
  readonly label: string
  readonly address: string
}

export interface WrittenMail {
  readonly subject: string
  readonly text: string
  readonly html: string
}

/** Writes plain text, and equivalent HTML without external resources. */
export function writeMail(mail: MailText): WrittenMail {
  return { subject: mail.subject, text: writePlainText(mail), html: writeHtml(mail) }
}

function writePlainText({ paragraphs, content, button, closing, links }: MailText): string {
  const middle = content === undefined ? [] : [content.text]
  const link = button === undefined ? [] : [`${button.label}:\n${button.address}`]
  const last = [...closing, ...links.map(({ label, address }) => `${label}: ${address}`)]
  const small = last.length === 0 ? [] : [`-- \n${last.join('\n')}`]
  return `${[...paragraphs, ...middle, ...link, ...small].join('\n\n')}\n`
}

/* Uses only HTML that all email programs support. To suit dark mode, only the button sets colors and a background. */

const WIDTH_PIXELS = 576
const FONT_STYLE = 'font:16px/1.5 system-ui,-apple-system,"Segoe UI",Roboto,Arial,sans-serif'
const PAGE_STYLE = `width:100%;max-width:${WIDTH_PIXELS}px;table-layout:fixed`
const CELL_STYLE = `padding:24px 16px;word-break:break-word;${FONT_STYLE}`
const SMALL_PRINT_STYLE = 'margin:0 0 8px;font-size:13px;opacity:.75'
const BUTTON_STYLE =
  'display:inline-block;padding:10px 20px;border-radius:6px;background-color:#2f5bd7;color:#ffffff;text-decoration:none;font-weight:600'
/** Adds padding in email programs that ignore the link's padding. */
const BUTTON_CELL_STYLE = `border-radius:6px;mso-padding-alt:10px 20px;${FONT_STYLE}`

function writeHtml({ language, subject, paragraphs, content, button, closing, links }: MailText): string {
  return html`<!doctype html>
    <html lang="${language}">
      <head>
        <meta charset="utf-8" />
        <meta name="viewport" content="width=device-width, initial-scale=1" />
        <meta name="color-scheme" content="light dark" />
        <title>${subject}</title>
      </head>
      <body style="margin:0;padding:0">
        <table
          role="presentation"
          align="center"
          width="${WIDTH_PIXELS}"
          cellpadding="0"
          cellspacing="0"
          border="0"
          style="${PAGE_STYLE}"
        >
          <tr>
            <td style="${CELL_STYLE}">
              ${paragraphs.map((text) => html`<p style="margin:0 0 16px">${withLineBreaks(text)}</p>`)}
              ${
                // Safe: `mailContent` generates this HTML.
                content === undefined ? [] : [{ markup: content.html }]
              }
              ${button === undefined ? [] : [buttonHtml(button, content !== undefined)]}
              ${closing.map((text) => html`<p style="${SMALL_PRINT_STYLE}">${text}</p>`)}
              ${links.map(({ label, address }) => html`<p style="${SMALL_PRINT_STYLE}"><a href="${address}">${label}</a></p>`)}
            </td>
          </tr>
        </table>
      </body>
    </html> `.markup
}

function withLineBreaks(text: string): readonly Html[] {
  return text.split('\n').map((line, index) => (index === 0 ? html`${line}` : html`<br />${line}`))
}

/** Shows the URL below the button, because some email programs show no links. */
function buttonHtml({ label, address }: MailLink, isBelowMessages: boolean): Html {
  const button = html`<table role="presentation" cellpadding="0" cellspacing="0" border="0" style="margin:24px 0">
    <tr>
      <td bgcolor="#2f5bd7" style="${BUTTON_CELL_STYLE}"><a href="${address}" style="${BUTTON_STYLE}">${label}</a></td>
    </tr>
  </table>`
  if (isBelowMessages) return button
  return html`${button}
    <p style="margin:0 0 24px;font-size:13px;opacity:.75;word-break:break-all">${address}</p>`
}
