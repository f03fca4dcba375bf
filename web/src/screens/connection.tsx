import { useEffect } from 'preact/hooks'
import { t } from '../kernel/strings.ts'
import { sync } from '../platform/client.ts'
import { announce } from '../platform/overlay/announce.tsx'
import './connection.css'

/** Says that the server cannot be reached, over the view so that nothing moves; a loss that is soon over is not shown. */
export function Connection() {
  const isThere = sync.isConnected.value
  useEffect(() => {
    if (!isThere) announce(t().app.noConnection)
  }, [isThere])
  return isThere ? null : <p class="connection">{t().app.noConnection}</p>
}
