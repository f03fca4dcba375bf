import { inert } from '../../platform/dom/html.ts'
import { withPart } from '../../platform/part.ts'
import { isAddress, linked } from './formatting.ts'
import type { Writing } from './writing.ts'

/** Elements that say more than the text in them. */
const FORMATTED =
  'a[href], b, strong, i, em, s, del, strike, code, pre, ul, ol, blockquote, table, h1, h2, h3, h4, h5, h6'

/**
 * Puts what is pasted into the text: files are uploaded, an address over a selection becomes a link, and formatted text
 * becomes Markdown, or plain text where what makes Markdown cannot be loaded. Everything else the browser pastes itself.
 * @param isPlain the text is wanted without its formatting
 */
export function paste(event: ClipboardEvent, writing: Writing, isPlain: boolean): void {
  const { clipboardData: data } = event
  if (data === null) return
  const text = data.getData('text/plain')
  // Office programs also put a picture of the text there.
  if (data.files.length > 0 && text === '') {
    event.preventDefault()
    writing.uploads.start([...data.files])
    return
  }
  if (isPlain) return
  const [from, to] = writing.selection
  const selected = writing.text.value.slice(from, to)
  if (selected.trim() !== '' && isAddress(text.trim()) && !isAddress(selected)) {
    event.preventDefault()
    writing.replace(from, to, linked(selected, text.trim()))
    return
  }
  const html = data.getData('text/html')
  // What an editor of code copies is coloured, and still text.
  if (html === '' || data.types.includes('vscode-editor-data')) return
  const content = inert(html)
  if (content.querySelector(FORMATTED) === null) return
  event.preventDefault()
  void withPart(
    import('./markdown.ts'),
    ({ markdownOf }) => writing.replace(from, to, markdownOf(content)),
    () => writing.replace(from, to, text),
  )
}
