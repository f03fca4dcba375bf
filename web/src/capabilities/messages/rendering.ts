import { useEffect, useState } from 'preact/hooks'
import { withPart } from '../../platform/dom/lazy.tsx'
import type { Renderer } from '../../platform/rendering.ts'

async function loadRenderer(): Promise<Renderer> {
  return (await import('./renderer.ts')).renderer
}

/** Rendered HTML by text. Lets a previewed message appear immediately when sent. */
const recentHtml = new Map<string, string>()
const MAX_RECENT_TEXTS = 20

function cacheHtml(text: string, html: string): void {
  recentHtml.delete(text)
  recentHtml.set(text, html)
  const [oldest] = recentHtml.keys()
  if (recentHtml.size > MAX_RECENT_TEXTS && oldest !== undefined) recentHtml.delete(oldest)
}

export function warmUpRenderer(): void {
  void withPart(
    loadRenderer(),
    (renderer) => renderer.warm(),
    () => undefined,
  )
}

async function renderText(text: string, isWanted: () => boolean): Promise<string | undefined> {
  try {
    const html = await (await loadRenderer()).render(text.trimEnd(), isWanted)
    if (html !== undefined) cacheHtml(text, html)
    return html
  } catch {
    // Offline, the script cannot be loaded.
    return undefined
  }
}

/** Keeps the last result until the changed text is rendered. */
export function useRendered(text: string): string | undefined {
  const [html, setHtml] = useState(recentHtml.get(text))
  useEffect(() => {
    let isWanted = true
    void renderText(text, () => isWanted).then((found) => {
      if (isWanted) setHtml(found)
    })
    return () => {
      isWanted = false
    }
  }, [text])
  return html
}
