import { useLayoutEffect, useRef } from 'preact/hooks'
import { rendered } from '../../../platform/dom/html.ts'
import { memo } from '../../../platform/dom/memo.tsx'
import { useRendered } from '../rendering.ts'
import { onContentClick, onContentKey, prepareContent } from './content.ts'

/** What a message says, as HTML of the renderer. */
export const Content = memo(function Content({ html }: { readonly html: string }) {
  const element = useRef<HTMLDivElement>(null)
  useLayoutEffect(() => {
    if (element.current !== null) prepareContent(element.current)
  }, [html])
  return (
    <div
      ref={element}
      class="content"
      dir="auto"
      dangerouslySetInnerHTML={rendered(html)}
      onClick={onContentClick}
      onKeyDown={onContentKey}
    />
  )
})

/** A text that is not sent yet, as others will see it; as it is written where it cannot be rendered, or not yet. */
export function Written({ text }: { readonly text: string }) {
  const html = useRendered(text)
  if (html !== undefined) return <Content html={html} />
  return (
    <div class="content as-written" dir="auto">
      {text}
    </div>
  )
}
