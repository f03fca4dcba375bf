import { useState } from 'preact/hooks'
import { t } from '../../../kernel/strings.ts'

const permission = (): NotificationPermission => ('Notification' in window ? Notification.permission : 'denied')

/** Whether this browser lets the client show notifications, which only the person can allow. */
export function Permission() {
  const [state, setState] = useState(permission)
  if (state === 'granted') return <p>{t().notifications.allowed}</p>
  if (state === 'denied') return <p>{t().notifications.refused}</p>
  return (
    <button
      class="button"
      onClick={() => {
        void Notification.requestPermission().then(setState)
      }}
    >
      {t().notifications.allow}
    </button>
  )
}
