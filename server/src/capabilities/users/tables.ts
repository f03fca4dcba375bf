import { sql, type Generated } from 'kysely'
import type { Migration } from '../../kernel/tables.ts'
import type { TransactionDb } from '../../kernel/transaction.ts'
import {
  exportedTable,
  toPrintableName,
  toRecord,
  requireText,
  UnimportableRecordError,
  type ExportedTable,
} from '../../platform/moving/carried.ts'
import { caseKey } from '../../kernel/case-key.ts'
import { separateInvalidSettings } from '../../kernel/setting.ts'
import { couldRendererWrite } from '../../platform/markdown/whitelist.ts'
import { MAX_FIELD_NAME_CHARACTERS, MAX_SUMMARY_FIELDS, PROFILE_FIELD_LIMIT } from './contract/profile.ts'
import { EMOJI_TYPES } from './contract/status.ts'
import { USER_SETTINGS } from './contract/settings.ts'
import { MAX_FULL_NAME_CHARACTERS } from './contract/users.ts'
import { avatarKey } from './queries/avatars.ts'
import { USER_COLUMNS } from './queries/index.ts'
import { profileFieldsOf } from './queries/profile.ts'
import { normalizeField, validProfileValues } from './rules/profile.ts'

declare module '../../kernel/tables.ts' {
  interface Tables {
    users: {
      organization_id: number
      id: number
      email: string
      email_key: string
      delivery_email: string
      delivery_email_key: string
      full_name: string
      role: number
      is_active: boolean
      bot_type: number | null
      bot_owner_id: number | null
      is_system_bot: Generated<boolean>
      date_joined: number
      timezone: string
      avatar_version: number
      avatar_file: string | null
      settings: Json<Record<string, unknown>>
      profile_data: JsonWithDefault<Record<string, { value: string; rendered_value?: string }>>
      bot_habits: JsonWithDefault<Record<string, number | boolean | null>>
    }
    user_statuses: {
      organization_id: number
      user_id: number
      status_text: string
      emoji_name: string
      emoji_code: string
      reaction_type: string
    }
    custom_profile_fields: {
      organization_id: number
      id: number
      type: number
      display_order: number
      name: string
      hint: string
      field_data: string
      display_in_profile_summary: boolean
      required: boolean
      editable_by_user: boolean
    }
    newcomers: {
      organization_id: number
      user_id: number
      welcome_text: string | null
      referrer_id: number | null
    }
  }
}

export const migrations: readonly Migration[] = [
  {
    name: '2026-11-22-profile-fields',
    sql: `
create table custom_profile_fields (
  organization_id bigint not null references organizations(id) on delete cascade,
  id bigint not null,
  type smallint not null,
  display_order integer not null,
  name text not null,
  hint text not null,
  field_data text not null,
  display_in_profile_summary boolean not null,
  required boolean not null,
  editable_by_user boolean not null,
  primary key (organization_id, id)
);

alter table users add column profile_data jsonb not null default '{}';
`,
  },
  {
    name: '2026-11-22-user-statuses',
    sql: `
create table user_statuses (
  organization_id bigint not null,
  user_id bigint not null,
  status_text text not null,
  emoji_name text not null,
  emoji_code text not null,
  reaction_type text not null,
  primary key (organization_id, user_id),
  foreign key (organization_id, user_id) references users (organization_id, id) on delete cascade
);
`,
  },
  {
    name: '2026-11-22-newcomers',
    sql: `
create table newcomers (
  organization_id bigint not null,
  user_id bigint not null,
  primary key (organization_id, user_id),
  foreign key (organization_id, user_id) references users (organization_id, id) on delete cascade
);
`,
  },
  {
    name: '2026-11-25-invited-newcomers',
    sql: `
alter table newcomers add column welcome_text text, add column referrer_id bigint;
`,
  },
]

const PICTURE_NAME_PATTERN = /^[\w-]{24}$/
const MAX_ADDRESS_CHARACTERS = 254
const ADDRESS_PATTERN = /^[^\s@]+@[^\s@]+$/
const MAX_TEXT_CHARACTERS = 10_000

