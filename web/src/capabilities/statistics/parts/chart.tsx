import { useId } from 'preact/hooks'
import { ta } from '../../../kernel/administration.ts'
import { languageCode } from '../../../kernel/strings.ts'

export interface Bar {
  readonly key: string
  readonly title: string
  /** One value per stacked part. */
  readonly values: readonly number[]
}

interface ChartProps {
  readonly title: string
  /** Heading of the table column that names the bars. */
  readonly column: string
  /** Names of the stacked parts, at most two. */
  readonly parts: readonly string[]
  readonly bars: readonly Bar[]
}

/** Drawing units; the picture is stretched to its container. */
const CHART_WIDTH = 600
const CHART_HEIGHT = 120
const BAR_WIDTH_SHARE = 0.8

/** Bar chart with a table of the same values, for accessibility. */
export function Chart({ title, column, parts, bars }: ChartProps) {
  const [titleId, textId] = [useId(), useId()]
  const most = Math.max(0, ...bars.map(totalOf))
  const top = roundUpAxisMaximum(most)
  const highest = bars.find((bar) => totalOf(bar) === most)
  return (
    <figure class="chart">
      <figcaption>{title}</figcaption>
      {parts.length > 1 && <Legend parts={parts} />}
      <div class="chart-area">
        <div class="chart-scale" aria-hidden="true">
          <span>{formatNumber(top)}</span>
          <span>{formatNumber(0)}</span>
        </div>
        <svg
          role="img"
          aria-labelledby={`${titleId} ${textId}`}
          viewBox={`0 0 ${CHART_WIDTH} ${CHART_HEIGHT}`}
          preserveAspectRatio="none"
        >
          <title id={titleId}>{title}</title>
          <desc id={textId}>
            {highest === undefined || most === 0
              ? ta().statistics.empty
              : ta().statistics.highest(formatNumber(most), highest.title)}
          </desc>
          {bars.map((bar, index) => (
            <Column
              key={bar.key}
              bar={bar}
              left={(index * CHART_WIDTH) / bars.length}
              width={CHART_WIDTH / bars.length}
              top={top}
            />
          ))}
        </svg>
        <div class="chart-ends" aria-hidden="true">
          <span>{bars[0]?.title}</span>
          <span>{bars.at(-1)?.title}</span>
        </div>
      </div>
      <ChartTable title={title} column={column} parts={parts} bars={bars} />
    </figure>
  )
}

function Legend({ parts }: Pick<ChartProps, 'parts'>) {
  return (
    <div class="chart-legend" aria-hidden="true">
      {parts.map((part, index) => (
        <span key={part}>
          <span class="chart-key" data-part={index} />
          {part}
        </span>
      ))}
    </div>
  )
}

interface ColumnProps {
  readonly bar: Bar
  readonly left: number
  readonly width: number
  readonly top: number
}

function Column({ bar: { title, values }, left, width, top }: ColumnProps) {
  let below = 0
  return (
    <g class="chart-bar">
      <title>{`${title}: ${values.map(formatNumber).join(' + ')}`}</title>
      <rect class="chart-pointed" x={left} y={0} width={width} height={CHART_HEIGHT} />
      {values.map((value, part) => {
        const height = (value / top) * CHART_HEIGHT
        below += height
        return (
          <rect
            key={part}
            data-part={part}
            x={left + (width * (1 - BAR_WIDTH_SHARE)) / 2}
            y={CHART_HEIGHT - below}
            width={width * BAR_WIDTH_SHARE}
            height={height}
          />
        )
      })}
    </g>
  )
}

function ChartTable({ title, column, parts, bars }: ChartProps) {
  return (
    <details>
      <summary>{ta().statistics.asTable}</summary>
      <div class="chart-table" tabIndex={0} role="group" aria-label={title}>
        <table>
          <thead>
            <tr>
              <th scope="col">{column}</th>
              {parts.map((part) => (
                <th key={part} scope="col">
                  {part}
                </th>
              ))}
            </tr>
          </thead>
          <tbody>
            {bars.toReversed().map(({ key, title: name, values }) => (
              <tr key={key}>
                <th scope="row">{name}</th>
                {values.map((value, part) => (
                  <td key={part}>{formatNumber(value)}</td>
                ))}
              </tr>
            ))}
          </tbody>
        </table>
      </div>
    </details>
  )
}

function totalOf({ values }: Bar): number {
  return values.reduce((total, value) => total + value, 0)
}

function roundUpAxisMaximum(most: number): number {
  const power = 10 ** Math.floor(Math.log10(Math.max(1, most)))
  return [1, 2, 5, 10].map((factor) => factor * power).find((top) => top >= most) ?? most
}

export function formatNumber(value: number): string {
  return value.toLocaleString(languageCode())
}
