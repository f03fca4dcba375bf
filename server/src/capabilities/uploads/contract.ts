import * as z from 'zod/mini'
import { endpoint } from '../../kernel/endpoint.ts'
import { event } from '../../kernel/event.ts'
import { id, integer, nothing, string } from '../../kernel/schemas.ts'

export const MAX_FILE_NAME_CHARACTERS = 255
/** Lifetime of a URL from `getFileTemporaryUrl`. */
export const TEMPORARY_URL_SECONDS = 60
export const UNCLAIMED_UPLOAD_DAYS = 35

/** A thumbnail's URL contains `thumbnail/`, the file's path, and the name of the format, in this order. */
export const THUMBNAIL_FORMATS = [
  { name: '840x560.webp', max_width: 840, max_height: 560, format: 'webp', animated: false },
  { name: '840x560-anim.webp', max_width: 840, max_height: 560, format: 'webp', animated: true },
] as const
export type ThumbnailFormat = (typeof THUMBNAIL_FORMATS)[number]

export const uploadedFile = z.strictObject({
  id,
  name: string,
  /** Path of the file's URL after `/user_uploads/`. */
  path_id: string,
  size: integer,
  /** Milliseconds, like `date_sent`. */
  create_time: integer,
  messages: z.array(z.strictObject({ date_sent: integer, id })),
})
export type UploadedFile = z.output<typeof uploadedFile>

export const uploadFile = endpoint({
  id: 'uploadFile',
  method: 'POST',
  path: '/user_uploads',
  summary: 'Upload a file to link in messages.',
  since: 0,
  forTokens: 'writing',
  file: 'upload',
  input: nothing,
  output: z.object({
    /** Path of the file's URL, as linked in messages. */
    url: string,
    filename: string,
    uri: string,
  }),
  errors: ['BAD_REQUEST', 'REALM_UPLOAD_QUOTA'],
})

export const getFileTemporaryUrl = endpoint({
  id: 'getFileTemporaryUrl',
  method: 'GET',
  path: '/user_uploads/:realm_id_str/:filename*',
  summary: 'Get a temporary URL for a file that works without authentication for one minute.',
  since: 1,
  forTokens: 'reading',
  input: z.object({
    realm_id_str: id,
    filename: string,
  }),
  output: z.object({ url: string }),
  errors: ['NOT_FOUND'],
})

/** Bytes used by all users of the organization together. */
const uploadSpaceUsed = integer

export const getAttachments = endpoint({
  id: 'getAttachments',
  method: 'GET',
  path: '/attachments',
  summary: 'List your uploaded files.',
  since: 0,
  forTokens: 'reading',
  input: nothing,
  output: z.object({ attachments: z.array(uploadedFile), upload_space_used: uploadSpaceUsed }),
  errors: [],
})

export const removeAttachment = endpoint({
  id: 'removeAttachment',
  method: 'DELETE',
  path: '/attachments/:attachment_id',
  summary: 'Delete one of your uploaded files. Links in messages stay but stop working.',
  since: 179,
  forTokens: 'writing',
  input: z.object({ attachment_id: id }),
  output: nothing,
  errors: ['BAD_REQUEST'],
})

export const attachmentAdded = event({
  type: 'attachment',
  op: 'add',
  summary: 'The user uploaded a file.',
  payload: z.strictObject({ attachment: uploadedFile, upload_space_used: uploadSpaceUsed }),
  touches: [],
  // The register response lists no files.
  apply: () => undefined,
})

export const attachmentUpdated = event({
  type: 'attachment',
  op: 'update',
  summary: "The messages that link one of the user's files changed.",
  payload: z.strictObject({ attachment: uploadedFile, upload_space_used: uploadSpaceUsed }),
  touches: [],
  apply: () => undefined,
})

export const attachmentRemoved = event({
  type: 'attachment',
  op: 'remove',
  summary: 'A file of the user was deleted.',
  payload: z.strictObject({ attachment: z.strictObject({ id }), upload_space_used: uploadSpaceUsed }),
  touches: [],
  apply: () => undefined,
})
