import { useEffect, useState, useId } from 'preact/hooks'
import { ta } from '../../../kernel/administration.ts'
import { t } from '../../../kernel/strings.ts'
import { dayTitle } from '../../../kernel/time.ts'
import { toast } from '../../../platform/overlay/toasts.tsx'
import {
  supportsPush,
  pushState,
  readPush,
  sendTestPush,
  turnOffPush,
  turnOnPush,
  changePush,
  type PushDevice,
  type PushRefusal,
} from '../push.ts'
import './push.css'

export function PushDevices() {
  useEffect(() => void readPush(), [])
  const { value: known } = pushState
  if (known === undefined) return <p class="note">{t().app.loading}</p>
  if (known === 'failed')
    return (
      <button class="button" onClick={() => void readPush()}>
        {t().app.retry}
      </button>
    )
  const { push_subscriptions: devices, application_server_key: key } = known
  const here = devices.find(({ is_current }) => is_current)
  return (
    <>
      {here === undefined && <TurnOnPush serverKey={key} />}
      {devices.length > 0 && (
        <ul class="pushed">
          {devices.map((device) => (
            <Device key={device.id} device={device} />
          ))}
        </ul>
      )}
    </>
  )
}

function TurnOnPush({ serverKey }: { readonly serverKey: string }) {
  const [refused, setRefused] = useState<PushRefusal>()
  const [isAsking, setAsking] = useState(false)
  if (!supportsPush()) return <p class="note">{ta().push.cannot}</p>
  const begin = async (): Promise<void> => {
    setAsking(true)
    setRefused(await turnOnPush(serverKey))
    setAsking(false)
  }
  return (
    <div class="push-begin">
      <button class="button" disabled={isAsking} onClick={() => void begin()}>
        {ta().push.turnOn}
      </button>
      {/* Server errors were already shown. */}
      {refused !== undefined && refused !== 'server' && (
        <p class="note" role="alert">
          {refused === 'permission' ? ta().notifications.refused : ta().push.noService}
        </p>
      )}
    </div>
  )
}

function Device({ device: { id, device, created_at, is_current, failure } }: { readonly device: PushDevice }) {
  const test = async (): Promise<void> => {
    if (await sendTestPush(id)) toast(ta().push.tested)
  }
  return (
    <li class="pushed-device">
      <span class="device-name">
        <bdi>{device}</bdi>
        {is_current && <strong class="badge mine">{ta().devices.this}</strong>}
      </span>
      <span class="note">{ta().push.since(dayTitle(created_at))}</span>
      {failure !== null && <span class="note">{ta().push.failed(failure)}</span>}
      <span class="pushed-buttons">
        <button class="button" aria-label={ta().push.testOf(device)} onClick={() => void test()}>
          {ta().push.test}
        </button>
        <button class="button" aria-label={ta().push.endOf(device)} onClick={() => void turnOffPush(id, is_current)}>
          {ta().push.end}
        </button>
      </span>
    </li>
  )
}

/** Minutes since midnight. */
const DEFAULT_QUIET_HOURS = { start: 22 * 60, end: 7 * 60 }

/** Relies on the device list to load the data. */
export function QuietHours() {
  const id = useId()
  const { value: known } = pushState
  if (known === undefined || known === 'failed') return null
  const { quiet_hours: quiet } = known
  const change = (name: 'start' | 'end', value: string): void => {
    const minute = parseMinute(value)
    if (quiet !== null && minute !== undefined) void changePush({ quiet_hours: { ...quiet, [name]: minute } })
  }
  return (
    <div class="quiet-hours">
      <label class="check">
        <input
          type="checkbox"
          checked={quiet !== null}
          onChange={({ currentTarget }) =>
            void changePush({ quiet_hours: currentTarget.checked ? DEFAULT_QUIET_HOURS : null })
          }
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
                value={formatTime(quiet[name])}
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
  const { value: known } = pushState
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

function formatTime(minute: number): string {
  return [Math.floor(minute / 60), minute % 60].map((number) => String(number).padStart(2, '0')).join(':')
}

function parseMinute(time: string): number | undefined {
  const [, hours, minutes] = /^(\d{2}):(\d{2})/.exec(time) ?? []
  return hours === undefined ? undefined : Number(hours) * 60 + Number(minutes)
}

const notificationPermission = (): NotificationPermission =>
  'Notification' in window ? Notification.permission : 'denied'

export function Permission() {
  const [state, setState] = useState(notificationPermission)
  if (state === 'granted') return <p>{ta().notifications.allowed}</p>
  if (state === 'denied') return <p>{ta().notifications.refused}</p>
  return (
    <button
      class="button"
      onClick={() => {
        void Notification.requestPermission().then(setState)
      }}
    >
      {ta().notifications.allow}
    </button>
  )
}
