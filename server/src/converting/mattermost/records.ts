import * as z from 'zod/mini'
import { flag, list, number, optionalOrInvalid, string } from '../records.ts'

export const mattermostTeam = z.object({ name: z.string(), display_name: string, description: string })

export const mattermostChannel = z.object({
  team: z.string(),
  name: z.string(),
  display_name: string,
  type: string,
  header: string,
  purpose: string,
  deleted_at: number,
})

export const mattermostTeamMembership = z.object({ name: z.string(), roles: string, channels: list })
export const mattermostChannelMembership = z.object({
  name: z.string(),
  favorite: flag,
  last_viewed_at: number,
  notify_props: optionalOrInvalid(z.object({ mark_unread: string })),
})

export const mattermostUser = z.object({
  username: z.string(),
  email: string,
  nickname: string,
  position: string,
  first_name: string,
  last_name: string,
  roles: string,
  delete_at: number,
  profile_image: string,
  teams: list,
})
export type MattermostUser = z.output<typeof mattermostUser>

export const mattermostBot = z.object({ username: z.string(), display_name: string, delete_at: number })

export const mattermostDirectChannel = z.object({ header: string, favorited_by: list })

export const mattermostEmoji = z.object({ name: z.string(), image: z.string() })

const messageFields = {
  user: z.string(),
  type: string,
  message: string,
  create_at: z.number(),
  edit_at: number,
  is_pinned: flag,
  props: optionalOrInvalid(
    z.object({ attachments: list, override_username: string, from_webhook: z.optional(z.unknown()) }),
  ),
  flagged_by: list,
  reactions: list,
  attachments: list,
}
export const mattermostAttachment = z.looseObject({})
export const mattermostReaction = z.object({ user: string, emoji_name: z.string() })
export const mattermostFile = z.object({ path: z.string() })
export const mattermostReply = z.object(messageFields)
export type MattermostReply = z.output<typeof mattermostReply>

export const mattermostPost = z.object({ ...messageFields, team: z.string(), channel: z.string(), replies: list })
export const mattermostDirectPost = z.object({ ...messageFields, channel_members: z.array(z.string()), replies: list })

export const mattermostLine = z.looseObject({ type: z.string() })
