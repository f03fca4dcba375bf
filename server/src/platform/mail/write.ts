import { html, type Html } from '../pages/html.ts'

/** What an e-mail says. */
export interface MailText {
  /** The code of its language. */
  readonly language: string
  readonly subject: string
  readonly paragraphs: readonly string[]
  /** What its reader is to press. */
  readonly button: { readonly label: string; readonly address: string } | undefined
  /** In small letters at the end. */
  readonly closing: readonly string[]
}

/** An e-mail in its two forms. */
export interface WrittenMail {
  readonly subject: string
  readonly text: string
  readonly html: string
}

/** Writes an e-mail: as plain text, and as HTML that needs nothing from elsewhere and shows the same. */
export function writeMail(mail: MailText): WrittenMail {
  return { subject: mail.subject, text: plain(mail), html: markup(mail) }
}

function plain({ paragraphs, button, closing }: MailText): string {
  const link = button === undefined ? [] : [`${button.label}:\n${button.address}`]
  const small = closing.length === 0 ? [] : [`-- \n${closing.join('\n')}`]
  return `${[...paragraphs, ...link, ...small].join('\n\n')}\n`
}

const BODY = 'margin:0;padding:24px 16px;font:16px/1.5 system-ui,-apple-system,"Segoe UI",Roboto,sans-serif'
const BUTTON =
  'display:inline-block;padding:10px 20px;border-radius:6px;background:#2f5bd7;color:#ffffff;text-decoration:none;font-weight:600'

function markup({ language, subject, paragraphs, button, closing }: MailText): string {
  return html`<!doctype html>
    <html lang="${language}">
      <head>
        <meta charset="utf-8" />
        <meta name="viewport" content="width=device-width, initial-scale=1" />
        <meta name="color-scheme" content="light dark" />
        <title>${subject}</title>
      </head>
      <body style="${BODY}">
        <div style="max-width:36em;margin:0 auto">
          ${paragraphs.map((text) => html`<p style="margin:0 0 16px">${text}</p>`)}
          ${button === undefined ? [] : [pressable(button)]}
          ${closing.map((text) => html`<p style="margin:0 0 8px;font-size:13px;opacity:.75">${text}</p>`)}
        </div>
      </body>
    </html> `.markup
}

/** The address stands below, too: some programs for e-mail show no links, and people like to see where one goes. */
function pressable({ label, address }: { label: string; address: string }): Html {
  return html`<p style="margin:24px 0"><a href="${address}" style="${BUTTON}">${label}</a></p>
    <p style="margin:0 0 24px;font-size:13px;opacity:.75;word-break:break-all">${address}</p>`
}
