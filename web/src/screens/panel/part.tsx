import type { ComponentChildren } from 'preact'
import { useEffect, useRef } from 'preact/hooks'
import type { PartialReading } from '../../capabilities/places/live-answer.ts'
import { tl } from '../../kernel/later-texts.ts'
import { LoadFailure, LoadingRows } from '../../platform/list/states.tsx'
import { requestedPart, type PanelPartRequest } from '../../platform/panel-parts.ts'

/** Clears the requested part when another conversation is shown, so that its parts do not take the focus. */
export function useClearRequestedPart(place: string | number): void {
  useEffect(
    () => () => {
      requestedPart.value = undefined
    },
    [place],
  )
}

interface PartProps {
  /** ID with which a header opens the panel at this part. */
  readonly id?: PanelPartRequest['id'] | undefined
  readonly title: string
  readonly number?: string | undefined
  readonly tools?: ComponentChildren
  readonly children: ComponentChildren
}

export function Part({ id, title, number, tools, children }: PartProps) {
  const element = useRef<HTMLElement>(null)
  const request = id === requestedPart.value?.id ? requestedPart.value : undefined
  useEffect(() => {
    if (request === undefined) return
    element.current?.scrollIntoView()
    element.current?.focus({ preventScroll: true })
  }, [request])
  return (
    <section ref={element} class="panel-part" aria-label={title} tabIndex={-1}>
      <div class="panel-part-head">
        <h3>{title}</h3>
        {number !== undefined && <span class="note">{number}</span>}
        {tools}
      </div>
      {children}
    </section>
  )
}

interface ListFooterProps {
  readonly reading: PartialReading
  readonly more?: string
  readonly onMore?: () => void
}

export function ListFooter({ reading, more, onMore }: ListFooterProps) {
  const { answer, isLoading, hasFailed } = reading
  if (hasFailed.value) return <LoadFailure again={reading.more} />
  if (answer.value === undefined) return <LoadingRows rows={2} />
  if (answer.value.isWhole || more === undefined) return null
  return (
    <button
      class="button"
      aria-disabled={isLoading.value}
      onClick={() => {
        onMore?.()
        reading.more()
      }}
    >
      {more}
    </button>
  )
}

/** Returns how many items were found: a minimum, such as `at least 10`, unless all messages were searched. */
export function resultCountText(reading: PartialReading, found: number): string | undefined {
  const answer = reading.answer.value
  if (answer === undefined || found === 0) return undefined
  return answer.isWhole ? tl().panel.number(found) : tl().panel.atLeast(found)
}
