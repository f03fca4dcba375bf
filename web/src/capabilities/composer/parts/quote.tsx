import { useEffect } from 'preact/hooks'
import { tl } from '../../../kernel/later-texts.ts'
import { t } from '../../../kernel/strings.ts'
import { snippetOf } from '../../../platform/dom/html.ts'
import { Icon } from '../../../platform/dom/icons.tsx'
import { Link } from '../../../platform/dom/link.tsx'
import { announce } from '../../../platform/overlay/announce.tsx'
import { routeOfLink } from '../../messages/parts/shown.tsx'
import { useRendered } from '../../messages/rendering.ts'
import type { ComposedText } from '../composed-text.ts'
import './quote.css'

const PARTS = /^@_\*\*(.+?)(?:\|\d+)?\*\* \[[^\]\n]*\]\((\S+)\):\n`+quote\n([^]*)\n`+\n$/

/** Quote above the field: its author and first line, a link to its message, and a button that removes it. */
export function Quote({ writing }: { readonly writing: ComposedText }) {
  const [, author = '', link = '', source = ''] = PARTS.exec(writing.quote.value) ?? []
  const label = tl().quoting.replyTo(author)
  const html = useRendered(source)
  const text = (html === undefined ? source : snippetOf(html)) || t().messages.noText
  useEffect(() => announce(label), [writing.quote.value])
  const route = URL.canParse(link) ? routeOfLink(new URL(link)) : undefined
  const line = (
    <>
      <bdi class="quote-author">{author}</bdi> <bdi>{text}</bdi>
    </>
  )
  return (
    <div class="composer-quote" role="group" aria-label={label}>
      <Icon name="reply" size={16} />
      {route === undefined ? (
        <span class="quote-line">{line}</span>
      ) : (
        <Link class="quote-line" to={route} title={tl().quoting.open}>
          {line}
        </Link>
      )}
      <button
        class="icon-button"
        type="button"
        aria-label={tl().quoting.remove}
        title={tl().quoting.remove}
        onClick={() => {
          writing.setQuote('')
          writing.field?.focus()
        }}
      >
        <Icon name="close" size={16} />
      </button>
    </div>
  )
}
