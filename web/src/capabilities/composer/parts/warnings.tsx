import { useEffect, useRef } from 'preact/hooks'
import type { Conversation } from '../../../kernel/route.ts'
import { t } from '../../../kernel/strings.ts'
import { announce } from '../../../platform/overlay/announce.tsx'
import { warningsFor } from '../warnings.ts'
import './warnings.css'

/** What to know before sending, above what sends. Screen readers hear what is new. */
export function Warnings({ place, text }: { readonly place: Conversation; readonly text: string }) {
  const warnings = warningsFor(place, text)
  const known = useRef<ReadonlySet<string>>(new Set())
  useEffect(() => {
    const fresh = warnings.filter(({ key }) => !known.current.has(key))
    known.current = new Set(warnings.map(({ key }) => key))
    if (fresh.length > 0) announce(fresh.map(({ text: words }) => words).join(' '))
  })
  if (warnings.length === 0) return null
  return (
    <ul class="warnings" aria-label={t().warnings.label}>
      {warnings.map(({ key, text: words, action }) => (
        <li key={key} class="warning">
          <span>{words}</span>
          {action !== undefined && (
            <button class="button" type="button" onClick={action.run}>
              {action.title}
            </button>
          )}
        </li>
      ))}
    </ul>
  )
}
