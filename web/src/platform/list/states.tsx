import type { ComponentChildren } from 'preact'
import { useEffect, useRef } from 'preact/hooks'
import type { IconName } from '../../kernel/icons.ts'
import { t } from '../../kernel/strings.ts'
import { sync } from '../client.ts'
import { Icon } from '../dom/icons.tsx'
import './states.css'

export function LoadingRows({ rows = 8 }: { readonly rows?: number }) {
  return (
    <>
      <p class="visually-hidden">{t().app.loading}</p>
      {Array.from({ length: rows }, (_, index) => (
        <div key={index} class="waiting" aria-hidden="true" />
      ))}
    </>
  )
}

export function LoadFailure({ again }: { readonly again: () => void }) {
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

interface EmptyStateProps {
  readonly icon?: IconName
  readonly title: string
  readonly more?: string | undefined
  readonly children?: ComponentChildren
}

export function EmptyState({ icon, title, more, children }: EmptyStateProps) {
  return (
    <div class="empty">
      {icon !== undefined && <Icon name={icon} size={40} />}
      <strong>{title}</strong>
      {more !== undefined && <span>{more}</span>}
      {children}
    </div>
  )
}
