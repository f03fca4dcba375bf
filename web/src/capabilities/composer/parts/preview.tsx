import { call } from '@parley/client'
import { messages } from '@parley/server/contract'
import { useEffect, useLayoutEffect, useRef, useState } from 'preact/hooks'
import { t } from '../../../kernel/strings.ts'
import { rendered } from '../../../platform/dom/html.ts'
import { reasonOf } from '../../../platform/requests.ts'
import { SESSION } from '../../../platform/sync/sync.ts'
import { onContentClick, prepareContent } from '../../messages/parts/content.ts'

/** The text is rendered when no key was pressed for so long. */
const PAUSE_MILLISECONDS = 250

/** A message as the server would show it, while it is written. What was shown last stays until the next is there. */
export function Preview({ text }: { readonly text: string }) {
  const [shown, setShown] = useState<{ readonly html: string } | { readonly failure: string }>()
  const element = useRef<HTMLDivElement>(null)
  useEffect(() => {
    if (text.trim() === '') {
      setShown(undefined)
      return undefined
    }
    const aborter = new AbortController()
    const render = (): void => {
      call(SESSION, messages.renderContent, { content: text }, { signal: aborter.signal }).then(
        ({ rendered: html }) => setShown({ html }),
        (error: unknown) => {
          if (!aborter.signal.aborted) setShown({ failure: reasonOf(error) })
        },
      )
    }
    const timer = setTimeout(render, shown === undefined ? 0 : PAUSE_MILLISECONDS)
    return () => {
      clearTimeout(timer)
      aborter.abort()
    }
  }, [text])
  useLayoutEffect(() => {
    if (element.current !== null) prepareContent(element.current)
  }, [shown])
  return (
    <div class="composer-shown" role="region" aria-label={t().composer.preview}>
      {shown === undefined && <p class="note">{text.trim() === '' ? t().composer.previewEmpty : t().app.loading}</p>}
      {shown !== undefined && 'failure' in shown && <p class="note">{shown.failure}</p>}
      {shown !== undefined && 'html' in shown && (
        <div
          ref={element}
          class="content"
          dir="auto"
          dangerouslySetInnerHTML={rendered(shown.html)}
          onClick={onContentClick}
        />
      )}
    </div>
  )
}
