import { useEffect, useRef } from 'preact/hooks'
import { conversationAt } from '../../../kernel/destination.ts'
import { tl } from '../../../kernel/later-texts.ts'
import { t } from '../../../kernel/strings.ts'
import { announce } from '../../../platform/overlay/announce.tsx'
import { RenderedText } from '../../messages/parts/shown.tsx'
import { warningsFor } from '../warnings.ts'
import type { AddressedText } from '../composed-text.ts'
import './warnings.css'

/** Screen readers announce only new warnings. */
export function Warnings({ writing }: { readonly writing: AddressedText }) {
  const { value: destination } = writing.destination
  const conversation = conversationAt(
    destination.view === 'topic' ? { ...destination, topic: destination.topic ?? '' } : destination,
  )
  const warnings = conversation === undefined ? [] : warningsFor(conversation, writing.content)
  const known = useRef<ReadonlySet<string>>(new Set())
  useEffect(() => {
    const fresh = warnings.filter(({ key }) => !known.current.has(key))
    known.current = new Set(warnings.map(({ key }) => key))
    if (fresh.length > 0) announce(fresh.map(({ text: words }) => words).join(' '))
  })
  if (warnings.length === 0) return null
  return (
    <ul class="warnings" aria-label={tl().warnings.label}>
      {warnings.map(({ key, text: words, isNote, action }) => (
        <li key={key}>
          {/* The shared announcer reads the warning, so a second live region would repeat it. */}
          <div class={isNote === true ? 'warning is-note' : 'warning'} role="status" aria-live="off">
            <span>{words}</span>
            {action !== undefined && (
              <button
                class="button"
                type="button"
                onClick={() => {
                  // Moves the focus, because the action removes the focused button.
                  writing.field?.focus()
                  action.run(writing)
                }}
              >
                {action.title}
              </button>
            )}
          </div>
        </li>
      ))}
    </ul>
  )
}

export function Preview({ text }: { readonly text: string }) {
  return (
    <div class="composer-shown" role="region" aria-label={t().composer.preview}>
      {text.trim() === '' ? <p class="note">{tl().composer.previewEmpty}</p> : <RenderedText text={text} />}
    </div>
  )
}
