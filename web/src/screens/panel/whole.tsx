import { t } from '../../kernel/strings.ts'
import type { PartlyRead } from '../../capabilities/places/reading.ts'
import { Failed, Waiting } from '../../platform/list/states.tsx'

interface WholeProps {
  readonly reading: PartlyRead
  /** Reads on; nothing is said of it where it is left out. */
  readonly more?: string
  readonly onMore?: () => void
}

/** What stands below a part of the panel that is read from the server: that it is on its way or failed, and what is older. */
export function Whole({ reading, more, onMore }: WholeProps) {
  const { answer, isLoading, hasFailed } = reading
  if (hasFailed.value) return <Failed again={reading.more} />
  if (answer.value === undefined) return <Waiting rows={2} />
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
