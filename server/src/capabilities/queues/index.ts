import { capability, direct, open } from '../../platform/capability.ts'
import type { SnapshotPart } from '../../platform/server-facts.ts'
import { fetchEvents, registerOrSpectate, remove } from './actions.ts'
import { deleteQueue, getEvents, heartbeat, registerQueue } from './contract.ts'

/** Event queues: registering them with a snapshot, waiting for their events. */
export const queues = capability({
  name: 'queues',
  tables: [],
  routes: [open(registerQueue, registerOrSpectate), direct(getEvents, fetchEvents), direct(deleteQueue, remove)],
  events: [{ event: heartbeat }],
  snapshot: [...nothingYet()],
})

/**
 * Kinds of data that clients ask for and that nobody can have made on this server: the truthful answer is that there
 * is none. A capability that brings one of them takes its line from here.
 */
function* nothingYet(): Generator<SnapshotPart> {
  const empty: Record<string, Record<string, unknown>> = {
    default_stream_groups: { realm_default_stream_groups: [] },
    giphy: { giphy_api_key: '' },
    onboarding_steps: { onboarding_steps: [], navigation_tour_video_url: null },
    push_device: { push_devices: {} },
    stop_words: { stop_words: [] },
    video_calls: { has_zoom_token: false },
  }
  for (const [eventType, fields] of Object.entries(empty)) yield { eventTypes: [eventType], observe: () => fields }
}
