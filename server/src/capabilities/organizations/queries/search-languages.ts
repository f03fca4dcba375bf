import type { OrganizationState } from '../../../kernel/projection.ts'
import { settingOf } from './index.ts'

/** Returns comma-separated languages, whose words a search finds in all forms. */
export function searchLanguagesOf(organization: OrganizationState): string {
  return settingOf(organization, 'search_languages')
}
