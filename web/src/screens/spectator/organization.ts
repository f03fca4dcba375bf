import { call } from '@parley/client'
import { organizations, queues, type channels } from '@parley/server/contract'
import { t } from '../../kernel/strings.ts'
import { setChannelNames } from '../../platform/router.ts'
import { SESSION } from '../../platform/sync/sync.ts'

export type PublicChannel = channels.ChannelRecord

export interface PublicOrganization {
  readonly name: string
  readonly iconUrl: string
  readonly channels: readonly PublicChannel[]
}

/** Asks first whether anything is public, because a registration without an account would be refused otherwise. */
export async function readPublicOrganization(signal: AbortSignal): Promise<PublicOrganization | 'private'> {
  const settings = await call(SESSION, organizations.getServerSettings, {}, { signal })
  if (settings.realm_web_public_access_enabled !== true) return 'private'
  const registered = await call(SESSION, queues.registerQueue, { fetch_event_types: ['stream'] }, { signal })
  // Safe: the response has the requested field, as the server declares it.
  const channels = registered['streams'] as PublicChannel[]
  const names = new Map(channels.map(({ stream_id: id, name }) => [id, name]))
  setChannelNames((id) => names.get(id) ?? '')
  return { name: settings.realm_name ?? t().app.name, iconUrl: settings.realm_icon ?? '', channels }
}
