import type { RefObject } from 'preact'
import { useEffect, useState } from 'preact/hooks'
import { withPart } from '../../platform/dom/lazy.tsx'
import { isAddress } from './formats.ts'
import type { ComposedText } from './composed-text.ts'

/** Uploads files, links a selection to a pasted URL, and converts formatted text to Markdown unless `isPlain`. */
export function handlePaste(event: ClipboardEvent, writing: ComposedText, isPlain: boolean): void {
  const { clipboardData: data } = event
  if (data === null) return
  const text = data.getData('text/plain')
  // Uploads files only if there is no text: office programs copy a picture of the text along with it.
  if (data.files.length > 0 && text === '') {
    event.preventDefault()
    writing.upload([...data.files])
    return
  }
  if (isPlain) return
  const [from, to] = writing.selection
  const { value: before } = writing.text
  const selected = before.slice(from, to)
  const isLink = selected.trim() !== '' && isAddress(text.trim()) && !isAddress(selected)
  const html = isLink ? '' : data.getData('text/html')
  // Ignores HTML from code editors, which contains colors, but no formatting.
  if (!isLink && (html === '' || data.types.includes('vscode-editor-data'))) return
  event.preventDefault()
  const pasted = { before, from, to, text, html }
  writing.insertion = withPart(
    import('./markdown.ts'),
    ({ insertPasted }) => insertPasted(writing, pasted),
    () => writing.replace(from, to, text),
  ).finally(() => {
    writing.insertion = undefined
  })
}

/** Keeps the browser from opening dragged files in place of the client. @returns whether files are dragged */
function acceptDraggedFiles(event: DragEvent, dropEffect: 'copy' | 'none'): boolean {
  const { dataTransfer } = event
  if (dataTransfer?.types.includes('Files') !== true) return false
  event.preventDefault()
  dataTransfer.dropEffect = dropEffect
  return true
}

export function refuseDroppedFiles(): void {
  const refuse = (event: DragEvent): void => void acceptDraggedFiles(event, 'none')
  window.addEventListener('dragover', refuse)
  window.addEventListener('drop', refuse)
}

/** @param area accepts the files; if undefined, the whole page does, except areas of other texts */
export function useDroppedFiles(writing: ComposedText, area?: RefObject<Element | null>): boolean {
  const [isOver, setOver] = useState(false)
  useEffect(() => {
    const aborter = new AbortController()
    const { signal } = aborter
    const isHere = ({ target }: DragEvent): boolean =>
      (target instanceof Element ? target.closest('[data-drop-area]') : null) === (area?.current ?? null)
    const over = (event: DragEvent): void => setOver(isHere(event) && acceptDraggedFiles(event, 'copy'))
    const leave = ({ relatedTarget }: DragEvent): void => {
      // If there is a related target, the pointer only moved between two elements.
      if (relatedTarget === null) setOver(false)
    }
    const drop = (event: DragEvent): void => {
      setOver(false)
      if (isHere(event) && acceptDraggedFiles(event, 'copy')) writing.upload([...(event.dataTransfer?.files ?? [])])
    }
    window.addEventListener('dragover', over, { signal })
    window.addEventListener('dragleave', leave, { signal })
    window.addEventListener('drop', drop, { signal })
    return () => aborter.abort()
  }, [writing])
  return isOver
}
