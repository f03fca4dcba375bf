import type { ComponentChildren } from 'preact'
import type { Route } from '../../kernel/route.ts'
import { go, hrefOf, isPlainClick } from '../router.ts'

interface LinkProps {
  readonly to: Route
  readonly class?: string
  readonly title?: string | undefined
  readonly label?: string | undefined
  readonly current?: boolean
  readonly isItem?: boolean
  readonly onMenu?: ((from: HTMLElement) => void) | undefined
  readonly row?: string
  readonly tabIndex?: number
  readonly onFollow?: () => void
  readonly children: ComponentChildren
}

/** Link with a real URL, so that browsers can open it in another tab or window. */
export function Link({
  to,
  class: className,
  title,
  label,
  current,
  isItem,
  onMenu,
  row,
  tabIndex,
  onFollow,
  children,
}: LinkProps) {
  return (
    <a
      href={hrefOf(to)}
      class={className}
      title={title}
      aria-label={label}
      data-item={isItem}
      data-row={row}
      tabIndex={tabIndex}
      aria-current={current === true ? 'page' : undefined}
      onClick={(event) => {
        if (!isPlainClick(event)) return
        event.preventDefault()
        onFollow?.()
        go(to)
      }}
      onContextMenu={
        onMenu === undefined
          ? undefined
          : (event) => {
              event.preventDefault()
              onMenu(event.currentTarget)
            }
      }
    >
      {children}
    </a>
  )
}
