import type { ComponentChildren } from 'preact'
import { useEffect, useRef } from 'preact/hooks'
import type { IconName } from '../../kernel/icons.ts'
import { t } from '../../kernel/strings.ts'
import { sync } from '../client.ts'
import { Icon } from '../dom/icons.tsx'
import './states.css'

/* What stands in place of a list. */

/** Rows without words, in the place of those that come. */
export function Waiting({ rows = 8 }: { readonly rows?: number }) {
  return (
    <>
      <p class="visually-hidden">{t().app.loading}</p>
      {Array.from({ length: rows }, (_, index) => (
        <div key={index} class="waiting" aria-hidden="true" />
      ))}
    </>
  )
}

/** Says that it could not be loaded, and lets it be tried again. When a lost connection is back, that happens by itself. */
export function Failed({ again }: { readonly again: () => void }) {
  const isConnected = sync.isConnected.value
  const wasConnected = useRef(isConnected)
  useEffect(() => {
    if (isConnected && !wasConnected.current) again()
    wasConnected.current = isConnected
  }, [isConnected])
  return (
    <div class="empty" role="alert">
      <strong>{isConnected ? t().app.failed : t().app.failedOffline}</strong>
      <button class="button" onClick={again}>
        {t().app.retry}
      </button>
    </div>
  )
}

interface NothingProps {
  readonly icon?: IconName
  readonly title: string
  /** What one may do, in a sentence. */
  readonly more?: string | undefined
  readonly children?: ComponentChildren
}

/** Says that there is nothing, and what to do about that. */
export function Nothing({ icon, title, more, children }: NothingProps) {
  return (
    <div class="empty">
      {icon !== undefined && <Icon name={icon} size={40} />}
      <strong>{title}</strong>
      {more !== undefined && <span>{more}</span>}
      {children}
    </div>
  )
}
