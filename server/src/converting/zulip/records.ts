import * as z from 'zod/mini'
import { flag, number, optionalOrInvalid, string } from '../records.ts'
import type { ReportList } from '../../platform/moving/report-list.ts'

/** List of unchecked rows, because an invalid row must not affect the others. */
const rows = optionalOrInvalid(z.array(z.unknown()))
const id = z.int()

export const zulipRealm = z.looseObject({
  id,
  name: string,
  description: string,
})

export type ZulipRealm = z.output<typeof zulipRealm>

export const zulipUser = z.looseObject({
  id,
  email: string,
  delivery_email: string,
  full_name: string,
  role: number,
  is_active: flag,
  is_bot: flag,
  timezone: string,
  date_joined: number,
})
export type ZulipUser = z.output<typeof zulipUser>
export const zulipUserDefaults = z.looseObject({ id: optionalOrInvalid(id) })

export const zulipStream = z.looseObject({
  id,
  name: z.string(),
  description: string,
  invite_only: flag,
  deactivated: flag,
  history_public_to_subscribers: flag,
  is_web_public: flag,
  date_created: number,
  creator: optionalOrInvalid(id),
  folder: optionalOrInvalid(id),
  topics_policy: optionalOrInvalid(z.int()),
  message_retention_days: optionalOrInvalid(z.int()),
})
export type ZulipStream = z.output<typeof zulipStream>
export const zulipDefaultStream = z.object({ stream: id })
export const zulipRecipient = z.object({ id, type: z.int(), type_id: id })
export const zulipSubscription = z.object({
  user_profile: id,
  recipient: id,
  active: flag,
  color: string,
  is_muted: flag,
  pin_to_top: flag,
  desktop_notifications: flag,
  audible_notifications: flag,
  push_notifications: flag,
  email_notifications: flag,
  wildcard_mentions_notify: flag,
})
export const zulipFolder = z.object({
  id,
  name: z.string(),
  description: string,
  order: number,
  creator: optionalOrInvalid(id),
  date_created: number,
  is_archived: flag,
})
export const zulipDomain = z.object({ domain: z.string(), allow_subdomains: flag })
export const zulipGroup = z.looseObject({
  id: optionalOrInvalid(id),
  usergroup_ptr: optionalOrInvalid(id),
  name: z.string(),
  description: string,
  is_system_group: flag,
  deactivated: flag,
  creator: optionalOrInvalid(id),
  date_created: number,
})
export type ZulipGroup = z.output<typeof zulipGroup>
export const zulipBareGroup = z.object({ id })
export const zulipGroupInGroup = z.object({ supergroup: id, subgroup: id })
export const zulipGroupMember = z.object({ user_group: id, user_profile: id })
export const zulipReaction = z.object({
  message: id,
  user_profile: id,
  emoji_name: z.string(),
  emoji_code: string,
  reaction_type: string,
})
export const zulipUserTopic = z.object({
  user_profile: id,
  stream: id,
  topic_name: z.string(),
  visibility_policy: z.int(),
  last_updated: number,
})
export const zulipMutedUser = z.object({ user_profile: id, muted_user: id, date_muted: number })
export const zulipAlertWord = z.object({ user_profile: id, word: z.string() })
export const zulipLinkifier = z.object({ pattern: z.string(), url_template: string, order: number })
export const zulipPlayground = z.object({ name: z.string(), pygments_language: z.string(), url_template: z.string() })
export const zulipProfileField = z.object({
  id,
  name: z.string(),
  hint: string,
  order: number,
  field_type: z.int(),
  field_data: string,
  display_in_profile_summary: flag,
  required: flag,
  editable_by_user: flag,
})
export const zulipProfileValue = z.object({ user_profile: id, field: id, value: z.string(), rendered_value: string })
export const zulipEmoji = z.object({
  id,
  name: z.string(),
  file_name: string,
  author: optionalOrInvalid(id),
  deactivated: flag,
})

