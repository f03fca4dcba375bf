import * as z from 'zod/mini'
import { flag, number, orMissing, string, strings } from '../records.ts'

/*
 * What of an export of Slack is read. Whatever else is there is left alone, and what is there in another form is as if it
 * were missing.
 */

const valued = orMissing(z.object({ value: string }))

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
  profile: orMissing(
    z.object({ email: string, real_name: string, display_name: string, image_original: string, is_custom_image: flag }),
  ),
})
export type SlackUser = z.output<typeof slackUser>

export const slackPlace = z.object({
  id: z.string(),
  name: string,
  created: number,
  is_archived: flag,
  is_general: flag,
  members: strings,
  topic: valued,
  purpose: valued,
  pins: orMissing(z.array(z.unknown())),
})
export type SlackPlace = z.output<typeof slackPlace>

const slackFile = z.object({
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

const slackAttachment = z.object({
  fallback: string,
  pretext: string,
  title: string,
  title_link: string,
  text: string,
  from_url: string,
  blocks: orMissing(z.array(z.unknown())),
  fields: orMissing(z.array(z.object({ title: string, value: string }))),
})
export type SlackAttachment = z.output<typeof slackAttachment>

export const slackMessage = z.object({
  subtype: string,
  user: string,
  bot_id: string,
  username: string,
  user_profile: orMissing(z.object({ real_name: string, display_name: string, name: string })),
  bot_profile: orMissing(z.object({ name: string })),
  text: string,
  ts: z.string(),
  thread_ts: string,
  is_starred: flag,
  edited: z.optional(z.unknown()),
  reactions: orMissing(z.array(z.object({ name: z.string(), users: strings }))),
  files: orMissing(z.array(slackFile)),
  attachments: orMissing(z.array(slackAttachment)),
  blocks: orMissing(z.array(z.unknown())),
})
export type SlackMessage = z.output<typeof slackMessage>
