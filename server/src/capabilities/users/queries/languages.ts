import type { OrganizationState } from '../../../kernel/projection.ts'
import { settingOf } from '../../organizations/queries/index.ts'
import { userSetting, type UserRow } from './index.ts'

/** Chooses a variant of German if the person or, by default, the organization uses one; English otherwise. */
export function writtenLanguage(organization: OrganizationState, user: UserRow): string {
  const chosen = userSetting(user, 'default_language') || settingOf(organization, 'default_language')
  return /^de\b/.test(chosen) ? chosen : 'en'
}
