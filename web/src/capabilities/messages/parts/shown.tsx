import { isMeMessage, withoutMe } from '@parley/server/markdown/me-message'
import type { ComponentChildren } from 'preact'
import { useLayoutEffect, useRef } from 'preact/hooks'
import { trustHtml } from '../../../platform/dom/html.ts'
import { memo } from '../../../platform/dom/memo.tsx'
import { ownId, userName } from '../../users/state.ts'
import { useRendered } from '../rendering.ts'
import { onContentClick, onContentKey, prepareContent } from './content.ts'

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
      dangerouslySetInnerHTML={trustHtml(html)}
      onClick={onContentClick}
      onKeyDown={onContentKey}
    />
  )
})

interface DoingProps {
  readonly author: ComponentChildren
  readonly html: string
  readonly time?: ComponentChildren
}

/** A `/me` message as a sentence with its author. */
export function Doing({ author, html, time }: DoingProps) {
  return (
    <div class="message-doing">
      {author} <Content html={withoutMe(html)} /> {time}
    </div>
  )
}

/** Unsent text, rendered if possible. */
export function Written({ text }: { readonly text: string }) {
  const html = useRendered(text)
  if (html !== undefined && isMeMessage(text, html)) {
    return <Doing author={<strong class="message-author">{userName(ownId())}</strong>} html={html} />
  }
  if (html !== undefined) return <Content html={html} />
  return (
    <div class="content as-written" dir="auto">
      {text}
    </div>
  )
}
