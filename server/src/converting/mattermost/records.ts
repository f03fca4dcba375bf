import * as z from 'zod/mini'
import { flag, number, orMissing, string, strings } from '../records.ts'

/*
 * What of a bulk export of Mattermost is read: lines of JSON, of which each says what it is.
 */

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

const channelMembership = z.object({
  name: z.string(),
  favorite: flag,
  last_viewed_at: number,
  notify_props: orMissing(z.object({ mark_unread: string })),
})

export const mattermostUser = z.object({
  username: z.string(),
  email: string,
  nickname: string,
  first_name: string,
  last_name: string,
  roles: string,
  delete_at: number,
  profile_image: string,
  teams: orMissing(
    z.array(z.object({ name: z.string(), roles: string, channels: orMissing(z.array(channelMembership)) })),
  ),
})
export type MattermostUser = z.output<typeof mattermostUser>

export const mattermostBot = z.object({ username: z.string(), display_name: string, delete_at: number })

export const mattermostEmoji = z.object({ name: z.string(), image: z.string() })

const said = {
  user: z.string(),
  type: string,
  message: string,
  create_at: z.number(),
  edit_at: number,
  is_pinned: flag,
  props: orMissing(z.object({ attachments: orMissing(z.array(z.unknown())) })),
  flagged_by: strings,
  reactions: orMissing(z.array(z.object({ user: string, emoji_name: z.string() }))),
  attachments: orMissing(z.array(z.object({ path: z.string() }))),
}
export const mattermostReply = z.object(said)
export type MattermostReply = z.output<typeof mattermostReply>

const replies = orMissing(z.array(z.unknown()))
export const mattermostPost = z.object({ ...said, team: z.string(), channel: z.string(), replies })
export const mattermostDirectPost = z.object({ ...said, channel_members: z.array(z.string()), replies })

/** A line: what it is, and the record under that name. */
export const mattermostLine = z.looseObject({ type: z.string() })
