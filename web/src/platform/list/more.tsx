import { useEffect, useRef } from 'preact/hooks'

interface LoadMoreButtonProps {
  readonly label: string
  /** Changes with each page, so that the next page also loads if the button is still near the visible part. */
  readonly page: number
  readonly isLoading: boolean
  /** Whether scrolling near the button also loads more. */
  readonly isAutomatic?: boolean
  readonly more: () => void
}

export function LoadMoreButton({ label, page, isLoading, isAutomatic = true, more }: LoadMoreButtonProps) {
  const button = useRef<HTMLButtonElement>(null)
  useEffect(() => {
    if (button.current === null || !isAutomatic) return undefined
    const observer = new IntersectionObserver((seen) => seen.some(({ isIntersecting }) => isIntersecting) && more(), {
      rootMargin: '400px',
    })
    observer.observe(button.current)
    return () => observer.disconnect()
  }, [page, isAutomatic])
  return (
    // Not `disabled`, because a disabled button would lose the focus.
    <button ref={button} class="button" aria-disabled={isLoading} onClick={() => isLoading || more()}>
      {label}
    </button>
  )
}
