import { useEffect, useState } from 'preact/hooks'
import { parseInert } from '../../platform/dom/html.ts'
import { withPart } from '../../platform/dom/lazy.tsx'
import { isAddress, linkText } from './formatting.ts'
import type { Composition } from './composition.ts'

const FORMATTED =
  'a[href], b, strong, i, em, s, del, strike, code, pre, ul, ol, blockquote, table, h1, h2, h3, h4, h5, h6'

/** Uploads files, links a selection to a pasted URL, and converts formatted text to Markdown unless `isPlain`. */
export function paste(event: ClipboardEvent, writing: Composition, isPlain: boolean): void {
  const { clipboardData: data } = event
  if (data === null) return
  const text = data.getData('text/plain')
  // Office programs add a picture of the text.
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
    writing.replace(from, to, linkText(selected, text.trim()))
    return
  }
  const html = data.getData('text/html')
  // Text copied from a code editor has colors, but no formatting.
  if (html === '' || data.types.includes('vscode-editor-data')) return
  const content = parseInert(html)
  if (content.querySelector(FORMATTED) === null) return
  event.preventDefault()
  void withPart(
    import('./markdown.ts'),
    ({ markdownOf }) => writing.replace(from, to, markdownOf(content)),
    () => writing.replace(from, to, text),
  )
}

function hasFiles({ dataTransfer }: DragEvent): boolean {
  return dataTransfer?.types.includes('Files') === true
}

export function useDroppedFiles(writing: Composition): boolean {
  const [isOver, setOver] = useState(false)
  useEffect(() => {
    const aborter = new AbortController()
    const { signal } = aborter
    const over = (event: DragEvent): void => {
      if (!hasFiles(event) || event.dataTransfer === null) return
      event.preventDefault()
      event.dataTransfer.dropEffect = 'copy'
      setOver(true)
    }
    const leave = ({ relatedTarget }: DragEvent): void => {
      // With a related target, the pointer only moved between two elements.
      if (relatedTarget === null) setOver(false)
    }
    const drop = (event: DragEvent): void => {
      setOver(false)
      if (!hasFiles(event)) return
      event.preventDefault()
      writing.uploads.start([...(event.dataTransfer?.files ?? [])])
    }
    window.addEventListener('dragover', over, { signal })
    window.addEventListener('dragleave', leave, { signal })
    window.addEventListener('drop', drop, { signal })
    return () => aborter.abort()
  }, [writing])
  return isOver
}
