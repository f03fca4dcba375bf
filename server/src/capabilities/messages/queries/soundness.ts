import type { SoundnessCheck } from '../../../platform/backup/verify.ts'

/** Invariants that no foreign keys enforce, because foreign keys would slow down every send. */
export const messageSoundness: readonly SoundnessCheck[] = [
  {
    fault: 'messages are beyond the position of their organization',
    sql: `select count(*)::bigint as count from messages m join organizations o on o.id = m.organization_id
          where m.id > o.position`,
  },
  {
    fault: 'messages are in no topic and no conversation',
    sql: `select count(*)::bigint as count from messages m where not exists (
            select from topics t where t.organization_id = m.organization_id and t.id = m.topic_id)`,
  },
  {
    fault: 'messages have no sender',
    sql: `select count(*)::bigint as count from messages m where not exists (
            select from users u where u.organization_id = m.organization_id and u.id = m.sender_id)`,
  },
]
