import { useEffect, useState } from 'preact/hooks'
import type { Composition } from './composition.ts'

function hasFiles({ dataTransfer }: DragEvent): boolean {
  return dataTransfer?.types.includes('Files') === true
}

/** Accepts files dropped anywhere in the window. Returns whether files are being dragged over it. */
export function useDroppedFiles(writing: Composition): boolean {
  const [isOver, setOver] = useState(false)
  useEffect(() => {
    const aborter = new AbortController()
    const { signal } = aborter
    const over = (event: DragEvent): void => {
      if (!hasFiles(event)) return
      event.preventDefault()
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
