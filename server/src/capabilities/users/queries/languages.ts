import type { OrganizationState } from '../../../kernel/projection.ts'
import { setting } from '../../organizations/queries/index.ts'
import { userSetting, type UserRow } from './index.ts'

/**
 * The language in which the server writes to a person: one of German where the person chose that, English otherwise. Where
 * the person chose none, the organization's.
 */
export function writtenLanguage(organization: OrganizationState, user: UserRow): string {
  const chosen = userSetting(user, 'default_language') || setting(organization, 'default_language')
  return /^de\b/.test(chosen) ? chosen : 'en'
}
