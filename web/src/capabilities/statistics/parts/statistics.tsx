import { call, type Answer } from '@parley/client'
import { statistics } from '@parley/server/contract'
import { useRef, useState } from 'preact/hooks'
import { ta } from '../../../kernel/administration.ts'
import { languageCode } from '../../../kernel/strings.ts'
import { useFetched } from '../../../platform/list/fetched.ts'
import { LoadFailure, LoadingRows } from '../../../platform/list/states.tsx'
import { SESSION } from '../../../platform/sync/sync.ts'
import { channelTitle } from '../../places/title.tsx'
import { Chart, formatNumber, type Bar } from './chart.tsx'
import './statistics.css'

type StatisticsData = Answer<typeof statistics.getStatistics>
type DayNumbers = StatisticsData['days'][number]

const PERIODS_DAYS = [14, 30, 90, 365] as const
const MAX_CHANNELS = 20

export function Statistics() {
  const [span, setSpan] = useState<(typeof PERIODS_DAYS)[number]>(30)
  const { value, hasFailed, again } = useFetched(
    async (signal) => call(SESSION, statistics.getStatistics, { days: span }, { signal }),
    span,
  )
  // Keeps the old chart until the new one has loaded.
  const latest = useRef<StatisticsData>(undefined)
  latest.current = value ?? latest.current
  const shown = latest.current
  return (
    <div class="form">
      <label class="field statistics-span">
        <span>{ta().statistics.span}</span>
        <select
          class="input"
          value={String(span)}
          onChange={({ currentTarget: { value: chosen } }) =>
            setSpan(PERIODS_DAYS.find((one) => String(one) === chosen) ?? 30)
          }
        >
          {PERIODS_DAYS.map((one) => (
            <option key={one} value={String(one)}>
              {ta().statistics.days(one)}
            </option>
          ))}
        </select>
      </label>
      {hasFailed && <LoadFailure again={again} />}
      {shown === undefined && !hasFailed && <LoadingRows rows={6} />}
      {shown !== undefined && !hasFailed && <StatisticsContent numbers={shown} />}
    </div>
  )
}

function StatisticsContent({ numbers: { days, channels, people } }: { readonly numbers: StatisticsData }) {
  const sum = (numberOf: (day: DayNumbers) => number): number => days.reduce((total, day) => total + numberOf(day), 0)
  const [inChannels, direct] = [sum((day) => day.channel_messages), sum((day) => day.direct_messages)]
  const barsOf = (valuesOf: (day: DayNumbers) => readonly number[]): readonly Bar[] =>
    days.map((day) => ({ key: day.date, title: dateTitle(day.date), values: valuesOf(day) }))
  return (
    <>
      <p role="status">
        {ta().statistics.summary(formatNumber(inChannels), formatNumber(direct), formatNumber(people))}
      </p>
      <Chart
        title={ta().statistics.messages}
        column={ta().statistics.day}
        parts={[ta().statistics.inChannels, ta().statistics.directly]}
        bars={barsOf((day) => [day.channel_messages, day.direct_messages])}
      />
      <Chart
        title={ta().statistics.people}
        column={ta().statistics.day}
        parts={[ta().statistics.people]}
        bars={barsOf((day) => [day.people])}
      />
      <Channels channels={channels} />
    </>
  )
}

function Channels({ channels }: Pick<StatisticsData, 'channels'>) {
  const shown = channels.slice(0, MAX_CHANNELS)
  const most = Math.max(1, ...shown.map(({ messages }) => messages))
  if (shown.length === 0) return <p class="note">{ta().statistics.noChannels}</p>
  return (
    <table class="statistics-channels">
      <caption>{ta().statistics.channels}</caption>
      <thead class="visually-hidden">
        <tr>
          <th scope="col">{ta().statistics.channel}</th>
          <th scope="col">{ta().statistics.messages}</th>
        </tr>
      </thead>
      <tbody>
        {shown.map(({ stream_id: id, messages }) => (
          <tr key={id}>
            <th scope="row">
              <bdi>{channelTitle(id)}</bdi>
            </th>
            <td>
              <span class="statistics-bar" style={{ inlineSize: `${(messages / most) * 70}%` }} aria-hidden="true" />
              {formatNumber(messages)}
            </td>
          </tr>
        ))}
      </tbody>
    </table>
  )
}

function dateTitle(date: string): string {
  return new Date(`${date}T00:00:00Z`).toLocaleDateString(languageCode(), {
    timeZone: 'UTC',
    day: 'numeric',
    month: 'short',
    year: 'numeric',
  })
}
