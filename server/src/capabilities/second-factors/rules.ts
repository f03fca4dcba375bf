import { ROLE, type Role, type ViewerRole } from '../../kernel/actor.ts'
import type { OrganizationState } from '../../kernel/projection.ts'
import type { SettingValue } from '../organizations/contract/settings.ts'
import { settingOf } from '../organizations/queries/index.ts'

const LOWEST_REQUIRED_ROLE: Readonly<Record<SettingValue<'second_factor_required_of'>, Role | undefined>> = {
  nobody: undefined,
  owners: ROLE.owner,
  administrators: ROLE.administrator,
  moderators: ROLE.moderator,
  members: ROLE.member,
  everyone: ROLE.guest,
}

export function isSecondFactorRequired(organization: OrganizationState, role: ViewerRole): boolean {
  const lowest = LOWEST_REQUIRED_ROLE[settingOf(organization, 'second_factor_required_of')]
  return lowest !== undefined && role <= lowest
}
