import type { Migration } from '../../kernel/tables.ts'
import {
  exportedTable,
  toPrintableName,
  requireText,
  UnimportableRecordError,
  type ExportedTable,
} from '../../platform/moving/carried.ts'
import {
  LINK_LIMIT,
  MAX_LINK_TITLE_CHARACTERS,
  MAX_LINK_URL_CHARACTERS,
  PIN_LIMIT,
  pinScope,
  type PinScope,
} from './contract.ts'
import { isLinkUrl } from './rules.ts'

declare module '../../kernel/tables.ts' {
  interface Tables {
    channel_pins: {
      organization_id: number
      message_id: number
      /** The message's channel, repeated here for the index. */
      channel_id: number
      scope: PinScope
      pinned_by: number
      pinned_at: number
    }
    channel_links: {
      organization_id: number
      id: number
      channel_id: number
      position: number
      title: string
      url: string
      created_by: number
      created_at: number
    }
  }
}

export const migrations: readonly Migration[] = [
  {
    name: '2026-11-30-pins',
    sql: `
create table channel_pins (
  organization_id bigint not null,
  message_id bigint not null,
  channel_id bigint not null,
  scope text not null check (scope in ('channel', 'topic')),
  pinned_by bigint not null,
  pinned_at bigint not null,
  primary key (organization_id, message_id),
  foreign key (organization_id, message_id) references messages (organization_id, id) on delete cascade
);
create index channel_pins_channel on channel_pins (organization_id, channel_id);
create table channel_links (
  organization_id bigint not null,
  id bigint not null,
  channel_id bigint not null,
  position int not null,
  title text not null,
  url text not null,
  created_by bigint not null,
  created_at bigint not null,
  primary key (organization_id, id),
  foreign key (organization_id, channel_id) references channels (organization_id, id) on delete cascade
);
create index channel_links_channel on channel_links (organization_id, channel_id);
`,
  },
]

const DELETE_SURPLUS_PINS = `
  delete from channel_pins where organization_id = $1 and message_id in (
    select message_id from (
      select message_id, row_number() over (partition by channel_id order by pinned_at desc, message_id desc) as number
      from channel_pins where organization_id = $1) numbered
    where number > $2)
  returning message_id as id`

const NUMBERED_LINKS = `
  select id, row_number() over (partition by channel_id order by position, id) as number
  from channel_links where organization_id = $1`

const DELETE_SURPLUS_LINKS = `
  delete from channel_links where organization_id = $1 and id in (
    select id from (${NUMBERED_LINKS}) numbered where number > $2)
  returning title`

/** Archives can contain any position, even the largest number. No link could be added after it. */
const RENUMBER_LINKS = `
  update channel_links l set position = numbered.number - 1 from (${NUMBERED_LINKS}) numbered
  where l.organization_id = $1 and l.id = numbered.id and l.position <> numbered.number - 1`

export const exportedTables: readonly ExportedTable[] = [
  exportedTable('channel_pins', {
    columns: ['message_id', 'channel_id', 'scope', 'pinned_by', 'pinned_at'],
    order: ['message_id'],
    refers: { message_id: 'messages', channel_id: 'channels', pinned_by: 'users' },
    onImport(pin) {
      if (!pinScope.safeParse(pin['scope']).success) throw new UnimportableRecordError('scope is invalid')
    },
    async finish(db, organizationId, note) {
      const deleted = await db.rows<{ id: number }>(
        'delete_misplaced_pins',
        `delete from channel_pins p where p.organization_id = $1 and not exists (
           select 1 from messages m
           where m.organization_id = $1 and m.id = p.message_id and m.channel_id = p.channel_id) returning message_id as id`,
        [organizationId],
      )
      for (const { id } of deleted) note('pins of messages in other channels', `message ${id}`)
      const surplus = await db.rows<{ id: number }>('delete_surplus_pins', DELETE_SURPLUS_PINS, [
        organizationId,
        PIN_LIMIT.most,
      ])
      for (const { id } of surplus) note('pins beyond the limit of a channel', `message ${id}`)
    },
  }),
  exportedTable('channel_links', {
    columns: ['id', 'channel_id', 'position', 'title', 'url', 'created_by', 'created_at'],
    order: ['id'],
    refers: { channel_id: 'channels', created_by: 'users' },
    onImport(link) {
      // A code point can have two code units.
      const title = requireText(link, 'title', 2 * MAX_LINK_TITLE_CHARACTERS)
      link['title'] = toPrintableName(title, MAX_LINK_TITLE_CHARACTERS, '?')
      if (!isLinkUrl(requireText(link, 'url', MAX_LINK_URL_CHARACTERS)))
        throw new UnimportableRecordError('url is invalid')
    },
    async finish(db, organizationId, note) {
      const surplus = await db.rows<{ title: string }>('delete_surplus_links', DELETE_SURPLUS_LINKS, [
        organizationId,
        LINK_LIMIT.most,
      ])
      for (const { title } of surplus) note('links beyond the limit of a channel', title)
      await db.rows('number_links', RENUMBER_LINKS, [organizationId])
    },
  }),
]
