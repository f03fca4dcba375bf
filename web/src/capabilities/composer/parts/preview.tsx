import { call } from '@parley/client'
import { messages } from '@parley/server/contract'
import { useEffect, useState } from 'preact/hooks'
import { t } from '../../../kernel/strings.ts'
import { rendered } from '../../../platform/dom/html.ts'
import { reasonOf } from '../../../platform/requests.ts'
import { SESSION } from '../../../platform/sync/sync.ts'

/** A message as the server would show it. */
export function Preview({ text }: { readonly text: string }) {
  const [html, setHtml] = useState<string>()
  const [failure, setFailure] = useState<string>()
  useEffect(() => {
    const aborter = new AbortController()
    if (text.trim() === '') setHtml('')
    else {
      call(SESSION, messages.renderContent, { content: text }, { signal: aborter.signal }).then(
        (answer) => setHtml(answer.rendered),
        (error: unknown) => {
          if (!aborter.signal.aborted) setFailure(reasonOf(error))
        },
      )
    }
    return () => aborter.abort()
  }, [text])
  if (failure !== undefined) return <p class="composer-shown">{failure}</p>
  if (html === undefined) return <p class="composer-shown">{t().app.loading}</p>
  return (
    <div
      class="composer-shown content"
      role="region"
      aria-label={t().composer.preview}
      dir="auto"
      dangerouslySetInnerHTML={rendered(html)}
    />
  )
}
