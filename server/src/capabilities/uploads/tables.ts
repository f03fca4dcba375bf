import { randomBytes } from 'node:crypto'
import type { Generated } from 'kysely'
import type { Migration } from '../../kernel/tables.ts'
import {
  exportedTable,
  requireText,
  UnimportableRecordError,
  type ExportedTable,
} from '../../platform/moving/carried.ts'
import { MAX_FILE_NAME_CHARACTERS, THUMBNAIL_FORMATS } from './contract.ts'
import { fileKey, thumbnailKey } from './queries.ts'

declare module '../../kernel/tables.ts' {
  interface Tables {
    upload_spaces: { organization_id: number; used_bytes: number; signing_key: string }
    attachments: {
      organization_id: number
      id: number
      owner_id: number
      path_id: string
      name: string
      content_type: string
      size: number
      date_created: number
      unclaimed_since: number | null
      width: number | null
      height: number | null
      is_animated: boolean
      has_text: Generated<boolean | null>
    }
    attachment_texts: { organization_id: number; attachment_id: number; part: number; content: string }
    attachment_messages: { organization_id: number; attachment_id: number; message_id: number }
  }
}

export const migrations: readonly Migration[] = [
  // Files are stored outside the database, under a key derived from `path_id`. `upload_spaces` has URL-signing keys.
  {
    name: '2026-11-22-uploads',
    sql: `
create table upload_spaces (
  organization_id bigint primary key,
  used_bytes bigint not null,
  signing_key text not null
);
create table attachments (
  organization_id bigint not null,
  id bigint not null,
  owner_id bigint not null,
  path_id text not null,
  name text not null,
  content_type text not null,
  size bigint not null,
  date_created bigint not null,
  unclaimed_since bigint,
  primary key (organization_id, id),
  unique (organization_id, path_id)
);
create index attachments_by_owner on attachments (organization_id, owner_id, id);
create index attachments_unclaimed on attachments (unclaimed_since) where unclaimed_since is not null;
create table attachment_messages (
  organization_id bigint not null,
  attachment_id bigint not null,
  message_id bigint not null,
  primary key (organization_id, attachment_id, message_id),
  foreign key (organization_id, attachment_id) references attachments (organization_id, id) on delete cascade,
  foreign key (organization_id, message_id) references messages (organization_id, id) on delete cascade
);
create index attachment_messages_by_message on attachment_messages (organization_id, message_id);
`,
  },
  {
    name: '2026-11-25-thumbnails',
    sql: `
alter table attachments add column width int, add column height int, add column is_animated boolean not null default false;
`,
  },
  // A job reads the text of files that messages link to, in parts, for the search. Until then, `has_text` is null.
  {
    name: '2026-11-30-file-texts',
    sql: `
alter table attachments add column has_text boolean;
create index attachments_unread on attachments (organization_id, id)
where has_text is null and unclaimed_since is null and content_type !~ '^(audio/|font/|image/|video/(?!mp2t$))' and size <= 52428800;
create table attachment_texts (
  organization_id bigint not null,
  attachment_id bigint not null,
  part int not null,
  content text not null,
  terms tsvector not null,
  primary key (organization_id, attachment_id, part),
  foreign key (organization_id, attachment_id) references attachments (organization_id, id) on delete cascade
);
create index attachment_texts_terms on attachment_texts using gin (terms) with (gin_pending_list_limit = 256);

-- Files whose text matches the query, and to which messages in the channels or in conversations of the reader link; null
-- if more than \`most\` parts of their texts match.
create function files_with_terms(
  organization bigint, reader bigint, channels bigint[], query tsquery, most integer) returns bigint[]
language sql stable
set enable_bitmapscan = on
set enable_seqscan = off
set plan_cache_mode = force_custom_plan
begin atomic
  with found as (
    select t.attachment_id from (
      select organization_id, attachment_id from attachment_texts where terms @@ query offset 0) t
    where t.organization_id = organization and exists (
      select from attachment_messages l
      join messages m on m.organization_id = organization and m.id = l.message_id
      where l.organization_id = organization and l.attachment_id = t.attachment_id
      and (m.channel_id in (select unnest(channels)) or m.channel_id is null and m.topic_id in (
        select c.topic_id from conversation_members own
        join conversations c on c.organization_id = organization and c.id = own.conversation_id
        where own.organization_id = organization and own.user_id = reader)))
    limit most + 1)
  select case when count(*) <= most then coalesce(array_agg(distinct attachment_id), '{}') end from found;
end;
`,
  },
]

const SIGNING_KEY_BYTES = 32
const MAX_PATH_CHARACTERS = 1_000
const PATH_ID_PATTERN = /^(\d+)(\/[\w-]{2}\/[\w-]{8,64}\/[^/\p{Cc}]{1,255})$/u
const CONTENT_TYPE_PATTERN = /^[\w.+-]{1,100}\/[\w.+-]{1,100}(; ?charset=[\w-]{1,40})?$/

export const exportedTables: readonly ExportedTable[] = [
  exportedTable('attachments', {
    columns: [
      'id',
      'owner_id',
      'path_id',
      'name',
      'content_type',
      'size',
      'date_created',
      'unclaimed_since',
      'width',
      'height',
      'is_animated',
    ],
    order: ['id'],
    refers: { owner_id: 'users' },
    onImport(file, { from, to }) {
      const [, organization, rest] = PATH_ID_PATTERN.exec(requireText(file, 'path_id', MAX_PATH_CHARACTERS)) ?? []
      if (rest === undefined || Number(organization) !== from)
        throw new UnimportableRecordError('path_id is not a file path')
      file['path_id'] = `${to}${rest}`
      requireText(file, 'name', MAX_FILE_NAME_CHARACTERS)
      if (!CONTENT_TYPE_PATTERN.test(requireText(file, 'content_type', MAX_PATH_CHARACTERS)))
        file['content_type'] = 'application/octet-stream'
    },
    files({ path_id: path }) {
      const pathId = String(path)
      return [
        { form: 'original', key: fileKey(pathId) },
        ...THUMBNAIL_FORMATS.map((format) => ({
          form: format.name,
          key: thumbnailKey(pathId, format),
          isOptional: true,
        })),
      ]
    },
    withoutFile(file, form) {
      if (form === 'original') throw new UnimportableRecordError('the file itself is not in the archive')
      file['width'] = null
      file['height'] = null
    },
    async finish(db, organizationId) {
      await db.rows(
        'imported_upload_space',
        `insert into upload_spaces (organization_id, used_bytes, signing_key)
         select $1::bigint, sum(size), $2 from attachments where organization_id = $1 having count(*) > 0`,
        [organizationId, randomBytes(SIGNING_KEY_BYTES).toString('base64url')],
      )
    },
  }),
  exportedTable('attachment_messages', {
    columns: ['attachment_id', 'message_id'],
    order: ['attachment_id', 'message_id'],
    refers: { attachment_id: 'attachments', message_id: 'messages' },
  }),
]
