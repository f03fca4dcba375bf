import { useEffect, useState } from 'preact/hooks'
import { ta } from '../../../kernel/administration.ts'
import { copyText } from '../../../platform/dom/clipboard.ts'
import { toast } from '../../../platform/overlay/toasts.tsx'
import { collectMeasurements, type Measurements } from '../collecting.ts'
import './numbers.css'

const REFRESH_MILLISECONDS = 1_000
const MEGABYTE_BYTES = 1_000_000

/** Goals for every user's browser, in milliseconds and bytes. */
const GOALS = { start: 1_500, interaction: 100, delivery: 200, answer: 100, memory: 60 * MEGABYTE_BYTES } as const

interface MeasurementLine {
  readonly name: string
  readonly of?: string
  readonly value: string
  readonly goal: string
  readonly isMissed: boolean
}

export function MeasurementTable() {
  const [now, setNow] = useState(collectMeasurements)
  useEffect(() => {
    const timer = setInterval(() => setNow(collectMeasurements()), REFRESH_MILLISECONDS)
    return () => clearInterval(timer)
  }, [])
  const lines = measurementLines(now)
  return (
    <>
      <p class="note">{ta().measurements.note}</p>
      <table class="numbers">
        <thead>
          <tr>
            <th scope="col">{ta().measurements.what}</th>
            <th scope="col">{ta().measurements.value}</th>
            <th scope="col">{ta().measurements.goal}</th>
          </tr>
        </thead>
        <tbody>
          {lines.map(({ name, of, value, goal, isMissed }) => (
            <tr key={name}>
              <th scope="row">
                {name}
                {of !== undefined && <span class="numbers-of">{of}</span>}
              </th>
              <td class={isMissed ? 'is-missed' : ''}>
                {value}
                {isMissed && <span class="numbers-missed">{ta().measurements.aboveGoal}</span>}
              </td>
              <td>{goal}</td>
            </tr>
          ))}
        </tbody>
      </table>
      <button class="button" onClick={() => void copyAll(lines)}>
        {ta().measurements.copy}
      </button>
    </>
  )
}

async function copyAll(lines: readonly MeasurementLine[]): Promise<void> {
  if (await copyText(linesAsText(lines))) toast(ta().measurements.copied)
}

function measurementLines(now: Measurements): readonly MeasurementLine[] {
  const { measurements: texts } = ta()
  const timed = (name: string, value: number | undefined, most: number, of?: string): MeasurementLine => ({
    name,
    ...(of === undefined ? {} : { of }),
    value: value === undefined ? texts.unknown : texts.milliseconds(value),
    goal: texts.atMost(texts.milliseconds(most)),
    isMissed: value !== undefined && value > most,
  })
  return [
    timed(texts.start, now.largestPaintMilliseconds, GOALS.start),
    timed(texts.interaction, now.slowInteractionMilliseconds, GOALS.interaction, texts.nearlyAll(now.interactionCount)),
    timed(texts.delivery, now.deliveryMilliseconds, GOALS.delivery, texts.middle(now.deliveryCount)),
    timed(texts.answer, now.answerMilliseconds, GOALS.answer, texts.middle(now.answerCount)),
    {
      name: texts.longTasks,
      value: now.longTasks === undefined ? texts.unknown : texts.times(now.longTasks, now.longestTaskMilliseconds),
      goal: '',
      isMissed: false,
    },
    {
      name: texts.memory,
      of: texts.holding(now.people, now.messages),
      value: now.heapBytes === undefined ? texts.unknown : texts.megabytes(now.heapBytes / MEGABYTE_BYTES),
      goal: texts.atMost(texts.megabytes(GOALS.memory / MEGABYTE_BYTES)),
      isMissed: now.heapBytes !== undefined && now.heapBytes > GOALS.memory,
    },
  ]
}

function linesAsText(lines: readonly MeasurementLine[]): string {
  const rows = lines.map(({ name, of, value, goal }) => {
    const more = [goal, of].filter((part) => part !== undefined && part !== '').join('; ')
    return `- ${name}: ${value}${more === '' ? '' : ` (${more})`}`
  })
  return [...rows, `- ${navigator.userAgent}`].join('\n')
}