export const zulipTables = z.object({
  zerver_realm: z.array(zulipRealm),
  // Required, because without these lists, authors and channels are unknown.
  zerver_userprofile: z.array(z.unknown()),
  zerver_stream: z.array(z.unknown()),
  zerver_recipient: z.array(z.unknown()),
  // Optional, because some older exports lack these lists.
  zerver_userprofile_mirrordummy: rows,
  zerver_userprofile_crossrealm: rows,
  zerver_realmuserdefault: rows,
  zerver_defaultstream: rows,
  zerver_subscription: rows,
  zerver_usergroup: rows,
  zerver_namedusergroup: rows,
  zerver_usergroupmembership: rows,
  zerver_groupgroupmembership: rows,
  zerver_realmdomain: rows,
  zerver_channelfolder: rows,
  zerver_reaction: rows,
  zerver_usertopic: rows,
  zerver_muteduser: rows,
  zerver_alertword: rows,
  zerver_realmfilter: rows,
  zerver_realmemoji: rows,
  zerver_realmplayground: rows,
  zerver_customprofilefield: rows,
  zerver_customprofilefieldvalue: rows,
  // These tables are only counted, for the report.
  zerver_realmauthenticationmethod: rows,
  zerver_draft: rows,
  zerver_scheduledmessage: rows,
  zerver_submessage: rows,
  zerver_userstatus: rows,
  zerver_multiuseinvite: rows,
  zerver_preregistrationuser: rows,
})
export type ZulipTables = z.output<typeof zulipTables>

export const zulipAttachment = z.object({
  path_id: z.string(),
  file_name: string,
  owner: optionalOrInvalid(id),
  create_time: number,
  messages: optionalOrInvalid(z.array(id)),
})
export const zulipAttachments = z.object({ zerver_attachment: z.array(z.unknown()) })
export const zulipMessage = z.object({
  id,
  sender: id,
  recipient: id,
  subject: string,
  content: z.string(),
  date_sent: z.number(),
  last_edit_time: number,
  /** Newest first. Usually a JSON string. */
  edit_history: optionalOrInvalid(z.union([z.string(), z.array(z.unknown())])),
})
export const zulipEdit = z.object({
  user_id: optionalOrInvalid(id),
  timestamp: z.number(),
  prev_content: string,
  prev_topic: string,
  /** Name of `prev_topic` in older exports. */
  prev_subject: string,
  prev_stream: optionalOrInvalid(id),
})
export type ZulipEdit = z.output<typeof zulipEdit>
export type ZulipMessage = z.output<typeof zulipMessage>
export const zulipUserMessage = z.object({ user_profile: id, message: id, flags_mask: z.int() })
export const zulipMessages = z.object({
  zerver_message: z.array(z.unknown()),
  zerver_usermessage: rows,
})
export const zulipPicture = z.object({
  path: optionalOrInvalid(z.string()),
  s3_path: string,
  user_profile_id: optionalOrInvalid(id),
  file_name: string,
})

export function readRows<Form extends z.ZodMiniType>(
  table: string,
  given: readonly unknown[] | undefined,
  form: Form,
  leftOut: ReportList,
): z.output<Form>[] {
  const ids = new Set<number>()
  return (given ?? []).flatMap((row) => {
    const rowId = idOf(row)
    if (rowId !== undefined && ids.has(rowId)) {
      leftOut.add(`duplicate rows: the first is used (${table})`, `id ${rowId}`)
      return []
    }
    if (rowId !== undefined) ids.add(rowId)
    const parsed = form.safeParse(row)
    if (parsed.success) return [parsed.data]
    leftOut.add(`rows in an unknown format (${table})`, JSON.stringify(row)?.slice(0, 100))
    return []
  })
}

function idOf(row: unknown): number | undefined {
  return typeof row === 'object' && row !== null && 'id' in row && typeof row.id === 'number' ? row.id : undefined
}

const MAX_UNIX_SECONDS = 2 ** 32

export function toUnixSeconds(time: number | undefined): number | undefined {
  return time !== undefined && time > 0 && time < MAX_UNIX_SECONDS ? Math.floor(time) : undefined
}
