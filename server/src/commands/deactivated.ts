import { isDeactivated, organizationOf } from '../capabilities/organizations/queries/index.ts'
import type { UserRow } from '../capabilities/users/queries/index.ts'
import type { OrganizationState } from '../kernel/projection.ts'
import type { Terminal } from './command.ts'
import { shellWord } from './paste.ts'

export function warnIfDeactivated(
  terminal: Pick<Terminal, 'warn'>,
  organization: OrganizationState,
  user: UserRow,
): void {
  if (!user.isActive) terminal.warn(deactivatedSentence(organization, user))
  if (!isDeactivated(organization)) return
  const { name, stringId } = organizationOf(organization)
  const command = `parley organization reactivate${optionFor(stringId)}`
  terminal.warn(`${name} is deactivated. Its accounts cannot be used until you run \`${command}\`.`)
}

export function deactivatedSentence(organization: OrganizationState, { deliveryEmail }: UserRow): string {
  const command = `parley user reactivate ${shellWord(deliveryEmail)}${optionFor(organizationOf(organization).stringId)}`
  return `${deliveryEmail} is deactivated. It cannot be used until you run \`${command}\`.`
}

function optionFor(stringId: string): string {
  return stringId === '' ? '' : ` --organization ${stringId}`
}
