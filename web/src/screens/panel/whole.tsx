import { t } from '../../kernel/strings.ts'
import type { PartlyRead } from '../../capabilities/places/reading.ts'

interface WholeProps {
  readonly reading: PartlyRead
  /** Reads on; nothing is said of it where it is left out. */
  readonly more?: string
  readonly onMore?: () => void
}

/** What stands below a part of the panel that is read from the server: that it is on its way or failed, and what is older. */
export function Whole({ reading, more, onMore }: WholeProps) {
  const { answer, isLoading, hasFailed } = reading
  if (hasFailed.value) {
    return (
      <div class="panel-failed" role="alert">
        <span>{t().app.failed}</span>
        <button class="button" onClick={reading.more}>
          {t().app.retry}
        </button>
      </div>
    )
  }
  if (answer.value === undefined) return <p class="note">{t().app.loading}</p>
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

/** How many there are: at least so many, where not all of them were looked at. */
export function numberOf(reading: PartlyRead, found: number): string | undefined {
  const answer = reading.answer.value
  if (answer === undefined || found === 0) return undefined
  return answer.isWhole ? t().panel.number(found) : t().panel.atLeast(found)
}
