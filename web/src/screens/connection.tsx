import { useEffect } from 'preact/hooks'
import { t } from '../kernel/strings.ts'
import { sync } from '../platform/client.ts'
import { announce, withdrawAnnouncement } from '../platform/overlay/announce.tsx'
import { reasonOf } from '../platform/requests.ts'
import './connection.css'

/** Banner that overlays the view, so that nothing moves. Not shown during short outages. */
export function Connection() {
  const { value: refusal } = sync.refusal
  const isThere = sync.isConnected.value
  const why = sync.isRateLimited.value ? t().app.heldHere : t().app.noConnection
  useEffect(() => {
    if (isThere) return undefined
    announce(why)
    return () => withdrawAnnouncement(why)
  }, [isThere, why])
  if (refusal === undefined) return isThere ? null : <p class="connection">{why}</p>
  return (
    <div class="connection" role="alert">
      <span>{t().app.refused(reasonOf(refusal))}</span>
      <button class="button" onClick={() => window.location.reload()}>
        {t().app.reload}
      </button>
    </div>
  )
}
