import * as z from 'zod/mini'
import { flag, list, number, optionalOrInvalid, string } from '../records.ts'

/* Slack's exported records. Unknown fields are ignored, and invalid values count as missing. */

const valueRecord = optionalOrInvalid(z.object({ value: string }))

export const slackUser = z.object({
  id: z.string(),
  name: string,
  real_name: string,
  deleted: flag,
  is_bot: flag,
  is_admin: flag,
  is_owner: flag,
  is_primary_owner: flag,
  is_restricted: flag,
  is_ultra_restricted: flag,
  tz: string,
  profile: optionalOrInvalid(
    z.object({
      email: string,
      real_name: string,
      display_name: string,
      title: string,
      phone: string,
      status_text: string,
      image_original: string,
      is_custom_image: flag,
    }),
  ),
})
export type SlackUser = z.output<typeof slackUser>

export const slackPlace = z.object({
  id: z.string(),
  name: string,
  created: number,
  is_archived: flag,
  is_general: flag,
  members: list,
  topic: valueRecord,
  purpose: valueRecord,
  pins: optionalOrInvalid(z.array(z.unknown())),
})
export type SlackPlace = z.output<typeof slackPlace>

export const slackFile = z.object({
  id: string,
  name: string,
  title: string,
  user: string,
  mode: string,
  filetype: string,
  is_external: flag,
  url_private: string,
  permalink: string,
})
export type SlackFile = z.output<typeof slackFile>

/** Keeps unknown fields, because the converter, which is shared with webhooks, also reads other fields. */
export const slackAttachment = z.looseObject({
  from_url: string,
  app_id: string,
  bot_id: string,
  is_msg_unfurl: flag,
  is_share: flag,
  is_reply_unfurl: flag,
  is_app_unfurl: flag,
  files: list,
  blocks: optionalOrInvalid(z.array(z.unknown())),
})
export type SlackAttachment = z.output<typeof slackAttachment>

export const slackReaction = z.object({ name: z.string(), users: list, count: number })

export const slackMessage = z.object({
  subtype: string,
  user: string,
  bot_id: string,
  app_id: string,
  username: string,
  user_profile: optionalOrInvalid(z.object({ real_name: string, display_name: string, name: string })),
  bot_profile: optionalOrInvalid(z.object({ name: string })),
  text: string,
  ts: z.string(),
  thread_ts: string,
  is_starred: flag,
  edited: z.optional(z.unknown()),
  reactions: list,
  files: list,
  /** Messages before 2018 have a single file. */
  file: z.optional(z.unknown()),
  attachments: list,
  blocks: list,
})
export type SlackMessage = z.output<typeof slackMessage>
