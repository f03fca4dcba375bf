import * as z from 'zod/mini'
import { endpoint } from '../../kernel/endpoint.ts'
import { boolean, nothing, string } from '../../kernel/schemas.ts'

const callUrlResponse = z.object({ url: string })

export const createBigBlueButtonCall = endpoint({
  id: 'createBigBlueButtonCall',
  method: 'GET',
  path: '/calls/bigbluebutton/create',
  summary: 'Create a BigBlueButton call. Always refused: not supported by this server.',
  since: 0,
  input: z.object({ meeting_name: string, voice_only: z._default(boolean, false) }),
  output: callUrlResponse,
  errors: ['BAD_REQUEST'],
})

export const createZoomCall = endpoint({
  id: 'createZoomCall',
  method: 'POST',
  path: '/calls/zoom/create',
  summary: 'Create a Zoom call. Always refused: not supported by this server.',
  since: 0,
  input: z.object({ is_video_call: z._default(boolean, true) }),
  output: callUrlResponse,
  errors: ['BAD_REQUEST'],
})

export const createNextcloudTalkCall = endpoint({
  id: 'createNextcloudTalkCall',
  method: 'POST',
  path: '/calls/nextcloud_talk/create',
  summary: 'Create a Nextcloud Talk call. Always refused: not supported by this server.',
  since: 465,
  input: nothing,
  output: callUrlResponse,
  errors: ['BAD_REQUEST'],
})

export const createConstructorGroupsCall = endpoint({
  id: 'createConstructorGroupsCall',
  method: 'POST',
  path: '/calls/constructorgroups/create',
  summary: 'Create a Constructor Groups call. Always refused: not supported by this server.',
  since: 460,
  input: nothing,
  output: callUrlResponse,
  errors: ['BAD_REQUEST'],
})
