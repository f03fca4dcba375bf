import type { Generated } from 'kysely'
import type { Migration } from '../../kernel/tables.ts'
import {
  exportedTable,
  requireText,
  UnimportableRecordError,
  type ExportedTable,
} from '../../platform/moving/carried.ts'
import { caseKey } from '../../kernel/case-key.ts'
import { PERMISSIONS } from '../groups/contract/permissions.ts'
import { validPermissions } from '../groups/tables.ts'
import { LIMITS } from '../organizations/contract/organization.ts'

declare module '../../kernel/tables.ts' {
  interface Tables {
    channels: {
      organization_id: number
      id: number
      name: string
      name_key: string
      description: string
      rendered_description: string
      date_created: number
      creator_id: number | null
      invite_only: boolean
      is_web_public: boolean
      web_public_from: number | null
      hidden_from_search_engines: Generated<boolean>
      history_public_to_subscribers: boolean
      is_default: boolean
      is_archived: boolean
      message_retention_days: number | null
      topics_policy: string
      folder_id: number | null
      first_message_id: number | null
      is_recently_active: Generated<boolean>
      weekly_traffic: number | null
      permissions: Json<Record<string, unknown>>
    }
    /** Number of messages per channel and day; days are numbered from 1970. */
    channel_traffic: { organization_id: number; channel_id: number; day: number; messages: number }
    channel_traffic_counted: { organization_id: number; counted_to: number; counted_on: number }
    subscriptions: {
      organization_id: number
      user_id: number
      channel_id: number
      periods: Multirange
      is_resting: Generated<boolean>
      color: string
      is_muted: boolean
      pin_to_top: boolean
      desktop_notifications: boolean | null
      audible_notifications: boolean | null
      push_notifications: boolean | null
      email_notifications: boolean | null
      wildcard_mentions_notify: boolean | null
    }
  }
}

export const migrations: readonly Migration[] = [
  {
    name: '2026-11-22-channel-life',
    sql: `
alter table channels add column is_recently_active boolean not null default true;
alter table channels add column weekly_traffic integer;

create table channel_traffic (
  organization_id bigint not null,
  channel_id bigint not null,
  day integer not null,
  messages integer not null,
  primary key (organization_id, channel_id, day),
  foreign key (organization_id, channel_id) references channels (organization_id, id) on delete cascade
);

create table channel_traffic_counted (
  organization_id bigint primary key references organizations (id) on delete cascade,
  counted_to bigint not null,
  counted_on integer not null
);

alter table subscriptions add column is_resting boolean not null default false;
update subscriptions s set is_resting = true, periods = s.periods - int8multirange(int8range(o.position + 1, null))
from users u join organizations o on o.id = u.organization_id
where u.organization_id = s.organization_id and u.id = s.user_id and not u.is_active and upper_inf(s.periods);
`,
  },
  // No one agreed to publish what was said before.
  {
    name: '2026-11-30-web-public-from',
    sql: `
alter table channels add column web_public_from bigint;
update channels c set web_public_from = o.position + 1
from organizations o where o.id = c.organization_id and c.is_web_public;
`,
  },
  // A server running the previous version does not know the position, and would keep it.
  {
    name: '2026-11-30-web-public-until',
    sql: `
create function forget_web_public_from() returns trigger language plpgsql as $$
begin
  new.web_public_from := null;
  return new;
end;
$$;
create trigger channels_not_web_public before update of is_web_public on channels for each row
when (not new.is_web_public and new.web_public_from is not null) execute function forget_web_public_from();
`,
  },
  {
    name: '2026-12-01-hidden-from-search-engines',
    sql: 'alter table channels add column hidden_from_search_engines boolean not null default false;',
  },
]

const TOPICS_POLICY_VALUES: readonly unknown[] = [
  'inherit',
  'allow_empty_topic',
  'disable_empty_topic',
  'empty_topic_only',
]
const COLOR_PATTERN = /^#[\da-fA-F]{6}$/

export const exportedTables: readonly ExportedTable[] = [
  exportedTable('channels', {
    columns: [
      'id',
      'name',
      'description',
      'rendered_description',
      'date_created',
      'creator_id',
      'invite_only',
      'is_web_public',
      'web_public_from',
      'hidden_from_search_engines',
      'history_public_to_subscribers',
      'is_default',
      'is_archived',
      'message_retention_days',
      'topics_policy',
      'folder_id',
      'first_message_id',
      'is_recently_active',
      'weekly_traffic',
      'permissions',
    ],
    order: ['id'],
    derived: ['name_key'],
    loosely: { creator_id: 'users', folder_id: 'channel_folders', first_message_id: 'messages' },
    after: ['user_groups', 'users', 'organization_settings'],
    rendered: [{ column: 'rendered_description', from: 'description', as: 'description' }],
    unique: { column: 'name', keyColumn: 'name_key', keyOf: caseKey, most: LIMITS.max_stream_name_length },
    onImport(channel) {
      requireText(channel, 'description', LIMITS.max_stream_description_length)
      if (!TOPICS_POLICY_VALUES.includes(channel['topics_policy']))
        throw new UnimportableRecordError('topics_policy is invalid')
      // Archives of earlier versions lack it.
      channel['hidden_from_search_engines'] ??= false
      channel['permissions'] = validPermissions(channel['permissions'], Object.keys(PERMISSIONS.stream))
    },
  }),
  exportedTable('channel_traffic', {
    columns: ['channel_id', 'day', 'messages'],
    order: ['channel_id', 'day'],
    refers: { channel_id: 'channels' },
  }),
  exportedTable('channel_traffic_counted', { columns: ['counted_to', 'counted_on'], order: [] }),
  exportedTable('subscriptions', {
    columns: [
      'user_id',
      'channel_id',
      'periods',
      'is_resting',
      'color',
      'is_muted',
      'pin_to_top',
      'desktop_notifications',
      'audible_notifications',
      'push_notifications',
      'email_notifications',
      'wildcard_mentions_notify',
    ],
    order: ['user_id', 'channel_id'],
    refers: { user_id: 'users', channel_id: 'channels' },
    onImport({ color, periods }) {
      if (typeof color !== 'string' || !COLOR_PATTERN.test(color)) throw new UnimportableRecordError('color is invalid')
      if (periods === '{}') throw new UnimportableRecordError('it has no period')
    },
  }),
]
