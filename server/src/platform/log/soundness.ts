import type { SoundnessCheck } from '../backup/verify.ts'

export const logSoundness: readonly SoundnessCheck[] = [
  {
    fault: 'events are beyond the position of their organization',
    sql: `select count(*)::bigint as count from events e join organizations o on o.id = e.organization_id
          where e.position > o.position`,
  },
]
