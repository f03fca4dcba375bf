import type { Db } from '../../../kernel/transaction.ts'

export interface OrganizationCounts {
  readonly subdomain: string
  readonly name: string
  readonly is_deactivated: boolean
  readonly people: number
  readonly bots: number
  readonly deactivated_accounts: number
  readonly channels: number
  readonly archived_channels: number
  readonly messages: number
  readonly files: number
  readonly file_bytes: number
  readonly position: number
  readonly events: number
  readonly queues: number
  readonly work: number
}

const CATEGORY_BY_COLUMN = {
  people: 'people',
  bots: 'bots',
  deactivated_accounts: 'ended',
  channels: 'channels',
  archived_channels: 'archived',
  messages: 'messages',
  files: 'files',
}

const COUNT_ORGANIZATIONS = `
  with counted (id, what, count, size) as (
    select organization_id, case when not is_active then 'ended' when bot_type is null then 'people' else 'bots' end, count(*), 0
    from users where not is_system_bot group by 1, 2
    union all select organization_id, case when is_archived then 'archived' else 'channels' end, count(*), 0 from channels group by 1, 2
    union all select organization_id, 'messages', count(*), 0 from messages group by 1
    union all select organization_id, 'files', count(*), sum(size) from attachments group by 1
    union all select organization_id, 'events', count(*), 0 from events group by 1
    union all select organization_id, 'queues', count(*), 0 from queues group by 1
    union all select organization_id, 'work', count(*), 0 from outgoing_mails group by 1
    union all select organization_id, 'work', count(*), 0 from reminders where not failed group by 1
    union all select organization_id, 'work', count(*), 0 from scheduled_messages where not failed group by 1
    union all select organization_id, 'work', count(*), 0 from outgoing_webhook_deliveries group by 1
    union all select organization_id, 'work', count(*), 0 from data_exports
    where completed_at is null and failed_at is null group by 1)
  select o.string_id as subdomain, s.name, s.deactivated as is_deactivated,
    ${Object.entries(CATEGORY_BY_COLUMN)
      .map(([column, what]) => `coalesce(sum(count) filter (where what = '${what}'), 0)::float8 as ${column}`)
      .join(', ')},
    coalesce(sum(size), 0)::float8 as file_bytes, o.position,
    ${['events', 'queues', 'work']
      .map((what) => `coalesce(sum(count) filter (where what = '${what}'), 0)::float8 as ${what}`)
      .join(', ')}
  from organizations o join organization_settings s on s.organization_id = o.id left join counted on counted.id = o.id
  group by o.id, s.organization_id, s.name, s.deactivated order by o.string_id`

export async function countOrganizations(reads: Db): Promise<readonly OrganizationCounts[]> {
  return reads.rows<OrganizationCounts>('count_organizations', COUNT_ORGANIZATIONS, [])
}

export async function sizeOfDatabase(reads: Db): Promise<{ readonly version: string; readonly bytes: number }> {
  const [row] = await reads.rows<{ version: string; bytes: number }>(
    'database_size',
    `select current_setting('server_version') as version, pg_database_size(current_database())::float8 as bytes`,
    [],
  )
  return { version: row?.version ?? '', bytes: row?.bytes ?? 0 }
}
