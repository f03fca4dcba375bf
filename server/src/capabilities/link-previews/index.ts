import { capability } from '../../platform/capability.ts'
import { schedulePreviews } from './consumers.ts'
import * as contract from './contract.ts'
import { fetchPreviews, deleteSurplusPreviews, deleteUnlinkedPreviews } from './jobs/index.ts'
import { previewPicture } from './queries.ts'
import { migrations } from './tables.ts'

/** Fetches each linked page or image once, so that readers contact no other site. */
export const linkPreviews = capability({
  name: 'link-previews',
  tables: ['link_previews', 'link_preview_messages'],
  reads: ['messages', 'organization_settings'],
  migrations,
  omitted: { link_preview_messages: null, link_previews: 'link previews: messages appear without them' },
  limits: [contract.WAITING_PREVIEW_LIMIT, contract.PREVIEW_LIMIT],
  files: [
    {
      // The name cannot be guessed, so that only readers of the link know it.
      path: '/external_content/:name(^[\\w-]{24}$)/:format',
      login: 'required',
      forSpectators: true,
      find: previewPicture,
    },
  ],
  jobs: [fetchPreviews, deleteUnlinkedPreviews, deleteSurplusPreviews],
  consumers: [schedulePreviews],
})
