import {
  exportedTable,
  toPrintableName,
  toRecord,
  requireText,
  UnimportableRecordError,
  type ExportedTable,
} from '../../../platform/moving/carried.ts'
import { separateInvalidSettings } from '../../../kernel/setting.ts'
import { groupSettingValue } from '../../groups/contract/index.ts'
import { PERMISSIONS } from '../../groups/contract/permissions.ts'
import { USER_SETTINGS } from '../../users/contract/settings.ts'
import { MAX_ORGANIZATION_DESCRIPTION_CHARACTERS, MAX_ORGANIZATION_NAME_CHARACTERS } from '../contract/organization.ts'
import { REALM_SETTINGS } from '../contract/settings.ts'
import { PICTURE_KINDS } from '../queries/index.ts'
import { pictureKey } from '../queries/pictures.ts'
import { canonicalDomain } from '../rules.ts'

const PICTURE_NAME_PATTERN = /^[\w-]{24}$/
const MAX_TEXT_CHARACTERS = 10_000

export const exportedTables: readonly ExportedTable[] = [
  exportedTable('organization_settings', {
    columns: [
      'name',
      'description',
      'rendered_description',
      'date_created',
      'deactivated',
      'settings',
      'user_settings_defaults',
      'pictures',
    ],
    order: [],
    rendered: [{ column: 'rendered_description', from: 'description', as: 'description' }],
    onImport(organization, { note }) {
      const name = requireText(organization, 'name', MAX_TEXT_CHARACTERS)
      organization['name'] = toPrintableName(name, MAX_ORGANIZATION_NAME_CHARACTERS, '?')
      if (organization['name'] !== name) note('the organization name was changed: invalid')
      requireText(organization, 'description', MAX_ORGANIZATION_DESCRIPTION_CHARACTERS)
      // Keeps the organization unusable until the import is complete.
      organization['deactivated'] = true
      const given = toRecord(organization['settings'])
      const { kept, dropped } = separateInvalidSettings(given, REALM_SETTINGS)
      for (const name_ of Object.keys(PERMISSIONS.realm)) {
        const parsed = groupSettingValue.safeParse(given[name_])
        if (parsed.success) kept[name_] = parsed.data
      }
      for (const setting of dropped.filter((one) => !(one in kept)))
        note(`the organization setting ${setting}: unknown setting or invalid value`)
      organization['settings'] = kept
      organization['user_settings_defaults'] = separateInvalidSettings(
        toRecord(organization['user_settings_defaults']),
        USER_SETTINGS,
      ).kept
      const pictures = toRecord(organization['pictures'])
      organization['pictures'] = Object.fromEntries(
        PICTURE_KINDS.flatMap((kind) => {
          const file = pictures[kind]
          return typeof file === 'string' && PICTURE_NAME_PATTERN.test(file) ? [[kind, file]] : []
        }),
      )
    },
    files: ({ pictures }, organizationId) =>
      Object.entries(toRecord(pictures)).map(([form, file]) => ({
        form,
        key: pictureKey(organizationId, String(file)),
      })),
    withoutFile(organization, form) {
      const { [form]: _, ...others } = toRecord(organization['pictures'])
      organization['pictures'] = others
    },
    async finish(db, organizationId) {
      const { numUpdatedRows } = await db
        .updateTable('organization_settings')
        .set({ deactivated: false })
        .where('organization_id', '=', organizationId)
        .executeTakeFirst()
      if (numUpdatedRows === 0n) throw new UnimportableRecordError('it has no settings')
    },
  }),
  exportedTable('realm_domains', {
    columns: ['id', 'domain', 'allow_subdomains'],
    order: ['id'],
    onImport(record) {
      const domain = requireText(record, 'domain', MAX_TEXT_CHARACTERS)
      if (canonicalDomain(domain) !== domain) throw new UnimportableRecordError('domain is invalid')
    },
  }),
]
