import { isDeactivated, organizationOf } from '../capabilities/organizations/queries/index.ts'
import type { UserRow } from '../capabilities/users/queries/index.ts'
import type { OrganizationState } from '../kernel/projection.ts'
import type { Terminal } from './command.ts'
import { FIRST_CHANNEL } from './founding.ts'

export function curlCommandLines(url: string, email: string, key: string | { readonly program: string }): string[] {
  const login =
    typeof key === 'string'
      ? `-u ${shellWord(`${email}:${key}`)}`
      : `-u ${shellWord(`${email}:`)}"$(${keyCommand(key.program, email)})"`
  const wait = `-G --data-urlencode 'event_types=["message"]'`
  const send = `-d type=channel -d to=${FIRST_CHANNEL} -d topic=hello -d content=Hello`
  return [
    'Wait for a message:',
    `  curl -s ${url}/api/v1/events ${login} ${wait}`,
    'Send a message from another terminal:',
    `  curl -s ${url}/api/v1/messages ${login} ${send}`,
  ]
}

export function keyCommand(program: string, email: string): string {
  return `${program} user api-key ${shellWord(email)}`
}

export function shellWord(word: string): string {
  return /^[\w@%+=:,./-]+$/.test(word) ? word : `'${word.replaceAll("'", String.raw`'\''`)}'`
}

export function warnIfDeactivated(
  terminal: Pick<Terminal, 'warn'>,
  organization: OrganizationState,
  user: UserRow,
): void {
  if (!user.isActive) terminal.warn(deactivatedSentence(organization, user))
  if (!isDeactivated(organization)) return
  const { name, stringId } = organizationOf(organization)
  const command = `parley organization reactivate${organizationOption(stringId)}`
  terminal.warn(`${name} is deactivated. Its accounts cannot be used until you run \`${command}\`.`)
}

export function deactivatedSentence(organization: OrganizationState, { deliveryEmail }: UserRow): string {
  const command = `parley user reactivate ${shellWord(deliveryEmail)}${organizationOption(organizationOf(organization).stringId)}`
  return `${deliveryEmail} is deactivated. It cannot be used until you run \`${command}\`.`
}

function organizationOption(stringId: string): string {
  return stringId === '' ? '' : ` --organization ${stringId}`
}
