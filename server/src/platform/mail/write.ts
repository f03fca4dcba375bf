import { html, type Html } from '../pages/html.ts'
import type { MailContent } from './message-content.ts'

/** What an e-mail says. */
export interface MailText {
  /** The code of its language. */
  readonly language: string
  readonly subject: string
  readonly paragraphs: readonly string[]
  /** What stands below the paragraphs. */
  readonly content: MailContent | undefined
  /** What its reader is to press. */
  readonly button: MailLink | undefined
  /** In small letters at the end. */
  readonly closing: readonly string[]
  /** What else its reader may press, at the very end. */
  readonly links: readonly MailLink[]
}

interface MailLink {
  readonly label: string
  readonly address: string
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

function plain({ paragraphs, content, button, closing, links }: MailText): string {
  const middle = content === undefined ? [] : [content.text]
  const link = button === undefined ? [] : [`${button.label}:\n${button.address}`]
  const last = [...closing, ...links.map(({ label, address }) => `${label}: ${address}`)]
  const small = last.length === 0 ? [] : [`-- \n${last.join('\n')}`]
  return `${[...paragraphs, ...middle, ...link, ...small].join('\n\n')}\n`
}

const BODY = 'margin:0;padding:24px 16px;font:16px/1.5 system-ui,-apple-system,"Segoe UI",Roboto,sans-serif'
const SMALL = 'margin:0 0 8px;font-size:13px;opacity:.75'
const BUTTON =
  'display:inline-block;padding:10px 20px;border-radius:6px;background:#2f5bd7;color:#ffffff;text-decoration:none;font-weight:600'

function markup({ language, subject, paragraphs, content, button, closing, links }: MailText): string {
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
          ${
            // Made of messages by `mailContent`, and of nothing else.
            content === undefined ? [] : [{ markup: content.html }]
          }
          ${button === undefined ? [] : [pressable(button, content !== undefined)]}
          ${closing.map((text) => html`<p style="${SMALL}">${text}</p>`)}
          ${links.map(({ label, address }) => html`<p style="${SMALL}"><a href="${address}">${label}</a></p>`)}
        </div>
      </body>
    </html> `.markup
}

/**
 * The address stands below, too: some programs for e-mail show no links, and people like to see where one goes. Below
 * messages it would be one thing too many, and what it leads to is no secret.
 */
function pressable({ label, address }: MailLink, isBelowMessages: boolean): Html {
  const button = html`<p style="margin:24px 0"><a href="${address}" style="${BUTTON}">${label}</a></p>`
  if (isBelowMessages) return button
  return html`${button}
    <p style="margin:0 0 24px;font-size:13px;opacity:.75;word-break:break-all">${address}</p>`
}
