import * as z from 'zod/mini'
import { endpoint } from '../../kernel/endpoint.ts'
import { event } from '../../kernel/event.ts'
import type { Limit } from '../../kernel/limits.ts'
import { boolean, id, integer, nothing, string } from '../../kernel/schemas.ts'

/** `public`: data visible to all members. `fullWithConsent`: also data that consenting people own or can read. */
export const EXPORT_TYPE = { public: 1, fullWithConsent: 2 } as const

const WEEK_SECONDS = 7 * 86_400
export const EXPORT_PERIOD_SECONDS = WEEK_SECONDS
export const EXPORT_LIMIT: Limit = { most: 5, per: 'organization', what: 'data exports started within a week' }
export const ARCHIVE_LIMIT: Limit = { most: 20, per: 'organization', what: 'data exports that are not deleted' }
export const PAST_EXPORT_LIMIT: Limit = {
  most: 50,
  per: 'organization',
  what: 'deleted or failed data exports; older ones are not listed',
}

export const dataExport = z.strictObject({
  id,
  acting_user_id: id,
  /** Time of the request in UNIX seconds, like all times here. */
  export_time: integer,
  deleted_timestamp: z.nullable(integer),
  failed_timestamp: z.nullable(integer),
  /** URL of the archive, for administrators only; null if no archive exists. */
  export_url: z.nullable(string),
  pending: boolean,
  export_type: integer,
})
export type DataExport = z.output<typeof dataExport>

export const getDataExports = endpoint({
  id: 'getDataExports',
  method: 'GET',
  path: '/export/realm',
  summary: 'List data exports. Administrators only.',
  since: 0,
  input: nothing,
  output: z.object({ exports: z.array(dataExport) }),
  errors: ['BAD_REQUEST'],
})

export const createDataExport = endpoint({
  id: 'createDataExport',
  method: 'POST',
  path: '/export/realm',
  summary: 'Start a data export. Administrators only.',
  description:
    'The export runs in the background; a `realm_export` event reports when it is ready. Type 1 contains what all ' +
    'members can access. Type 2 adds what consenting users can access, and their personal data.',
  since: 0,
  input: z.object({
    export_type: z._default(z.union([z.literal(EXPORT_TYPE.public), z.literal(EXPORT_TYPE.fullWithConsent)]), 1),
  }),
  output: z.object({ id }),
  errors: ['BAD_REQUEST', 'CONFIRMATION_REQUIRED'],
})

export const deleteDataExport = endpoint({
  id: 'deleteDataExport',
  method: 'DELETE',
  path: '/export/realm/:export_id',
  summary: 'Delete a data export. Administrators only.',
  since: 0,
  input: z.object({ export_id: id }),
  output: nothing,
  errors: ['BAD_REQUEST'],
})

export const getExportConsents = endpoint({
  id: 'getExportConsents',
  method: 'GET',
  path: '/export/realm/consents',
  summary: 'List who consents to the export of private data. Administrators only.',
  since: 295,
  input: nothing,
  output: z.object({ export_consents: z.array(z.strictObject({ user_id: id, consented: boolean })) }),
  errors: ['BAD_REQUEST'],
})

export const dataExportsChanged = event({
  type: 'realm_export',
  summary: 'An export started, finished, failed, or was deleted. Contains all exports.',
  payload: z.strictObject({ exports: z.array(dataExport) }),
  touches: [],
  apply() {},
})

export const exportConsentChanged = event({
  type: 'realm_export_consent',
  summary: 'A user gave or withdrew consent to export private data.',
  payload: z.strictObject({ user_id: id, consented: boolean }),
  touches: [],
  apply() {},
})
