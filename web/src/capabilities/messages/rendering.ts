import { useEffect, useState } from 'preact/hooks'
import { withPart } from '../../platform/part.ts'
import type { Rendering } from '../../platform/rendering.ts'

/** Loads the renderer, which is needed when the person begins to write, and not for reading. */
async function loadRenderer(): Promise<Rendering> {
  return (await import('./renderer.ts')).renderer
}

/** Texts of late with their HTML: what was seen as a preview is there at once when it is sent. */
const recent = new Map<string, string>()
const MOST_RECENT = 20

function remember(text: string, html: string): void {
  recent.delete(text)
  recent.set(text, html)
  const [oldest] = recent.keys()
  if (recent.size > MOST_RECENT && oldest !== undefined) recent.delete(oldest)
}

/** Loads the renderer and starts its worker, when the person begins to write. */
export function expectRendering(): void {
  void withPart(
    loadRenderer(),
    (renderer) => renderer.warm(),
    () => undefined,
  )
}

/** The HTML of a text; undefined where it cannot be rendered, or is wanted no longer. */
async function render(text: string, isWanted: () => boolean): Promise<string | undefined> {
  try {
    const html = await (await loadRenderer()).render(text.trimEnd(), isWanted)
    if (html !== undefined) remember(text, html)
    return html
  } catch {
    // Its script is not there, without a connection.
    return undefined
  }
}

/**
 * A text as others will see it, rendered in this browser. While the text changes, what was rendered last stays; undefined where nothing
 * is known yet, or the text cannot be rendered here.
 */
export function useRendered(text: string): string | undefined {
  const [html, setHtml] = useState(recent.get(text))
  useEffect(() => {
    let isWanted = true
    void render(text, () => isWanted).then((found) => {
      if (isWanted) setHtml(found)
    })
    return () => {
      isWanted = false
    }
  }, [text])
  return html
}