export const exportedTables: readonly ExportedTable[] = [
  exportedTable('users', {
    columns: USER_COLUMNS,
    order: ['id'],
    derived: ['email_key', 'delivery_email_key'],
    loosely: { bot_owner_id: 'users' },
    onImport(user, { note }) {
      const email = requireText(user, 'email', MAX_ADDRESS_CHARACTERS)
      const deliveryEmail = requireText(user, 'delivery_email', MAX_ADDRESS_CHARACTERS)
      if (!ADDRESS_PATTERN.test(email) || !ADDRESS_PATTERN.test(deliveryEmail))
        throw new UnimportableRecordError('email is not an address')
      user['email_key'] = caseKey(email)
      user['delivery_email_key'] = caseKey(deliveryEmail)
      const name = requireText(user, 'full_name', MAX_TEXT_CHARACTERS)
      user['full_name'] = toPrintableName(name, MAX_FULL_NAME_CHARACTERS, email)
      if (user['full_name'] !== name) note('full names were changed: invalid')
      const { kept, dropped } = separateInvalidSettings(toRecord(user['settings']), USER_SETTINGS)
      for (const setting of dropped) note(`values of the personal setting ${setting}: unknown setting or invalid value`)
      user['settings'] = kept
      user['profile_data'] = validProfile(user['profile_data'])
      user['bot_habits'] = Object.fromEntries(
        Object.entries(toRecord(user['bot_habits'])).filter(
          ([, value]) => value === null || ['number', 'boolean'].includes(typeof value),
        ),
      )
      if (typeof user['avatar_file'] !== 'string' || !PICTURE_NAME_PATTERN.test(user['avatar_file']))
        user['avatar_file'] = null
    },
    files: ({ avatar_file: file }, organizationId) =>
      typeof file === 'string'
        ? [
            { form: 'original', key: avatarKey(organizationId, file) },
            { form: 'medium', key: avatarKey(organizationId, file, '-medium') },
          ]
        : [],
    withoutFile(user) {
      user['avatar_file'] = null
    },
    async finish(db, organizationId) {
      const bots = await db
        .selectFrom('users')
        .select('id')
        .where('organization_id', '=', organizationId)
        .where('is_system_bot', '=', true)
        .execute()
      if (bots.length !== 1) throw new UnimportableRecordError('it has no notification bot, or more than one')
    },
  }),
  exportedTable('user_statuses', {
    columns: ['user_id', 'status_text', 'emoji_name', 'emoji_code', 'reaction_type'],
    order: ['user_id'],
    refers: { user_id: 'users' },
    onImport({ reaction_type: type }) {
      const types: readonly unknown[] = EMOJI_TYPES
      if (!types.includes(type)) throw new UnimportableRecordError('reaction_type is invalid')
    },
  }),
  exportedTable('custom_profile_fields', {
    columns: [
      'id',
      'type',
      'display_order',
      'name',
      'hint',
      'field_data',
      'display_in_profile_summary',
      'required',
      'editable_by_user',
    ],
    order: ['id'],
    unique: { column: 'name', keyOf: caseKey, most: MAX_FIELD_NAME_CHARACTERS },
    onImport: (field, { note }) => normalizeField(field, note),
    finish: correctProfiles,
  }),
]

const PROFILES_PER_BATCH = 500

/** Corrects imported profiles, after all fields and people are imported. */
async function correctProfiles(
  db: TransactionDb,
  organizationId: number,
  note: (what: string, example?: string) => void,
): Promise<void> {
  const fields = await profileFieldsOf(db, organizationId)
  if (fields.length > PROFILE_FIELD_LIMIT.most)
    throw new UnimportableRecordError(`it has more than ${PROFILE_FIELD_LIMIT.most} custom profile fields`)
  const surplus = fields
    .flatMap((field) => (field.display_in_profile_summary ? [field.id] : []))
    .slice(MAX_SUMMARY_FIELDS)
  if (surplus.length > 0) {
    note(`custom profile fields in the profile summary: at most ${MAX_SUMMARY_FIELDS} are kept`)
    await db
      .updateTable('custom_profile_fields')
      .set({ display_in_profile_summary: false })
      .where('organization_id', '=', organizationId)
      .where('id', 'in', surplus)
      .execute()
  }
  const byId = new Map(fields.map((field) => [String(field.id), field]))
  const people = await db
    .selectFrom('users')
    .select('id')
    .where('organization_id', '=', organizationId)
    .where('bot_type', 'is', null)
    .orderBy('id')
    .execute()
  const ids = new Set(people.map(({ id }) => id))
  for (let last = 0, left = true; left;) {
    const users = await db
      .selectFrom('users')
      .select(['id', 'bot_type', 'profile_data'])
      .where('organization_id', '=', organizationId)
      .where('id', '>', last)
      .where(sql<boolean>`profile_data <> '{}'`)
      .orderBy('id')
      .limit(PROFILES_PER_BATCH)
      .execute()
    for (const { id, bot_type: bot, profile_data: profile } of users) {
      const fitting = bot === null ? validProfileValues(profile, byId, (one) => ids.has(one)) : {}
      if (JSON.stringify(fitting) === JSON.stringify(profile)) continue
      note('values of custom profile fields were changed: the field does not allow them', `id ${id}`)
      await db
        .updateTable('users')
        .set({ profile_data: JSON.stringify(fitting) })
        .where('organization_id', '=', organizationId)
        .where('id', '=', id)
        .execute()
    }
    last = users.at(-1)?.id ?? last
    left = users.length === PROFILES_PER_BATCH
  }
}

function validProfile(given: unknown): Record<string, { value: string; rendered_value?: string }> {
  return Object.fromEntries(
    Object.entries(toRecord(given)).flatMap(([field, answer]) => {
      const { value, rendered_value: html } = toRecord(answer)
      if (!/^\d+$/.test(field) || typeof value !== 'string') return []
      return [
        [field, typeof html === 'string' && couldRendererWrite(html) ? { value, rendered_value: html } : { value }],
      ]
    }),
  )
}
