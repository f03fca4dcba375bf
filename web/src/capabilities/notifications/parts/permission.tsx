import { ta } from '../../../kernel/administration.ts'
import { useState } from 'preact/hooks'

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
