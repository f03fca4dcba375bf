import { useId } from 'preact/hooks'
import { ta } from '../../../kernel/administration.ts'
import { changePush, push } from '../push.ts'
import './push.css'

/** Default quiet hours, in minutes of the day. */
const USUAL_NIGHT = { start: 22 * 60, end: 7 * 60 }

/** Quiet hours for push notifications. The device list loads the data. */
export function QuietHours() {
  const id = useId()
  const { value: known } = push
  if (known === undefined || known === 'failed') return null
  const { quiet_hours: quiet } = known
  const change = (name: 'start' | 'end', value: string): void => {
    const minute = minuteOf(value)
    if (quiet !== null && minute !== undefined) void changePush({ quiet_hours: { ...quiet, [name]: minute } })
  }
  return (
    <div class="quiet-hours">
      <label class="check">
        <input
          type="checkbox"
          checked={quiet !== null}
          onChange={({ currentTarget }) => void changePush({ quiet_hours: currentTarget.checked ? USUAL_NIGHT : null })}
        />
        <span>{ta().push.quiet}</span>
      </label>
      {quiet !== null && (
        <div class="quiet-times">
          {(['start', 'end'] as const).map((name) => (
            <label key={name} class="field" for={`${id}-${name}`}>
              <span>{ta().push.quietTimes[name]}</span>
              <input
                id={`${id}-${name}`}
                class="input"
                type="time"
                value={timeOf(quiet[name])}
                onChange={({ currentTarget }) => change(name, currentTarget.value)}
              />
            </label>
          ))}
        </div>
      )}
    </div>
  )
}

export function PushedContent() {
  const { value: known } = push
  if (known === undefined || known === 'failed') return null
  return (
    <label class="check">
      <input
        type="checkbox"
        checked={known.shows_content}
        onChange={({ currentTarget }) => void changePush({ shows_content: currentTarget.checked })}
      />
      <span>{ta().push.content}</span>
    </label>
  )
}

/** Value of a time field: `07:30`. */
function timeOf(minute: number): string {
  return [Math.floor(minute / 60), minute % 60].map((number) => String(number).padStart(2, '0')).join(':')
}

function minuteOf(time: string): number | undefined {
  const [, hours, minutes] = /^(\d{2}):(\d{2})/.exec(time) ?? []
  return hours === undefined ? undefined : Number(hours) * 60 + Number(minutes)
}
